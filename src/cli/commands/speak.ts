import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { unlessAborted } from '../../main/core/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { text, type Invocation, type Run } from '../command.ts';
import { mustSaveIn, wantedVoice } from '../check-first.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { mustBeInRange } from '../read-flags.ts';
import { openSession } from '../session.ts';
import { readSpeechFlags, speechSettings } from '../speak/read-settings.ts';
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

/** The one text that was given: a word, a file, or stdin, which is read where nothing is named and something is piped in. */
async function readSpeech({ words, flags, messages, signal }: Invocation): Promise<string> {
  const file = text(flags, 'file');
  const [word] = words;
  const isNamed = word !== undefined || file !== undefined;
  if (word !== undefined && file !== undefined) throw usageError(messages.cli.usage.nameText);
  if (!isNamed && process.stdin.isTTY) throw usageError(messages.cli.usage.nameText);
  if (word !== undefined && word !== '-') return word;
  const path = file ?? '-';
  try {
    const read = await unlessAborted(readText(path, messages, process.stdin, signal), signal);
    if (!isNamed && read === '') throw usageError(messages.cli.usage.nameText);
    return read;
  } finally {
    // Whoever still writes to it would keep this process alive.
    if (path === '-') process.stdin.destroy();
  }
}

export const speak: Run = async (invocation) => {
  const { settings: app } = invocation;
  const given = readSpeechFlags(invocation);
  const wish = await readWish(invocation);
  const speech = await readSpeech(invocation);
  if (speech.trim() === '') throw new AppError('input/text-empty', 'no text');
  let message: string | null = null;
  const session = await openSession(invocation, { onSpoken: (said) => void (message = said) });
  const { core, connectionId, name } = session;
  try {
    const { document } = core.connections.get(connectionId);
    mustBeInRange(given, document, invocation, name);
    const outputFolder = wish?.folder ?? app.outputFolder ?? process.cwd();
    await mustSaveIn([outputFolder], invocation);
    const voice = await wantedVoice(session, given.voiceId, invocation);
    const order = {
      connection: { id: connectionId, name: document.name, document },
      voice,
      settings: speechSettings(given, voice, document, invocation),
      outputFolder,
      nameTemplate: wish?.stem ?? app.nameTemplate,
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
};
