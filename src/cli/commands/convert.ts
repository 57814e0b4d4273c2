import { basename, resolve } from 'node:path';
import { systemClock } from '../../main/core/clock.ts';
import { hasEnded, type ConversionJob, type Job } from '../../main/core/jobs/job.ts';
import { settledOrStuck } from '../../main/core/jobs/settled.ts';
import { defaultNameTemplate } from '../../shared/name-template.ts';
import type { Problem } from '../../shared/problem.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { Pause } from '../../shared/wire/pause.ts';
import { changerEngines, outputFormats, type ConversionSettings } from '../../shared/wire/settings.ts';
import { text, type Command, type Flags, type Invocation } from '../command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { oneOf, positiveNumber } from '../read-flags.ts';
import { sentence } from '../sentence.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

function readSettings(flags: Flags): ConversionSettings {
  const { conversion } = defaultSettings;
  const voiceId = text(flags, 'voice');
  if (voiceId === undefined) throw usageError('Name a voice with --voice ID. "timbre voices list" shows them all.');
  return {
    voiceId,
    pitch: positiveNumber(flags, 'pitch') ?? conversion.pitch,
    speed: positiveNumber(flags, 'speed') ?? conversion.speed,
    pitchControl: text(flags, 'pitch-control') ?? conversion.pitchControl,
    autoF0: flags['auto-f0'] !== false,
    engine: oneOf(flags, 'engine', changerEngines) ?? conversion.engine,
    format: oneOf(flags, 'format', outputFormats) ?? conversion.format,
  };
}

type Asked = readonly ConversionJob[];

/** What a job that has not ended is held up by; null for one that has. */
const heldUp = (job: Job, pause: Pause | null): Problem | null =>
  hasEnded(job) ? job.problem : (pause?.problem ?? job.problem);

/** One job as a program reads it. */
function toResult(
  job: ConversionJob,
  pause: Pause | null,
  { messages }: Invocation,
): Readonly<Record<string, unknown>> {
  const problem = heldUp(job, pause);
  return {
    source: job.source.path,
    output: job.state === 'done' ? (job.output?.path ?? null) : null,
    taskId: job.taskId,
    sha256: job.finished?.sha256 ?? null,
    processingTime: job.processingTime,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code, message: sentence(messages, problem) }),
  };
}

function announce(jobs: Asked, pause: Pause | null, { output, messages }: Invocation): void {
  for (const job of jobs) {
    const name = basename(job.source.path);
    const problem = heldUp(job, pause);
    if (job.state === 'done') output.say(`${name} -> ${job.output?.path ?? ''}`);
    else if (!hasEnded(job)) output.complain(`${name}: ${messages.job.waiting}`);
    else output.complain(`${name}: ${problem ? sentence(messages, problem) : job.state}`);
  }
  if (!pause) return;
  if (pause.problem) output.complain(sentence(messages, pause.problem));
  output.complain(messages.cli.runAgain);
}

/** That of the first job that is not done. */
function exitOf(jobs: Asked, pause: Pause | null): ExitCode {
  const failed = jobs.find(({ state }) => state !== 'done');
  if (!failed) return exitCodes.done;
  if (failed.state === 'cancelled') return exitCodes.cancelled;
  const problem = heldUp(failed, pause);
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

/** What came of the jobs: held up by `pause`, or ended, all of them. */
function conclude(jobs: Asked, pause: Pause | null, invocation: Invocation): ExitCode {
  announce(jobs, pause, invocation);
  invocation.output.event({ event: 'result', outputs: jobs.map((job) => toResult(job, pause, invocation)) });
  return exitOf(jobs, pause);
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, output, messages, entryFolder, signal } = invocation;
  if (words.length === 0) throw usageError('Name at least one recording or folder: timbre convert FILE --voice ID.');
  const settings = readSettings(flags);
  const { core, connectionId } = await openSession({
    connection: text(flags, 'connection'),
    dataFolder: text(flags, 'data-dir'),
    entryFolder,
  });
  try {
    signal.throwIfAborted();
    const voice = await core.voices.voice(connectionId, settings.voiceId);
    const { document } = core.connections.get(connectionId);
    const out = text(flags, 'out');
    const { store, pauses, intake, runner } = await core.queue();
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
    const asked = new Set(ids);
    store.onNews((news) => {
      if (news.kind !== 'put') return;
      for (const job of news.jobs) {
        if (asked.has(job.id) && job.kind === 'conversion')
          output.event({ event: 'job', source: job.source.path, state: job.state });
      }
    });
    signal.addEventListener('abort', () => ids.forEach(runner.cancel));
    // A new command is a new try: what held the last one up may be over.
    runner.resume(connectionId);
    runner.resume(null);
    runner.start();
    const pause = await settledOrStuck({ store, pauses, clock: systemClock, signal: core.signal }, ids);
    const jobs = ids.map((id) => store.get(id)).filter((job) => job?.kind === 'conversion');
    if (leftOut > 0) output.say(messages.convert.added({ added: 0, refused: 0, leftOut }));
    const code = conclude(jobs, pause, invocation);
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
