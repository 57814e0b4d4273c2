import { resolve } from 'node:path';
import { systemClock } from '../../main/core/clock.ts';
import { localConnectionId } from '../../main/core/connections/local-connection.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import type { Queue } from '../../main/core/jobs/open-queue.ts';
import { settledOrStuck } from '../../main/core/jobs/settled.ts';
import { unlessAborted } from '../../main/core/unless-aborted.ts';
import { defaultNameTemplate } from '../../shared/name-template.ts';
import type { Pause } from '../../shared/wire/pause.ts';
import { text, type Command, type Invocation } from '../command.ts';
import { followJobs } from '../convert/follow-jobs.ts';
import { readSettings } from '../convert/read-settings.ts';
import { conclude } from '../convert/report.ts';
import type { ExitCode } from '../exit-code.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

/** The end of a batch: what holds up the rest of it, or `left` where the process was told to go. */
async function untilOver(
  queue: Queue,
  ids: readonly string[],
  signal: AbortSignal,
  leaving: AbortSignal,
): Promise<Pause | 'left' | null> {
  try {
    return await settledOrStuck({ ...queue, clock: systemClock, signal: AbortSignal.any([signal, leaving]) }, ids);
  } catch (error) {
    if (leaving.aborted) return 'left';
    throw error;
  }
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, output, messages, entryFolder, signal, leaving } = invocation;
  if (words.length === 0) throw usageError('Name at least one recording or folder: timbre convert FILE --voice ID.');
  const settings = readSettings(flags);
  const { core, connectionId } = await openSession({
    connection: text(flags, 'connection'),
    dataFolder: text(flags, 'data-dir'),
    entryFolder,
  });
  try {
    const voice = await unlessAborted(core.voices.voice(connectionId, settings.voiceId), signal);
    const { document } = core.connections.get(connectionId);
    const out = text(flags, 'out');
    const queue = await core.queue();
    const { store, intake, runner } = queue;
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
    const { maxConcurrent } = document.limits;
    const name = connectionId === localConnectionId ? messages.connection.thisComputer : document.name;
    const connection = { id: connectionId, name, maxConcurrent };
    const takeBack = () => {
      if (!leaving.aborted) ids.forEach(runner.cancel);
    };
    signal.addEventListener('abort', takeBack);
    // Ctrl-C may have come while the last rows were written.
    if (signal.aborted) takeBack();
    // A new command is a new try: what held the last one up may be over.
    runner.resume(connectionId);
    runner.resume(null);
    const endFollowing = followJobs({ queue, ids, clock: systemClock, connection }, invocation);
    runner.start();
    const end = await untilOver(queue, ids, core.signal, leaving);
    endFollowing();
    const jobs = ids.map((id) => store.get(id)).filter((job) => job?.kind === 'conversion');
    const code = conclude(jobs, end, invocation);
    // What has not ended is asked for again by the same command.
    store.told(jobs.filter(hasEnded).map(({ id }) => id));
    return code;
  } finally {
    await core.stop();
  }
}

export const convert: Command = {
  usage: 'timbre convert FILE|DIR... --voice ID [--out DIR] [--pitch N] [--speed N] [--format .mp3]',
  purpose: 'convert recordings; without --out each result goes beside its original',
  options: {
    voice: { type: 'string' },
    out: { type: 'string' },
    pitch: { type: 'string' },
    speed: { type: 'string' },
    engine: { type: 'string' },
    format: { type: 'string' },
    'pitch-control': { type: 'string' },
    'auto-f0': { type: 'boolean' },
    'audio-name': { type: 'string' },
    platform: { type: 'string' },
  },
  run,
};
