import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import { type ConversionJob, hasEnded, type Job } from '../../main/core/jobs/job.ts';
import { findSoundFiles } from '../../main/core/jobs/source-files.ts';
import type { Problem } from '../../shared/errors.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { ConnectionDocument } from '../../shared/schemas/connection.ts';
import {
  changerEngines,
  type ConversionSettings,
  defaultSettings,
  isOutputFormat,
  localPitchControls,
  type OutputFormat,
  outputFormats,
} from '../../shared/schemas/settings.ts';
import { inspectSound } from '../../sound/inspect-sound.ts';
import {
  type FlagSource,
  givenOf,
  type Invocation,
  mustBeInRange,
  oneOf,
  positiveNumber,
  type Run,
  shortText,
  text,
} from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence, UserError, usageError } from '../errors.ts';
import type { Output } from '../output.ts';
import { mustSaveIn, wantedVoice } from '../preflight.ts';
import { type BatchEnd, failureOf, runJobs } from '../run-jobs.ts';
import { openSession } from '../session.ts';

/** A format that a voice lists is taken as it is written; ours may be written without their dot. */
function readFormat({ flags, messages }: FlagSource): OutputFormat | undefined {
  const given = text(flags, 'format');
  if (given === undefined) return undefined;
  const written = given.toLowerCase() === 'same' ? 'same' : given.startsWith('.') ? given : `.${given}`;
  const format = outputFormats.find((one) => one === written.toLowerCase()) ?? written;
  if (isOutputFormat(format)) return format;
  throw usageError(messages.cli.usage.oneOf('format', outputFormats.join(', '), given));
}

/** What of a conversion was given in flags. */
export function readChanges(asked: FlagSource): Partial<ConversionSettings> {
  const { flags } = asked;
  const autoF0 = flags['auto-f0'];
  return givenOf<ConversionSettings>({
    voiceId: shortText(asked, 'voice', 1024),
    pitch: positiveNumber(asked, 'pitch'),
    speed: positiveNumber(asked, 'speed'),
    pitchControl: shortText(asked, 'pitch-control', 256),
    autoF0: typeof autoF0 === 'boolean' ? autoF0 : undefined,
    engine: oneOf(asked, 'engine', changerEngines),
    format: readFormat(asked),
  });
}

/** What a conversion is asked for with, from flags and the defaults of a fresh start. */
export function readSettings(asked: FlagSource): ConversionSettings {
  const { voiceId, ...given } = readChanges(asked);
  if (voiceId === undefined) throw usageError(asked.messages.cli.usage.nameVoice);
  return { ...defaultSettings.conversion, voiceId, ...given };
}

/** Refuses what the connection, which people call `name`, does not take, before anything is sent. */
export function mustBeTaken(
  given: Partial<Pick<ConversionSettings, 'pitch' | 'speed' | 'pitchControl' | 'format'>>,
  document: ConnectionDocument,
  isLocal: boolean,
  asked: Pick<FlagSource, 'messages'>,
  name: string,
): void {
  mustBeInRange(given, document, asked, name);
  const { pitchControl, format } = given;
  if (isLocal && format !== undefined && !(outputFormats as readonly string[]).includes(format)) {
    throw usageError(asked.messages.cli.usage.oneOf('format', outputFormats.join(', '), format));
  }
  const known: readonly string[] = localPitchControls;
  if (isLocal && pitchControl !== undefined && !known.includes(pitchControl)) {
    const choices = known.filter((word) => word !== '').join(', ');
    throw usageError(asked.messages.cli.usage.oneOf('pitch-control', choices, pitchControl));
  }
}

type ReportedRun = readonly ConversionJob[];

