import { resolve } from 'node:path';
import type { ConversionJob, Job } from '../../main/core/jobs/job.ts';
import { unlessAborted } from '../../main/core/unless-aborted.ts';
import { defaultNameTemplate } from '../../shared/name-template.ts';
import { text, type Command, type Invocation } from '../command.ts';
import { conversionFlags, readSettings } from '../convert/read-settings.ts';
import { conclude, sayEnded } from '../convert/report.ts';
import type { ExitCode } from '../exit-code.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

const isConversion = (job: Job): job is ConversionJob => job.kind === 'conversion';

async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, output, messages, signal } = invocation;
  if (words.length === 0) throw usageError(messages.cli.usage.nameRecording);
  const settings = readSettings(invocation);
  const session = await openSession(invocation);
  const { core, connectionId } = session;
  try {
    const voice = await unlessAborted(core.voices.voice(connectionId, settings.voiceId), signal);
    const { document } = core.connections.get(connectionId);
    const out = text(flags, 'out');
    const { intake } = await core.queue();
    const { ids, leftOut } = await intake.add(
      words,
      {
        connection: { id: connectionId, name: document.name, document },
        voice,
        settings,
        outputFolder: out === undefined ? null : resolve(out),
        nameTemplate: defaultNameTemplate,
        audioName: text(flags, 'audio-name') ?? null,
        platform: text(flags, 'platform') ?? '',
      },
      signal,
    );
    if (leftOut > 0) output.say(messages.convert.added({ added: 0, refused: 0, leftOut }));
    return await runJobs(session, ids, invocation, {
      onEnded(job) {
        if (isConversion(job)) sayEnded(job, output, messages);
      },
      conclude: ({ jobs, end }) => conclude(jobs.filter(isConversion), end, invocation),
    });
  } finally {
    await core.stop();
  }
}

export const convert: Command = {
  usage: ['timbre convert FILE|DIR... --voice ID [--out DIR] [--pitch N] [--speed N] [--format .mp3]'],
  purpose: ({ cli }) => cli.help.convert,
  options: {
    ...conversionFlags,
    out: { type: 'string' },
    'audio-name': { type: 'string' },
    platform: { type: 'string' },
  },
  run,
};
