import { rm } from 'node:fs/promises';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { Sliced } from '../../../shared/time-slicing.ts';
import { numberFact } from '../../../shared/messages/facts.ts';
import { pauseAfter } from '../../../shared/schemas/speech.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import { isOutputFormat, type OutputFormat } from '../../../sound/sound-format.ts';
import { runInSlices } from '../clock.ts';
import { readChunks } from '../files/content.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes } from '../files/folders.ts';
import type { PendingOutput } from '../files/pending-output.ts';
import { type SpokenPassage, spokenPassagesSliced } from '../speech/spoken-passages.ts';
import type { OtherCall, TakeCall, TakeKey } from '../speech/takes.ts';
import { missingStatuses, wasNotCarriedOut } from '../voice-service/paid-call-outcome.ts';
import type { Job, SpeechJob } from './job.ts';
import { finishSound, publishResult } from './publish-steps.ts';
import { receiveSound } from './receive-sound.ts';
import { maxDownloads } from './retry-policy.ts';
import { speechBytesPerSecond, speechSecondsOf } from './space-reservations.ts';
import { filled, paidCallError, type StepContext } from './step.ts';

/** A WAV file cannot be longer than 4 GiB. */
const maxWavBytes = 4e9;
/** How often a call of another process is looked at. */
const otherCallPollMs = 250;
/** A longer wait for it needs an explanation. */
const otherCallNoticeMs = 2000;

/** The passages that a text is spoken in. A book has many thousands, so main does other things in between. */
export const passagesOf = (
  { text, settings, connection }: SpeechJob,
  signal: AbortSignal,
): Promise<readonly SpokenPassage[]> =>
  runInSlices(spokenPassagesSliced(text, settings, connection.document.limits.maxTextLength), signal);

/**
 * True if what is spoken of a job is kept as takes. Otherwise the result is the sound of its only call. Texts of files are kept,
 * too: when some of many failed, all can be spoken again, and only those cost something; and a file that is saved with other blanks
 * says the same.
 */
export const hasTakes = ({ settings, source }: SpeechJob, passages: readonly SpokenPassage[]): boolean =>
  passages.length > 1 || settings.textFormat !== undefined || settings.title !== undefined || source !== null;

interface Take {
  readonly passage: SpokenPassage;
  readonly key: TakeKey;
  /** Number of the take, which is made unless there is one with this or a higher number. */
  readonly number: number;
}

const callOf = ({ key: { hash }, number }: Take, audioUrl: string | null = null): TakeCall => ({
  hash,
  number,
  audioUrl,
});

function* takesOf(job: SpeechJob, passages: readonly SpokenPassage[], { takes }: StepContext): Sliced<readonly Take[]> {
  const all: Take[] = [];
  for (const passage of passages) {
    yield;
    const key = takes.keyOf({
      connectionId: job.connection.id,
      address: job.connection.document.hosts.voice,
      text: passage.text,
      settings: passage.settings,
    });
    all.push({ passage, key, number: job.settings.takes?.[key.hash] ?? 1 });
  }
  return all;
}

/** True if the sound at this address will not come any more. */
function isGone({ code, problem: { facts = {} } }: AppError, { consecutiveFailures }: Job): boolean {
  if (code === 'service/result-gone') return true;
  if (consecutiveFailures + 1 < maxDownloads) return false;
  const isExpired = missingStatuses.has(numberFact(facts, 'status') ?? 0);
  return isExpired || code === 'service/result-not-audio' || code === 'service/result-incomplete';
}

/** Finishes a take and gives it its name. */
async function publishTake(
  { key, number }: Take,
  output: PendingOutput,
  { takes, inspectSound }: StepContext,
  signal: AbortSignal,
): Promise<void> {
  const { format } = await finishSound(output, null, signal, inspectSound);
  await takes.publish(key, output, format.slice(1), number);
}