/** One job as a program reads it. */
function toResult(job: ConversionJob, end: BatchEnd, messages: Messages): Readonly<Record<string, unknown>> {
  const problem = failureOf(job, end);
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

/** One line of what came of a job that has ended. */
export function sayEnded(job: ConversionJob, output: Output, messages: Messages): void {
  const name = basename(job.source.path);
  if (job.state === 'done') output.report(`${name} -> ${job.output?.path ?? ''}`);
  else output.complain(`${name}: ${job.problem ? sentence(messages, job.problem) : messages.job.cancelled}`);
}

/** That of the first job that is not done. */
function exitOf(jobs: ReportedRun, end: BatchEnd): ExitCode {
  const failed = jobs.find(({ state }) => state !== 'done');
  if (!failed) return exitCodes.done;
  if (failed.state === 'cancelled') return exitCodes.cancelled;
  const problem = failureOf(failed, end);
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

/** The end of a batch. Those of it that have ended were told one by one. */
export function conclude(
  jobs: ReportedRun,
  end: BatchEnd,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): ExitCode {
  const pause = end === 'left' ? null : end;
  const waiting = jobs.filter((job) => !hasEnded(job));
  if (pause) for (const job of waiting) output.complain(`${basename(job.source.path)}: ${messages.job.waiting}`);
  if (pause?.problem) output.complain(sentence(messages, pause.problem));
  if (waiting.length > 0) output.complain(messages.cli.runAgain);
  output.event({ event: 'result', outputs: jobs.map((job) => toResult(job, end, messages)) });
  return end === 'left' ? exitCodes.cancelled : exitOf(jobs, end);
}

/** A file that would be converted, or why not. `seconds` null: nobody knows before it is decoded. */
export interface PreviewFile {
  readonly path: string;
  readonly seconds: number | null;
  readonly problem: Problem | null;
}

async function lookAt(path: string, signal: AbortSignal): Promise<PreviewFile> {
  const found = await inspectSound(path, { signal });
  if (found.kind !== 'problem') return { path, seconds: found.durationSeconds ?? null, problem: null };
  const facts = { name: basename(path), ending: extname(path).slice(1).toLowerCase(), ...found.facts };
  return { path, seconds: null, problem: { code: found.code, facts } };
}

/** A line each, then all in one. */
export function sayFiles(
  files: readonly PreviewFile[],
  { count, seconds }: { readonly count: number; readonly seconds: number },
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): void {
  const { format, watch, cli } = messages;
  for (const { path, seconds: length, problem } of files) {
    if (problem) output.complain(`${path}: ${sentence(messages, problem)}`);
    else output.say(`${path}  ${length === null ? '?' : format.length(length)}`);
  }
  if (count === 0) output.say(watch.preview.none);
  else output.say(cli.watch.wouldConvert(count, seconds));
}

/** `timbre convert --dry-run`: what would be converted. Nothing is sent, and nothing is written. */
async function sayPreview(words: readonly string[], invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const files: PreviewFile[] = [];
  for (const word of words) {
    const path = resolve(word);
    const isFolder = (await stat(path)).isDirectory();
    const inside = isFolder ? (await findSoundFiles(path, signal)).files.map((file) => file.path) : [path];
    for (const each of inside) files.push(await lookAt(each, signal));
  }
  const good = files.filter(({ problem }) => problem === null);
  const seconds = good.reduce((sum, file) => sum + (file.seconds ?? 0), 0);
  sayFiles(files, { count: good.length, seconds }, invocation);
  output.event({ event: 'preview', files, count: good.length, seconds });
  return good.length === files.length ? exitCodes.done : exitCodes.input;
}

const isConversion = (job: Job): job is ConversionJob => job.kind === 'conversion';

/** The folders that results go to beside their originals. Throws where one that was named is not there. */
async function sourceFolders({ words, messages: { cli } }: Invocation): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const word of words) {
    const seen = await stat(word).catch(() => undefined);
    if (!seen) throw new UserError('input/missing', cli.noFile(word));
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
    const { submitJobs } = await core.queue();
    const { ids, leftOut } = await submitJobs.add(
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
