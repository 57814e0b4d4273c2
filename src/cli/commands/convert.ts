import { basename, resolve } from 'node:path';
import type { Job } from '../../main/core/jobs/job.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
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

/** One job as a program reads it. */
function toResult(job: Job, { messages }: Invocation): Readonly<Record<string, unknown>> {
  const { source, outputPath: output, taskId, outputSha256: sha256, processingTime, state: status, problem } = job;
  const failure = problem && { code: problem.code, message: sentence(messages, problem) };
  return { source: source.path, output, taskId, sha256, processingTime, status, ...failure };
}

function announce(jobs: readonly Job[], { output, messages }: Invocation): void {
  for (const job of jobs) {
    const name = basename(job.source.path);
    if (job.outputPath) output.say(`${name} -> ${job.outputPath}`);
    else if (job.problem) output.complain(`${name}: ${sentence(messages, job.problem)}`);
    else output.complain(`${name}: ${job.state}`);
  }
}

/** That of the first job that is not done. */
function exitOf(jobs: readonly Job[]): ExitCode {
  const failed = jobs.find(({ state }) => state !== 'done');
  if (!failed) return exitCodes.done;
  if (failed.state === 'cancelled') return exitCodes.cancelled;
  return failed.problem ? exitCodeOf(failed.problem.code) : exitCodes.other;
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
    const out = text(flags, 'out');
    const { ids, leftOut } = await core.intake.add(
      words,
      {
        connectionId,
        connectionName: core.connections.get(connectionId).document.name,
        voice,
        settings,
        outputFolder: out === undefined ? null : resolve(out),
        audioName: text(flags, 'audio-name') ?? null,
        platform: text(flags, 'platform') ?? '',
      },
      signal,
    );
    const stopTelling = core.store.onNews((news) => {
      if (news.kind !== 'put') return;
      for (const { source, state } of news.jobs) output.event({ event: 'job', source: source.path, state });
    });
    signal.addEventListener('abort', () => ids.forEach(core.runner.cancel));
    core.start();
    const jobs = await core.runner.settled(ids);
    stopTelling();
    announce(jobs, invocation);
    if (leftOut > 0) output.say(messages.convert.added({ added: 0, refused: 0, leftOut }));
    output.event({ event: 'result', outputs: jobs.map((job) => toResult(job, invocation)) });
    return exitOf(jobs);
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
