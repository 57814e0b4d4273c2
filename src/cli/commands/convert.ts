import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type ConversionJob, hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Finding } from '../../main/core/jobs/find-recordings.ts';
import type { Preflight } from '../../main/core/jobs/source-files.ts';
import type { JobRequest } from '../../main/core/jobs/new-job.ts';
import type { LeftOut } from '../../main/core/jobs/submit-jobs.ts';
import { AppError, type Problem } from '../../shared/errors.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import { type ConnectionDocument, localConnectionId } from '../../shared/schemas/connection.ts';
import {
  type ConversionSettings,
  defaultSettings,
  isOutputFormat,
  localPitchControls,
  type OutputFormat,
  outputFormats,
} from '../../shared/schemas/settings.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import type { WatchPreview } from '../../shared/schemas/watch.ts';
import { changerEngines } from '../../shared/operations.ts';
import {
  type FlagSource,
  definedOnly,
  type Invocation,
  assertInRange,
  oneOf,
  positiveNumber,
  type Run,
  boundedText,
  textFlag,
} from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence, UserError, usageError } from '../errors.ts';
import type { Output } from '../output.ts';
import { checkVoice, prepareOutputFolders, resolveVoice, untilAnswered } from '../resolve-arguments.ts';
import { type BatchEnd, failureOf, runJobs } from '../run-jobs.ts';
import { openPresetSession, type Session } from '../session.ts';

/** As of the same fields of a connection. A service takes no longer ones. */
const maxFieldLength = 256;

/** A format from the voice's list is used as typed; the built-in ones may omit the dot. */
function readFormat({ flags, messages }: FlagSource): OutputFormat | undefined {
  const given = textFlag(flags, 'format');
  if (given === undefined) return undefined;
  const written = given.toLowerCase() === 'same' ? 'same' : given.startsWith('.') ? given : `.${given}`;
  const format = outputFormats.find((one) => one === written.toLowerCase()) ?? written;
  if (isOutputFormat(format)) return format;
  throw usageError(messages.cli.usage.oneOf({ flag: 'format', choices: outputFormats.join(', '), given }));
}

/** The conversion settings given as flags. */
export function readGivenSettings(source: FlagSource): Partial<ConversionSettings> {
  const { flags } = source;
  const autoF0 = flags['auto-f0'];
  return definedOnly<ConversionSettings>({
    voiceId: boundedText(source, 'voice', 1024),
    pitch: positiveNumber(source, 'pitch'),
    speed: positiveNumber(source, 'speed'),
    pitchControl: boundedText(source, 'pitch-control', 256),
    autoF0: typeof autoF0 === 'boolean' ? autoF0 : undefined,
    engine: oneOf(source, 'engine', changerEngines),
    format: readFormat(source),
  });
}

/** Conversion settings from flags. Throws a usage error without a voice or a preset that has one. */
export function readSettingsFlags(source: FlagSource): Partial<ConversionSettings> {
  const given = readGivenSettings(source);
  if (given.voiceId === undefined && textFlag(source.flags, 'preset') === undefined) {
    throw usageError(source.messages.cli.usage.nameVoice);
  }
  return given;
}

/** All settings of a conversion: flags win over the preset, and the preset over the app's built-in defaults. */
export const conversionSettings = (
  given: Partial<ConversionSettings>,
  preset: ConversionSettings | undefined,
): ConversionSettings => ({ ...(preset ?? defaultSettings.conversion), ...given });

/** Throws a usage error for settings that the connection does not support. `name` is its display name. */
export function assertSupported(
  given: Partial<Pick<ConversionSettings, 'pitch' | 'speed' | 'pitchControl' | 'format'>>,
  document: ConnectionDocument,
  isLocal: boolean,
  source: Pick<FlagSource, 'messages'>,
  name: string,
): void {
  assertInRange(given, document, source, name);
  const { pitchControl, format } = given;
  if (isLocal && format !== undefined && !(outputFormats as readonly string[]).includes(format)) {
    throw usageError(
      source.messages.cli.usage.oneOf({ flag: 'format', choices: outputFormats.join(', '), given: format }),
    );
  }
  const known: readonly string[] = localPitchControls;
  if (isLocal && pitchControl !== undefined && !known.includes(pitchControl)) {
    const choices = known.filter((word) => word !== '').join(', ');
    throw usageError(source.messages.cli.usage.oneOf({ flag: 'pitch-control', choices, given: pitchControl }));
  }
}

/** The `--json` object for a job and the recording that it answers for, which may have another name by now. */
function toResult(
  job: ConversionJob,
  end: BatchEnd,
  messages: CliMessages,
  source = job.source.path,
): Readonly<Record<string, unknown>> {
  const problem = failureOf(job, end);
  return {
    source,
    output: job.state === 'done' ? (job.output?.path ?? null) : null,
    taskId: job.taskId,
    sha256: job.finished?.sha256 ?? null,
    processingTime: job.processingTime,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code, message: sentence(messages, problem) }),
  };
}

