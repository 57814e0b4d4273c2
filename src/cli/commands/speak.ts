import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve, sep } from 'node:path';
import { unlessAborted } from '../../main/core/clock.ts';
import { readChunks } from '../../main/core/files/content.ts';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { BatchText } from '../../main/core/speech/speech-batch.ts';
import { decodeTextFile, readTextBytes } from '../../main/core/speech/text-file.ts';
import { AppError } from '../../shared/errors.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import type { ConnectionDocument } from '../../shared/schemas/connection.ts';
import {
  maxPauseSeconds,
  maxLanguageLength,
  type SpeechJobSettings,
  type SpeechSettings,
  usualPauses,
  type VoiceSettings,
} from '../../shared/schemas/speech.ts';
import { speechEngines, speechPlatforms } from '../../shared/operations.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import { templateFields } from '../../shared/text/name-template.ts';
import { labelledSpeakers } from '../../shared/text/speakers.ts';
import { isOutputFormat } from '../../sound/sound-format.ts';
import {
  type FlagSource,
  definedOnly,
  type Invocation,
  assertInRange,
  oneOf,
  positiveNumber,
  type Run,
  boundedText,
  seconds,
  textFlag,
  textFlags,
} from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence, UserError, usageError } from '../errors.ts';
import { prepareOutputFolders, resolveVoice, untilAnswered } from '../resolve-arguments.ts';
import { givenDivision, readBatchFiles, speakBatch } from './speak-batch.ts';
import { type BatchEnd, failureOf, runJobs } from '../run-jobs.ts';
import { printSpeechPreview } from './speak-preview.ts';
import { readSpeakers, resolveSpeakers } from '../speakers.ts';
import { openPresetSession } from '../session.ts';

/** The speech settings given as flags. */
export function readGivenSpeechSettings(source: FlagSource): Partial<VoiceSettings> {
  return definedOnly<VoiceSettings>({
    voiceId: boundedText(source, 'voice', 1024),
    language: boundedText(source, 'language', maxLanguageLength),
    speed: positiveNumber(source, 'speed'),
    pitch: positiveNumber(source, 'pitch'),
    engine: oneOf(source, 'engine', speechEngines),
    platform: oneOf(source, 'platform', speechPlatforms),
  });
}

function readSpeechFlags(source: FlagSource): Partial<VoiceSettings> {
  const given = readGivenSpeechSettings(source);
  if (given.voiceId === undefined && textFlag(source.flags, 'preset') === undefined) {
    throw usageError(source.messages.cli.usage.nameVoice);
  }
  return given;
}

/** Fills in the voice's language and the connection's default speed and pitch. */
function speechSettings(
  given: Partial<VoiceSettings>,
  voice: Voice,
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<FlagSource, 'messages'>,
): VoiceSettings {
  const language = given.language || voice.language;
  if (language.length > maxLanguageLength) throw usageError(cli.usage.nameLanguage);
  return {
    voiceId: voice.id,
    language,
    speed: given.speed ?? ranges.speed.default,
    pitch: given.pitch ?? ranges.pitch.default,
    engine: given.engine ?? 'v7',
    platform: given.platform ?? 'web',
  };
}

/** The pauses given as flags, if any is. */
function readPauses(source: FlagSource): Pick<SpeechSettings, 'pauses'> {
  const sentence = seconds(source, 'sentence-pause', maxPauseSeconds);
  const paragraph = seconds(source, 'paragraph-pause', maxPauseSeconds);
  if (sentence === undefined && paragraph === undefined) return {};
  return {
    pauses: { sentence: sentence ?? usualPauses.sentence, paragraph: paragraph ?? usualPauses.paragraph },
  };
}

/** Reads text from a file, a pipe such as `<(…)`, or from stdin if `path` is `-`. Throws `input/…` naming the path as typed. */
export async function readText(
  path: string,
  { cli }: CliMessages,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = decodeTextFile(await readTextBytes(path === '-' ? stdin : readChunks(path, signal)));
    signal.throwIfAborted();
    if (text === null) throw new AppError('input/not-text', 'no text');
    return text;
  } catch (error) {
    signal.throwIfAborted();
    throw readingError(error, name, { cli });
  }
}

/** Why a text could not be read, naming it as typed. */
function readingError(error: unknown, name: string, { cli }: Pick<CliMessages, 'cli'>): UserError {
  const code = error instanceof AppError ? error.code : 'input/unreadable';
  if (code === 'input/text-too-long') return new UserError(code, cli.speak.tooLong({ path: name }));
  if (code === 'input/not-a-file') return new UserError(code, cli.speak.notAFile({ path: name }));
  if (code === 'input/not-text') return new UserError(code, cli.speak.notUtf8({ path: name }));
  return new UserError('input/unreadable', cli.speak.noFile({ path: name }));
}

/** Where `--out FILE` saves the audio. `stem` has no audio extension, since the result determines it. */
interface OutTarget {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  readonly stem: string;
  /** Name template fields in the name, which the template would replace. */
  readonly fields: readonly string[];
}