/** Fetches a take whose call was answered with its address, which is free. */
async function fetchTake(job: SpeechJob, take: Take, audioUrl: string, context: StepContext, signal: AbortSignal) {
  const { service, takes, commit } = context;
  let output: PendingOutput | undefined;
  const write = async (chunk: Buffer): Promise<void> => {
    output ??= await takes.open(take.key, job.id);
    await output.write(chunk);
  };
  try {
    await service.downloadResult({ audioUrl, write, onProgress: () => undefined }, signal);
    await publishTake(take, filled(job, 'its sound', output ?? null), context, signal);
  } catch (error) {
    if (!(error instanceof AppError) || !isGone(error, job)) throw error;
    // If the user agrees, its call is made again.
    await commit(() => takes.recordCall(job.id, callOf(take)));
    throw new AppError('service/result-gone', error.message, { cause: error });
  } finally {
    await output?.discard();
  }
}

/** The paid call for one passage. Its address, if the sound is elsewhere, is committed. */
async function callFor(job: SpeechJob, take: Take, context: StepContext, signal: AbortSignal): Promise<string | null> {
  const { service, takes, saveTakeCall } = context;
  const { passage } = take;
  const { voiceId: voice, ...settings } = passage.settings;
  const sound = receiveSound([() => takes.open(take.key, job.id)], context, signal);
  const received = { isSome: false };
  try {
    const spoken = await service.speakText(
      {
        ...settings,
        voice,
        text: passage.text,
        write(chunk) {
          received.isSome = true;
          return sound.write(chunk);
        },
        onProgress: () => undefined,
      },
      signal,
    );
    if (spoken.kind === 'audio') {
      await sound.finish((output) => publishTake(take, output, context, signal));
      return null;
    }
    const { audioUrl } = spoken;
    await saveTakeCall(callOf(take, audioUrl));
    return audioUrl;
  } catch (error) {
    throw paidCallError(error, received.isSome, voice);
  } finally {
    await sound.discard();
  }
}

async function assertSpace({ passage, key: { folder } }: Take): Promise<void> {
  const bytes = Math.ceil((estimateSpeechSeconds(passage.text) / passage.settings.speed) * speechBytesPerSecond);
  if ((await freeBytes(folder)) < bytes) throw diskFull(folder, bytes);
}

/**
 * Speaks the passages that have no take yet, one after the other. The job stays `converting` from the first call to the last;
 * which call may have been sent is committed before each. Returns it like that if the queue is paused in between.
 */
