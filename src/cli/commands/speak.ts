import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { unlessAborted } from '../../main/core/unless-aborted.ts';
import { AppError } from '../../shared/app-error.ts';
import { defaultNameTemplate } from '../../shared/name-template.ts';
import { text, type Command, type Invocation } from '../command.ts';
import type { ExitCode } from '../exit-code.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { openSession } from '../session.ts';
import { mustBeInRange, readSpeechFlags, speechFlags, speechSettings } from '../speak/read-settings.ts';
import { readText } from '../speak/read-text.ts';
import { concludeSpeech } from '../speak/report.ts';
import { wishedName, type WishedName } from '../speak/wished-name.ts';
import { usageError } from '../usage-error.ts';

async function readWish({ flags, messages: { cli, format } }: Invocation): Promise<WishedName | undefined> {
  const out = text(flags, 'out');
  if (out === undefined) return undefined;
  const isFolder = out.endsWith('/') || out.endsWith(sep) || out === '';
  const seen = isFolder ? undefined : await stat(out).catch(() => undefined);
  if (isFolder || seen?.isDirectory()) throw usageError(cli.speak.isFolder(out));
  const wish = wishedName(out);
  if (wish.fields.length > 0) throw usageError(cli.speak.hasField(format.list(wish.fields)));
  return wish;
}

/** The one text that was given: a word, a file, or stdin. */
async function readSpeech({ words, flags, messages, signal }: Invocation): Promise<string> {
  const file = text(flags, 'file');
  const given = [...words, ...(file === undefined ? [] : [file])];
  const [only] = given;
  if (only === undefined || given.length > 1) throw usageError(messages.cli.usage.nameText);
  if (file === undefined && only !== '-') return only;
  try {
    return await unlessAborted(readText(only, messages, process.stdin, signal), signal);
  } finally {
    // Whoever still writes to it would keep this process alive.
    if (only === '-') process.stdin.destroy();
  }
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const given = readSpeechFlags(invocation);
  const wish = await readWish(invocation);
  const speech = await readSpeech(invocation);
  if (speech.trim() === '') throw new AppError('input/text-empty', 'no text');
  let message: string | null = null;
  const session = await openSession(invocation, { onSpoken: (said) => void (message = said) });
  const { core, connectionId, name } = session;
  try {
    const { document } = core.connections.get(connectionId);
    const voice = await unlessAborted(core.voices.voice(connectionId, given.voiceId), invocation.signal);
    mustBeInRange(given, document, invocation, name);
    const order = {
      connection: { id: connectionId, name: document.name, document },
      voice,
      settings: speechSettings(given, voice, document),
      outputFolder: wish?.folder ?? process.cwd(),
      nameTemplate: wish?.stem ?? defaultNameTemplate,
    };
    const { intake } = await core.queue();
    const { id } = (await intake.takeUpSpeech(speech, order)) ?? intake.addSpeech(speech, order);
    return await runJobs(session, [id], invocation, {
      onEnded: () => undefined,
      conclude({ jobs: [job], end }) {
        if (!job) throw new AppError('job/not-found', `job ${id} is gone`);
        return concludeSpeech({ job, end, wish, message }, invocation);
      },
    });
  } finally {
    await core.stop();
  }
}

export const speak: Command = {
  usage: [
    'timbre speak TEXT|--file F --voice ID [--out FILE] [--language L] [--speed N] [--pitch N] ' +
      '[--engine v1|v5|v7] [--platform web|win|mac|phone]',
  ],
  purpose: ({ cli }) => cli.help.speak,
  options: {
    file: { type: 'string' },
    ...speechFlags,
    out: { type: 'string' },
  },
  run,
};