/** Prints one line about a job that has ended. */
export function reportEnd(job: ConversionJob, output: Output, messages: CliMessages): void {
  const name = basename(job.source.path);
  if (job.state === 'done') output.report(`${name} -> ${job.output?.path ?? ''}`);
  else output.error(`${name}: ${job.problem ? sentence(messages, job.problem) : messages.job.cancelled}`);
}

/** The exit code of the first job that is not done. */
function exitOf(jobs: readonly ConversionJob[], end: BatchEnd): ExitCode {
  const failed = jobs.find(({ state }) => state !== 'done');
  if (!failed) return exitCodes.done;
  if (failed.state === 'cancelled') return exitCodes.cancelled;
  const problem = failureOf(failed, end);
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

const nothingLeftOut: LeftOut = { made: new Map(), elsewhere: new Map() };

/** Names each recording that is left out, and why. */
function reportLeftOut(
  { made, elsewhere }: LeftOut,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): void {
  for (const [path, job] of made)
    output.report(messages.cli.convert.known({ name: basename(path), path: job.output?.path ?? '' }));
  for (const path of elsewhere.keys())
    output.error(`${basename(path)}: ${sentence(messages, { code: 'job/elsewhere' })}`);
}

/** The `--json` objects of recordings that are left out. */
function leftOutResults(
  { made, elsewhere }: LeftOut,
  messages: CliMessages,
): readonly Readonly<Record<string, unknown>>[] {
  const problem = { code: 'job/elsewhere', message: sentence(messages, { code: 'job/elsewhere' }) } as const;
  return [
    ...[...made].map(([path, job]) => ({ ...toResult(job, null, messages, path), alreadyConverted: true })),
    ...[...elsewhere].map(([path, job]) => ({ ...toResult(job, null, messages, path), ...problem })),
  ];
}

/** Reports the end of a batch. Jobs that have ended and recordings that were left out were already reported one by one. */
export function summarize(
  jobs: readonly ConversionJob[],
  end: BatchEnd,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
  leftOut = nothingLeftOut,
): ExitCode {
  const pause = end === 'shutdown' ? null : end;
  const waiting = jobs.filter((job) => !hasEnded(job));
  if (pause) for (const job of waiting) output.error(`${basename(job.source.path)}: ${messages.job.waiting}`);
  if (pause?.problem) output.error(sentence(messages, pause.problem));
  if (waiting.length > 0) output.error(messages.cli.runAgain);
  const { made, elsewhere } = leftOut;
  if (made.size > 0) output.info(messages.cli.convert.knownAll({ n: made.size }));
  output.event({
    event: 'result',
    outputs: [...leftOutResults(leftOut, messages), ...jobs.map((job) => toResult(job, end, messages))],
    alreadyConverted: made.size,
  });
  if (end === 'shutdown') return exitCodes.cancelled;
  const code = exitOf(jobs, end);
  return code === exitCodes.done && elsewhere.size > 0 ? exitCodeOf('job/elsewhere') : code;
}

/** A file that would be converted, or why not. `seconds` is null if the duration is unknown until it is decoded. */
interface PreviewFile {
  readonly path: string;
  readonly seconds: number | null;
  readonly problem: Problem | null;
}

/** Prints the files that would be converted, one a line, then the totals. */
export function printPreviewFiles(
  files: readonly PreviewFile[],
  { count, texts, seconds }: Pick<WatchPreview, 'count' | 'texts' | 'seconds'>,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
  toSentence = sentence,
): void {
  const { format, watch, cli } = messages;
  for (const { path, seconds: length, problem } of files) {
    if (problem) output.error(`${path}: ${toSentence(messages, problem)}`);
    else output.print(`${path}  ${length === null ? '?' : format.length(length)}`);
  }
  if (count + texts === 0) output.print(watch.preview.none);
  else if (texts === 0) output.print(cli.watch.wouldConvert({ recordings: count, seconds }));
  else if (count === 0) output.print(cli.watch.wouldSpeak({ texts, seconds }));
  else output.print(cli.watch.wouldDoBoth({ recordings: count, texts, seconds }));
}

/** What the flags and the connection have been resolved to. */
interface Conversion<V> extends Pick<JobRequest, 'audioName' | 'platform'> {
  readonly settings: ConversionSettings;
  readonly voice: V;
  readonly outputFolder: string | null;
}

function jobRequest(
  { core, connectionId }: Session,
  conversion: Conversion<Voice>,
  { settings: { nameTemplate } }: Invocation,
): JobRequest {
  const { document } = core.connections.get(connectionId);
  return {
    ...conversion,
    connection: { id: connectionId, name: document.name, document },
    nameTemplate,
  };
}

/**
 * `timbre convert --dry-run`: lists what would be converted. No file is sent, and no job is added. Without the voice, which the
 * service may not tell, nothing counts as converted already.
 */
async function printPreview(
  session: Session,
  { voice, ...conversion }: Conversion<Voice | null>,
  invocation: Invocation,
): Promise<ExitCode> {
  const { core, connectionId } = session;
  const { args, flags, output, messages, signal } = invocation;
  const { settings } = conversion;
  const { checkSource, submitJobs } = await core.queue();
  const { document } = core.connections.get(connectionId);
  async function check({ source, problem }: Finding): Promise<PreviewFile> {
    const { path } = source;
    if (problem) return { path, seconds: null, problem };
    const checked = await checkSource(
      { source: { ...source, snapshot: null }, settings, connection: { document } },
      signal,
    ).catch((error: unknown): Preflight => {
      if (error instanceof AppError && error.code === 'input/disk-silent')
        return { kind: 'problem', problem: error.problem };
      throw error;
    });
    return checked.kind === 'problem'
      ? { path, seconds: null, problem: checked.problem }
      : { path, seconds: checked.change.durationSeconds, problem: null };
  }
  const left =
    voice && flags['again'] !== true
      ? await submitJobs.findLeftOut(args, jobRequest(session, { ...conversion, voice }, invocation), signal)
      : nothingLeftOut;
  const { findings, ignored } = await submitJobs.find(args, signal);
  const files: PreviewFile[] = [];
  for (const finding of findings) {
    const { path } = finding.source;
    if (!left.made.has(path) && !left.elsewhere.has(path)) files.push(await check(finding));
  }
  reportLeftOut(left, invocation);
  const good = files.filter(({ problem }) => problem === null);
  const seconds = good.reduce((sum, file) => sum + (file.seconds ?? 0), 0);
  printPreviewFiles(files, { count: good.length, texts: 0, seconds }, invocation);
  if (ignored > 0) output.info(messages.convert.ignored({ n: ignored }));
  output.event({ event: 'preview', files, count: good.length, seconds, ignored, alreadyConverted: left.made.size });
  return good.length === files.length ? exitCodes.done : exitCodes.input;
}

const isConversion = (job: Job): job is ConversionJob => job.kind === 'conversion';

/** The folders of the originals, where results are saved by default. Throws `input/missing` for an argument that does not exist. */
async function sourceFolders(invocation: Invocation): Promise<readonly string[]> {
  const { args, messages } = invocation;
  const folders = new Set<string>();
  for (const arg of args) {
    const found = await untilAnswered(
      arg,
      stat(arg).catch(() => undefined),
      invocation,
    );
    if (!found) throw new UserError('input/missing', messages.cli.noFile({ path: arg }));
    folders.add(found.isDirectory() ? resolve(arg) : dirname(resolve(arg)));
  }
  return [...folders];
}

export const convert: Run = async (invocation) => {
  const { args, flags, output, messages, signal, settings: app } = invocation;
  const given = readSettingsFlags(invocation);
  const fields = {
    audioName: boundedText(invocation, 'audio-name', maxFieldLength) ?? null,
    platform: boundedText(invocation, 'platform', maxFieldLength) ?? '',
  };
  const folders = await sourceFolders(invocation);
  const session = await openPresetSession(invocation, 'conversion');
  const { core, connectionId, name } = session;
  try {
    const settings = conversionSettings(given, session.preset);
    const { document } = core.connections.get(connectionId);
    const out = textFlag(flags, 'out') ?? app.outputFolder;
    const outputFolder = out === null ? null : resolve(out);
    assertSupported(settings, document, connectionId === localConnectionId, invocation, name);
    if (flags['dry-run'] === true) {
      const voice = await checkVoice(session, settings.voiceId, invocation);
      const chosen = { ...settings, voiceId: voice?.id ?? settings.voiceId };
      return await printPreview(session, { ...fields, settings: chosen, voice, outputFolder }, invocation);
    }
    await prepareOutputFolders(outputFolder === null ? folders : [outputFolder], invocation);
    const voice = await resolveVoice(session, settings.voiceId, invocation);
    const chosen = { ...settings, voiceId: voice.id };
    const request = jobRequest(session, { ...fields, settings: chosen, voice, outputFolder }, invocation);
    const { submitJobs } = await core.queue();
    const added =
      flags['again'] === true
        ? { ...(await submitJobs.add(args, request, signal)), ...nothingLeftOut }
        : await submitJobs.addMissing(args, request, signal);
    const { ids, ignored } = added;
    if (ignored > 0) output.info(messages.convert.ignored({ n: ignored }));
    reportLeftOut(added, invocation);
    if (ids.length === 0) return summarize([], null, invocation, added);
    return await runJobs(session, ids, invocation, {
      onEnded(job) {
        if (isConversion(job)) reportEnd(job, output, messages);
      },
      summarize: ({ jobs, end }) => summarize(jobs.filter(isConversion), end, invocation, added),
    });
  } finally {
    await core.stop();
  }
};