export async function speakPassages(
  job: SpeechJob,
  passages: readonly SpokenPassage[],
  context: StepContext,
  signal: AbortSignal,
): Promise<Job> {
  const { store, service, takes, doubtedCalls, commit, mayPay, sleep, reserve, onProgress, onSpoken } = context;
  let current: Job = job;
  let isReserved = false;

  /** What fails between two calls leaves no doubt about one. */
  async function betweenCalls<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (current.state === 'converting' && !signal.aborted)
        current = await commit(() => store.change(job.id, { state: 'queued' }));
      throw error;
    }
  }

  /** Returns false if the queue is paused. */
  async function speakOne(take: Take): Promise<boolean> {
    const { key, number } = take;
    const last = takes.findCall(job.id);
    const isOwn = last?.hash === key.hash && last.number === number;
    let audioUrl = isOwn ? last.audioUrl : null;
    /** Once another job's call was waited for, what became of that is asked about, too. */
    let isRepeated = isOwn;
    const doubtOf = (other: OtherCall): string => `${job.id} ${other.jobId} ${key.hash} ${number}`;
    /** True if the user, or the connection's settings, let the job go on although nobody knows what becomes of the call. */
    const isAgreedTo = (other: OtherCall): boolean =>
      other.audioUrl === null && isOwn && doubtedCalls.has(doubtOf(other));
    const otherCall = () => takes.findOtherCall(key, job, number, isRepeated, isAgreedTo);
    const mayBeAnswered = (other: ReturnType<typeof otherCall>): boolean =>
      other?.audioUrl === null && other.isOpen && store.isElsewhere(other.jobId);

    /** Shows, or no longer shows, that the job waits for another process. */
    async function explainWait(problem: Problem | null): Promise<void> {
      if (current.problem?.code !== problem?.code) current = await commit(() => store.change(job.id, { problem }));
    }

    /**
     * Waits while another process calls for the same, but not longer than a call may take: the process may be suspended, and then
     * nobody knows what becomes of its call.
     */
    async function waitForOther(): Promise<'over' | 'overdue' | 'paused'> {
      const { convertMs } = job.connection.document.timeouts;
      let wait: 'over' | 'overdue' = 'over';
      for (let waitedMs = 0; ; waitedMs += otherCallPollMs) {
        const other = otherCall();
        if (!mayBeAnswered(other)) break;
        isRepeated = false;
        // It may have made the take and be about to say so.
        if ((await takes.refreshLatestNumber(key, true)) >= number) break;
        if (!mayPay(current)) return 'paused';
        if (waitedMs >= convertMs) {
          wait = 'overdue';
          break;
        }
        if (waitedMs >= otherCallNoticeMs) await explainWait({ code: 'job/elsewhere' });
        await sleep(otherCallPollMs, signal);
      }
      if (current.problem?.code === 'job/elsewhere') await explainWait(null);
      return wait;
    }

    /** In one transaction, so that of two processes that say the same, one sees the other's call. */
    const begin = () =>
      commit(() =>
        store.batch(() => {
          const other = otherCall();
          takes.recordCall(job.id, callOf(take, other?.audioUrl));
          const changed = current.state === 'converting' ? current : store.change(job.id, { state: 'converting' });
          return { other, changed };
        }),
      );

    /** Undoes `begin`: the next attempt repeats nothing, and may find another job's call in doubt. */
    const undoBegin = () =>
      commit(() =>
        store.batch(() => {
          takes.removeCall(job.id);
          return store.change(job.id, { state: 'queued' });
        }),
      );
    async function afterFailure(error: unknown): Promise<never> {
      if (error instanceof AppError && wasNotCarriedOut(error.problem) && !signal.aborted) current = await undoBegin();
      throw error;
    }

    if (audioUrl === null) {
      const begun = await betweenCalls(async () => {
        if (!isReserved) await reserve(job, signal);
        isReserved = true;
        await assertSpace(take);
        // Creates a test file: otherwise an unwritable folder would go unnoticed until the take is paid for.
        await (await takes.open(key, job.id)).discard();
        for (;;) {
          const wait = await waitForOther();
          if (wait === 'paused') return null;
          await service.waitForRateLimit(signal);
          signal.throwIfAborted();
          const { other, changed } = await begin();
          current = changed;
          const isMade = (await takes.refreshLatestNumber(key, other !== undefined || isOwn)) >= number;
          if (isMade || !mayBeAnswered(other) || wait === 'overdue') return { other, isMade };
          // The other process was faster by a moment.
          current = await undoBegin();
        }
      });
      if (begun === null) return false;
      if (begun.isMade) return true;
      // As if it were the job's own: fetched, or in doubt until the user agrees to another.
      if (begun.other?.audioUrl === null) {
        if (begun.other.isOpen) doubtedCalls.add(doubtOf(begun.other));
        throw new AppError('network/cut', `another job's call for ${key.hash} may have been sent`);
      }
      if (begun.other) ({ audioUrl } = begun.other);
      else if (mayPay(current) && !signal.aborted)
        audioUrl = await callFor(job, take, context, signal).catch(afterFailure);
      else {
        current = await undoBegin();
        return false;
      }
    }
    await betweenCalls(async () => {
      if (audioUrl !== null) await fetchTake(job, take, audioUrl, context, signal);
      onSpoken(take.passage.settings.voiceId);
      if (current.consecutiveFailures > 0)
        current = await commit(() => store.change(job.id, { consecutiveFailures: 0, problem: null }));
    });
    return true;
  }

  const all = await runInSlices(takesOf(job, passages, context), signal);
  for (const [done, take] of all.entries()) {
    onProgress({ id: job.id, direction: 'speech', donePassages: done, passages: all.length });
    const isSpoken = await takes.runExclusive(take.key, signal, async () => {
      const isMade = await betweenCalls(async () => (await takes.latestNumber(take.key)) >= take.number);
      return isMade || speakOne(take);
    });
    if (!isSpoken) return current;
    signal.throwIfAborted();
  }
  return commit(() =>
    store.batch(() => {
      takes.removeCall(job.id);
      return store.change(job.id, { state: 'converted' });
    }),
  );
}