/** True if the file has the extension given in `--out`, or none was given. */
export const matchesTargetExtension = (path: string, { path: target, stem }: OutTarget): boolean =>
  basename(target) === stem || extname(target).toLowerCase() === extname(path);

export function parseOut(out: string): OutTarget {
  const path = resolve(out);
  const ending = extname(path);
  const stem = isOutputFormat(ending.slice(1).toLowerCase()) ? basename(path, ending) : basename(path);
  return { path, folder: dirname(path), stem, fields: templateFields.filter((field) => stem.includes(field)) };
}

interface SpeechEnd {
  readonly job: Job;
  readonly end: BatchEnd;
  /** Undefined without `--out`. */
  readonly target: OutTarget | undefined;
  /** The message that the service sent along with the audio. */
  readonly message: string | null;
}

/** Where the audio was saved and, if that is not the target, why. */
function savedText(path: string, target: OutTarget | undefined, { cli }: CliMessages): string {
  if (!target || path === target.path || path === target.path + extname(path)) return path;
  return (matchesTargetExtension(path, target) ? cli.speak.renamed : cli.speak.otherFormat)({ path });
}

/** Reports the end of a speech job. */
export function summarizeSpeech(
  { job, end, target, message }: SpeechEnd,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): ExitCode {
  const sha256 = job.finished?.sha256 ?? null;
  if (job.state === 'done') {
    const path = job.output?.path ?? '';
    output.report(savedText(path, target, messages));
    if (message !== null) output.info(messages.app.serviceSaid({ words: message }));
    if (job.problem) output.info(sentence(messages, job.problem));
    output.event({
      event: 'result',
      output: path,
      sha256,
      message,
      ...(job.problem && { note: sentence(messages, job.problem) }),
    });
    return exitCodes.done;
  }
  const problem = failureOf(job, end);
  const text = problem
    ? sentence(messages, problem)
    : messages.job[job.state === 'cancelled' ? 'cancelled' : 'waiting'];
  output.error(text);
  if (!hasEnded(job)) output.error(messages.cli.runAgain);
  output.event({
    event: 'result',
    output: null,
    sha256,
    message: text,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code }),
  });
  if (end === 'shutdown' || job.state === 'cancelled') return exitCodes.cancelled;
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

const isNamedAsFolder = (path: string): boolean => path.endsWith('/') || path.endsWith(sep);

const isFolderAt = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

async function readTarget({ flags, messages: { cli, format } }: Invocation): Promise<OutTarget | undefined> {
  const out = textFlag(flags, 'out');
  if (out === undefined) return undefined;
  if (out === '' || isNamedAsFolder(out) || (await isFolderAt(out)))
    throw usageError(cli.speak.isFolder({ path: out }));
  const found = await stat(out).catch(() => undefined);
  if (found && !found.isFile()) throw usageError(cli.speak.isSpecial({ path: out }));
  const target = parseOut(out);
  if (target.fields.length > 0) throw usageError(cli.speak.hasField({ fields: format.list(target.fields) }));
  return target;
}

/** The folder of `--out` for several texts. A new one that is named as a sound file is a mistake. */
async function targetFolder({ flags, settings, messages: { cli } }: Invocation): Promise<string> {
  const out = textFlag(flags, 'out');
  if (out === undefined) return settings.outputFolder ?? process.cwd();
  const isSound = !isNamedAsFolder(out) && isOutputFormat(extname(out).slice(1).toLowerCase());
  if (isSound && !(await isFolderAt(out))) throw usageError(cli.speak.needsFolder({ path: out }));
  return resolve(out);
}

/** Files whose texts are spoken one by one, or that are more than plain text; none for a text that is spoken as it is. */
function batchPaths({ args, flags, messages }: Invocation): readonly string[] {
  const { usage } = messages.cli;
  const given = textFlags(flags, 'file');
  const division = givenDivision(flags);
  if (flags['split-chapters'] === true && flags['split-paragraphs'] === true) throw usageError(usage.splitOnce);
  if (given.length === 0) {
    if (division) throw usageError(usage.splitFile({ flag: `split-${division}` }));
    if (args.length > 1) throw usageError(usage.nameText);
    return [];
  }
  // A shell makes several arguments of `--file *.txt`.
  const files = [...given, ...args];
  if (division && files.includes('-')) throw usageError(usage.splitFile({ flag: `split-${division}` }));
  if (files.length > 1 && files.includes('-')) throw usageError(usage.nameText);
  const isBatch =
    files.length > 1 || division !== undefined || files.some((path) => /\.(?:md|srt|vtt|csv|tsv)$/i.test(path));
  return isBatch ? files : [];
}

/** The text from the argument, `--file`, or stdin, which is read without an argument unless it is a terminal. */
async function readSpeech({ args, flags, messages, signal }: Invocation): Promise<string> {
  const [file] = textFlags(flags, 'file');
  const [arg] = args;
  const isNamed = arg !== undefined || file !== undefined;
  if (!isNamed && process.stdin.isTTY) throw usageError(messages.cli.usage.nameText);
  if (arg !== undefined && arg !== '-') return arg;
  const path = file ?? '-';
  try {
    const read = await unlessAborted(readText(path, messages, process.stdin, signal), signal);
    if (!isNamed && read === '') throw usageError(messages.cli.usage.nameText);
    return read;
  } finally {
    // An open stdin would keep this process alive.
    if (path === '-') process.stdin.destroy();
  }
}

