import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve, sep } from 'node:path';
import { unlessAborted } from '../../main/core/clock.ts';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import { readText as readChunks } from '../../main/core/speech-draft.ts';
import { AppError } from '../../shared/errors.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { ConnectionDocument } from '../../shared/schemas/connection.ts';
import { speechEngines, speechPlatforms, type SpeechSettings } from '../../shared/schemas/speech.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import { templateFields } from '../../shared/text/name-template.ts';
import { isOutputFormat } from '../../sound/sound-format.ts';
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
import { mustSaveIn, wantedVoice } from '../preflight.ts';
import { type BatchEnd, failureOf, runJobs } from '../run-jobs.ts';
import { openSession } from '../session.ts';

/** The longest tag that is stored with a job. */
const languageLength = 64;

/** What of a piece of speech was given in flags, for which no service is needed. */
export function readSpeechChanges(asked: FlagSource): Partial<SpeechSettings> {
  return givenOf<SpeechSettings>({
    voiceId: shortText(asked, 'voice', 1024),
    language: shortText(asked, 'language', languageLength),
    speed: positiveNumber(asked, 'speed'),
    pitch: positiveNumber(asked, 'pitch'),
    engine: oneOf(asked, 'engine', speechEngines),
    platform: oneOf(asked, 'platform', speechPlatforms),
  });
}

type SpeechGiven = Partial<SpeechSettings> & Pick<SpeechSettings, 'voiceId'>;

function readSpeechFlags(asked: FlagSource): SpeechGiven {
  const { voiceId, ...given } = readSpeechChanges(asked);
  if (voiceId === undefined) throw usageError(asked.messages.cli.usage.nameVoice);
  return { ...given, voiceId };
}

/** What is left out is the voice's language, and the connection's usual speed and pitch. */
function speechSettings(
  given: SpeechGiven,
  voice: Voice,
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<FlagSource, 'messages'>,
): SpeechSettings {
  const language = given.language ?? voice.language;
  if (language.length > languageLength) throw usageError(cli.usage.nameLanguage);
  // In the order in which they are stored: a later command finds its job by them.
  return {
    voiceId: given.voiceId,
    language,
    speed: given.speed ?? ranges.speed.default,
    pitch: given.pitch ?? ranges.pitch.default,
    engine: given.engine ?? 'v7',
    platform: given.platform ?? 'web',
  };
}

/** The text of a file, or of stdin where `path` is `-`. Throws `input/…`, told in terms of what was typed. */
export async function readText(
  path: string,
  { cli }: Messages,
  stdin: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = await readChunks(path === '-' ? stdin : createReadStream(path));
    signal.throwIfAborted();
    return text;
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof AppError ? error.code : 'input/unreadable';
    if (code === 'input/text-too-long') throw new UserError(code, cli.speak.tooLong(name));
    if (code === 'input/not-text') throw new UserError(code, cli.speak.notUtf8(name));
    throw new UserError('input/unreadable', cli.speak.noFile(name));
  }
}

/** Where `--out FILE` puts a sound: the name without the ending of a sound, which is that of what arrives. */
export interface WishedName {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  readonly stem: string;
  /** Fields of a name template that stand in the name: a template would fill them in. */
  readonly fields: readonly string[];
}

/** Whether a sound has the ending that was wished, or none was. */
export const endingFits = (path: string, { path: wished, stem }: WishedName): boolean =>
  basename(wished) === stem || extname(wished).toLowerCase() === extname(path);

export function targetName(out: string): WishedName {
  const path = resolve(out);
  const ending = extname(path);
  const stem = isOutputFormat(ending.slice(1).toLowerCase()) ? basename(path, ending) : basename(path);
  return { path, folder: dirname(path), stem, fields: templateFields.filter((field) => stem.includes(field)) };
}

interface Ended {
  readonly job: Job;
  readonly end: BatchEnd;
  /** Undefined where no name was asked for. */
  readonly wish: WishedName | undefined;
  /** What the service said beside the sound. */
  readonly message: string | null;
}

/** Where the sound is, and why not where it was wished. */
function savedText(path: string, wish: WishedName | undefined, { cli }: Messages): string {
  if (!wish || path === wish.path || path === wish.path + extname(path)) return path;
  return (endingFits(path, wish) ? cli.speak.renamed : cli.speak.otherFormat)(path);
}

/** What came of a piece of speech, for people and for programs. */
export function concludeSpeech(
  { job, end, wish, message }: Ended,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): ExitCode {
  const sha256 = job.finished?.sha256 ?? null;
  if (job.state === 'done') {
    const path = job.output?.path ?? '';
    output.report(savedText(path, wish, messages));
    if (message !== null) output.remark(messages.app.serviceSaid(message));
    output.event({ event: 'result', output: path, sha256, message });
    return exitCodes.done;
  }
  const problem = failureOf(job, end);
  const told = problem
    ? sentence(messages, problem)
    : messages.job[job.state === 'cancelled' ? 'cancelled' : 'waiting'];
  output.complain(told);
  if (!hasEnded(job)) output.complain(messages.cli.runAgain);
  output.event({
    event: 'result',
    output: null,
    sha256,
    message: told,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code }),
  });
  if (end === 'left' || job.state === 'cancelled') return exitCodes.cancelled;
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

async function readWish({ flags, messages: { cli, format } }: Invocation): Promise<WishedName | undefined> {
  const out = text(flags, 'out');
  if (out === undefined) return undefined;
  const isFolder = out.endsWith('/') || out.endsWith(sep) || out === '';
  const seen = isFolder ? undefined : await stat(out).catch(() => undefined);
  if (isFolder || seen?.isDirectory()) throw usageError(cli.speak.isFolder(out));
  const wish = targetName(out);
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
    const { submitJobs } = await core.queue();
    const { id } = (await submitJobs.resumeSpeech(speech, order)) ?? submitJobs.addSpeech(speech, order);
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
