import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import type { ConversionJob, Job } from '../../main/core/jobs/job.ts';
import { text, type Invocation, type Run } from '../command.ts';
import { mustBeTaken, readSettings } from '../convert/read-settings.ts';
import { conclude, sayEnded } from '../convert/report.ts';
import { sayPreview } from '../convert/preview.ts';
import { mustSaveIn, wantedVoice } from '../check-first.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { openSession } from '../session.ts';
import { ToldError } from '../usage-error.ts';

const isConversion = (job: Job): job is ConversionJob => job.kind === 'conversion';

/** The folders that results go to beside their originals. Throws where one that was named is not there. */
async function sourceFolders({ words, messages: { cli } }: Invocation): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const word of words) {
    const seen = await stat(word).catch(() => undefined);
    if (!seen) throw new ToldError('input/missing', cli.noFile(word));
    folders.add(seen.isDirectory() ? resolve(word) : dirname(resolve(word)));
  }
  return [...folders];
}

export const convert: Run = async (invocation) => {
  const { words, flags, output, messages, signal, settings: app } = invocation;
  const settings = readSettings(invocation);
  const folders = await sourceFolders(invocation);
  const session = await openSession(invocation);
  const { core, connectionId, name } = session;
  try {
    const { document } = core.connections.get(connectionId);
    mustBeTaken(settings, document, connectionId === localConnectionId, invocation, name);
    if (flags['dry-run'] === true) return await sayPreview(words, invocation);
    const out = text(flags, 'out') ?? app.outputFolder;
    const outputFolder = out === null ? null : resolve(out);
    await mustSaveIn(outputFolder === null ? folders : [outputFolder], invocation);
    const voice = await wantedVoice(session, settings.voiceId, invocation);
    const { intake } = await core.queue();
    const { ids, leftOut } = await intake.add(
      words,
      {
        connection: { id: connectionId, name: document.name, document },
        voice,
        settings,
        outputFolder,
        nameTemplate: app.nameTemplate,
        audioName: text(flags, 'audio-name') ?? null,
        platform: text(flags, 'platform') ?? '',
      },
      signal,
    );
    if (leftOut > 0) output.remark(messages.convert.added({ added: 0, refused: 0, leftOut }));
    return await runJobs(session, ids, invocation, {
      onEnded(job) {
        if (isConversion(job)) sayEnded(job, output, messages);
      },
      conclude: ({ jobs, end }) => conclude(jobs.filter(isConversion), end, invocation),
    });
  } finally {
    await core.stop();
  }
};