/** What a file of another format than plain text adds to the settings. */
const formatOf = (text: BatchText | undefined): Pick<SpeechJobSettings, 'textFormat' | 'title'> =>
  text ? { ...(text.textFormat !== null && { textFormat: text.textFormat }), title: text.title } : {};

export const speak: Run = async (invocation) => {
  const { settings: app } = invocation;
  const flags = readSpeechFlags(invocation);
  const pauses = readPauses(invocation);
  const paths = batchPaths(invocation);
  const texts = await readBatchFiles(paths, invocation, (error, path) =>
    readingError(error, path, invocation.messages),
  );
  const [only, second] = texts;
  // One file of another format is spoken as a text is, unless it was to be divided: then --out is a folder for any number of parts.
  const isSingle = only?.row === null && !second && givenDivision(invocation.flags) === undefined;
  const single = isSingle ? only : undefined;
  if (single?.problem) {
    const { code, facts } = single.problem;
    throw new AppError(code, 'not spoken', { ...single.problem, facts: { ...facts, file: single.file } });
  }
  const isBatch = texts.length > 0 && !single;
  const out = textFlag(invocation.flags, 'out') ?? '';
  const target = isBatch ? undefined : await untilAnswered(out, readTarget(invocation), invocation);
  const folder = isBatch ? await untilAnswered(out, targetFolder(invocation), invocation) : undefined;
  const speech = isBatch ? '' : (single?.text ?? (await readSpeech(invocation)));
  if (!isBatch && speech.trim() === '') {
    const [file = '-'] = textFlags(invocation.flags, 'file');
    throw new AppError('input/text-empty', 'no text', file === '-' ? {} : { facts: { file: basename(file) } });
  }
  // Speakers have lines in all but subtitles.
  const spoken = isBatch ? texts : [single ?? { text: speech, textFormat: null }];
  const lines = spoken.filter(({ textFormat }) => textFormat !== 'subtitles').map(({ text }) => text);
  const givenSpeakers = readSpeakers(invocation);
  const names = givenSpeakers.map((given) => given.name);
  const labelled = labelledSpeakers(lines.join('\n\n'), names);
  const missing = names.find((given) => !labelled.includes(given));
  if (missing !== undefined) throw usageError(invocation.messages.cli.usage.noLineOf({ name: missing }));
  let message: string | null = null;
  let sentences: string | null = null;
  const { ofSentences } = invocation.messages.job;
  const session = await openPresetSession(invocation, 'speech', {
    onSpoken: (spoken) => void (message = spoken),
    onProgress(progress) {
      if (progress.direction === 'speech')
        sentences = ofSentences({ done: progress.donePassages, total: progress.passages });
    },
  });
  const { core, connectionId, name } = session;
  try {
    const given = { ...session.preset, ...flags };
    const { document } = core.connections.get(connectionId);
    assertInRange(given, document, invocation, name);
    const outputFolder = target?.folder ?? folder ?? app.outputFolder ?? process.cwd();
    const isDryRun = invocation.flags['dry-run'] === true;
    if (!isDryRun) await prepareOutputFolders([outputFolder], invocation);
    const voice = await resolveVoice(session, given.voiceId ?? '', invocation);
    const speakers = await resolveSpeakers(givenSpeakers, session, invocation);
    const { assertSpoken, jobSettings } = await import('../../main/core/speech/spoken-passages.ts');
    const { readPronunciations } = await import('../../main/core/speech/pronunciations.ts');
    const own = speechSettings(given, voice, document, invocation);
    // Without --language, each speaker speaks the language of their voice.
    const settings = { ...own, language: given.language ?? '', speakers, ...pauses, ...formatOf(single) };
    const findVoice = (id: string) => core.voices.get(connectionId, id);
    const list = readPronunciations(invocation.dataFolder);
    const request = {
      connection: { id: connectionId, name: document.name, document },
      voice,
      settings: isBatch ? settings : await jobSettings(speech, settings, voice, findVoice, list),
      outputFolder,
      nameTemplate: target?.stem ?? app.nameTemplate,
    };
    if (isBatch) return await speakBatch(session, { texts, request, pronunciations: list }, invocation);
    await assertSpoken(speech, request.settings, document.limits.maxTextLength);
    if (isDryRun) {
      const place = single ? { source: single.file, title: single.title } : {};
      const text = { name: null, place, text: speech, settings: request.settings, problem: null };
      return await printSpeechPreview(session, [text], invocation);
    }
    const { submitJobs } = await core.queue();
    const { id } = (await submitJobs.resumeSpeech(speech, request)) ?? submitJobs.addSpeech(speech, request);
    return await runJobs(session, [id], invocation, {
      onEnded: () => undefined,
      detail: () => sentences,
      summarize({ jobs: [job], end }) {
        if (!job) throw new AppError('job/not-found', `job ${id} is gone`);
        return summarizeSpeech({ job, end, target, message }, invocation);
      },
    });
  } finally {
    await core.stop();
  }
};