/** The joined file has the format of the takes, unless that cannot hold it or is none that Timbre writes. */
function joinedFormat(paths: readonly string[], job: SpeechJob): OutputFormat {
  const format = paths[0]?.split('.').at(-1) ?? '';
  const bytes = speechSecondsOf(job) * speechBytesPerSecond;
  return isOutputFormat(format) && (format !== 'wav' || bytes < maxWavBytes) ? format : 'flac';
}

interface Part {
  readonly key: TakeKey;
  readonly path: string;
  readonly pauseSeconds: number;
  readonly atSeconds?: number;
}

/** The takes of a job in order; undefined if one is no longer there. */
async function partsOf(
  job: SpeechJob,
  passages: readonly SpokenPassage[],
  context: StepContext,
  signal: AbortSignal,
): Promise<readonly Part[] | undefined> {
  const parts: Part[] = [];
  const all = await runInSlices(takesOf(job, passages, context), signal);
  for (const [k, { passage, key }] of all.entries()) {
    const path = await context.takes.find(key);
    if (path === undefined) return undefined;
    const { atSeconds } = passage;
    const pauseSeconds = k < all.length - 1 ? pauseAfter(passage, job.settings) : 0;
    parts.push({ path, key, pauseSeconds, ...(atSeconds !== undefined && { atSeconds }) });
  }
  return parts;
}

/** Less is not heard. */
const lateSeconds = 0.05;

/** How many subtitles start late because those before them are longer than their time; null if none does. */
async function lateCues(
  parts: readonly Part[],
  { inspectSound }: StepContext,
  signal: AbortSignal,
): Promise<Problem | null> {
  let [at, count, most] = [0, 0, 0];
  for (const { path, pauseSeconds, atSeconds = at } of parts) {
    const late = at - atSeconds;
    if (late > lateSeconds) count += 1;
    most = Math.max(most, late);
    const found = await inspectSound(path, { signal });
    at = Math.max(at, atSeconds) + (found.kind === 'sound' ? (found.durationSeconds ?? 0) : 0) + pauseSeconds;
  }
  if (count === 0) return null;
  return { code: 'speech/late-cues', facts: { count, seconds: Math.round(most * 10) / 10 } };
}

/** Joins the takes of a text and publishes the result. Throws `service/result-gone` if one is no longer there. */
export async function joinPassages(
  job: SpeechJob,
  passages: readonly SpokenPassage[],
  context: StepContext,
  signal: AbortSignal,
): Promise<Job> {
  const parts = await partsOf(job, passages, context, signal);
  const warning = parts && job.settings.textFormat === 'subtitles' ? await lateCues(parts, context, signal) : null;
  return publishResult({ ...job, problem: warning }, context, signal, async (output, attended) => {
    const { takes, joinSounds, inspectSound, onProgress } = context;
    if (!parts) throw new AppError('service/result-gone', `a take of job ${job.id} is gone`);
    const [first, second] = parts;
    if (!first) throw new AppError('input/text-empty', 'no text');
    onProgress({ id: job.id, direction: 'speech', donePassages: parts.length, passages: parts.length });
    if (!second && first.atSeconds === undefined) {
      for await (const chunk of readChunks(first.path)) await output.write(chunk);
      return finishSound(output, null, attended, inspectSound);
    }
    const format = joinedFormat(
      parts.map(({ path }) => path),
      job,
    );
    const to = takes.joinedPath(first.key, job.id, format);
    try {
      await joinSounds(
        {
          parts: parts.map(({ path, pauseSeconds, atSeconds }) => ({
            path,
            pauseSeconds,
            ...(atSeconds !== undefined && { atSeconds }),
          })),
          to,
          format,
        },
        attended,
      );
      for await (const chunk of readChunks(to)) await output.write(chunk);
      return await finishSound(output, null, attended, inspectSound);
    } catch (error) {
      const isFull = error instanceof AppError && error.code === 'output/disk-full' && !error.problem.facts?.['folder'];
      if (!isFull) throw error;
      throw diskFull(first.key.folder, Math.ceil(speechSecondsOf(job) * speechBytesPerSecond));
    } finally {
      await rm(to, { force: true });
    }
  });
}
