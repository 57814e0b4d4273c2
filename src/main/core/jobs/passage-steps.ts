import { rm } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import { numberFact } from '../../../shared/messages/facts.ts';
import { pauseAfter, slowestSpeed } from '../../../shared/schemas/speech.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import { isOutputFormat, type OutputFormat } from '../../../sound/sound-format.ts';
import { readChunks } from '../files/content.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes } from '../files/folders.ts';
import type { PendingOutput } from '../files/pending-output.ts';
import { type SpokenPassage, spokenPassages } from '../speech/spoken-passages.ts';
import type { TakeKey } from '../speech/takes.ts';
import { filled, finishSound, publishResult, type Step, type StepContext } from './download-step.ts';
import type { Job, SpeechJob } from './job.ts';
import { speechBytesPerSecond } from './space-reservations.ts';

/** A WAV file cannot be longer than 4 GiB. */
const mostWavBytes = 4e9;
/** A take is downloaded so many times before it is given up. */
const mostDownloads = 5;
const expiredStatuses: ReadonlySet<number> = new Set([400, 403, 404]);

/** The passages that a text is spoken in; with one, the result is the sound of its only call. */
export const passagesOf = ({ text, settings, connection }: SpeechJob): readonly SpokenPassage[] =>
  spokenPassages(text, settings, connection.document.limits.maxTextLength);

interface Take {
  readonly passage: SpokenPassage;
  readonly key: TakeKey;
  /** How many takes the passage has once this one is made. */
  readonly count: number;
}

const takesOf = (job: SpeechJob, passages: readonly SpokenPassage[], { takes }: StepContext): readonly Take[] =>
  passages.map((passage) => {
    const key = takes.keyOf({
      connectionId: job.connection.id,
      address: job.connection.document.hosts.voice,
      text: passage.text,
      settings: passage.settings,
    });
    return { passage, key, count: job.settings.takes?.[key.hash] ?? 1 };
  });

/** True if the sound at this address will not come any more. */
function isGone({ code, problem: { facts = {} } }: AppError, { consecutiveFailures }: Job): boolean {
  if (code === 'service/result-gone') return true;
  if (consecutiveFailures + 1 < mostDownloads) return false;
  const isExpired = expiredStatuses.has(numberFact(facts, 'status') ?? 0);
  return isExpired || code === 'service/result-not-audio' || code === 'service/result-incomplete';
}

/** Writes a take with `receive` and keeps it. Leaves nothing if that throws. */
async function withTake<T>(
  job: SpeechJob,
  key: TakeKey,
  { takes, inspectSound }: StepContext,
  signal: AbortSignal,
  receive: (write: (chunk: Buffer) => Promise<void>, keep: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let output: PendingOutput | undefined;
  try {
    return await receive(
      async (chunk) => {
        output ??= await takes.open(key, job.id);
        await output.write(chunk);
      },
      async () => {
        const received = filled(job, 'its sound', output ?? null);
        const { format } = await finishSound(received, null, signal, inspectSound);
        await takes.keep(key, received, format.slice(1));
      },
    );
  } finally {
    await output?.discard();
  }
}

/** Fetches a take whose call was answered with its address, which is free. */
async function fetchTake(job: SpeechJob, key: TakeKey, audioUrl: string, context: StepContext, signal: AbortSignal) {
  const { service, takes, commit } = context;
  try {
    await withTake(job, key, context, signal, async (write, keep) => {
      await service.downloadResult({ audioUrl, write, onProgress: () => undefined }, signal);
      await keep();
    });
  } catch (error) {
    if (!(error instanceof AppError) || !isGone(error, job)) throw error;
    // If the user agrees, its call is made again.
    await commit(() => takes.setAddress(job.id, null));
    throw new AppError('service/result-gone', error.message, { cause: error });
  }
}

/** The paid call for one passage. Its address, if the sound is elsewhere, is committed. */
function callFor(job: SpeechJob, { passage, key }: Take, context: StepContext, signal: AbortSignal) {
  const { service, takes, commit } = context;
  const { voiceId: voice, ...settings } = passage.settings;
  return withTake(job, key, context, signal, async (write, keep) => {
    const received = { isSome: false };
    try {
      const spoken = await service.speakText(
        {
          ...settings,
          voice,
          text: passage.text,
          write(chunk) {
            received.isSome = true;
            return write(chunk);
          },
          onProgress: () => undefined,
        },
        signal,
      );
      if (spoken.kind === 'audio') {
        await keep();
        return null;
      }
      await commit(() => takes.setAddress(job.id, spoken.audioUrl));
      return spoken.audioUrl;
    } catch (error) {
      // Audio had begun to arrive, so the call was charged. `system/too-many-files` would mean it was never sent.
      const isShortage = received.isSome && error instanceof AppError && error.code === 'system/too-many-files';
      throw isShortage ? new AppError('output/failed', error.message, { cause: error }) : error;
    }
  });
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
  const { store, service, takes, commit, mayPay, reserve, onProgress, onAnswered } = context;
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
    const { key, count } = take;
    const last = takes.call(job.id);
    let audioUrl = last?.hash === key.hash && last.takes === count ? last.audioUrl : null;
    if (audioUrl === null) {
      await betweenCalls(async () => {
        if (!isReserved) await reserve(job, signal);
        isReserved = true;
        await assertSpace(take);
        // Creates a test file: otherwise an unwritable folder would go unnoticed until the take is paid for.
        await (await takes.open(key, job.id)).discard();
        await service.waitForRateLimit(signal);
        signal.throwIfAborted();
        current = await commit(() =>
          store.batch(() => {
            takes.begin(key, job.id, count);
            return current.state === 'converting' ? current : store.change(job.id, { state: 'converting' });
          }),
        );
      });
      if (!mayPay(current) || signal.aborted) return false;
      audioUrl = await callFor(job, take, context, signal);
    }
    await betweenCalls(async () => {
      if (audioUrl !== null) await fetchTake(job, key, audioUrl, context, signal);
      onAnswered();
      if (current.consecutiveFailures > 0)
        current = await commit(() => store.change(job.id, { consecutiveFailures: 0, problem: null }));
    });
    return true;
  }

  const all = takesOf(job, passages, context);
  for (const [done, take] of all.entries()) {
    onProgress({ id: job.id, direction: 'speech', donePassages: done, passages: all.length });
    const isSpoken = await takes.exclusively(take.key, signal, async () => {
      const isMade = await betweenCalls(async () => (await takes.all(take.key)).length >= take.count);
      return isMade || speakOne(take);
    });
    if (!isSpoken) return current;
    signal.throwIfAborted();
  }
  return commit(() =>
    store.batch(() => {
      takes.end(job.id);
      return store.change(job.id, { state: 'converted' });
    }),
  );
}

/** The joined file has the format of the takes, unless that cannot hold it or is none that Timbre writes. */
function joinedFormat(paths: readonly string[], { text, settings }: SpeechJob): OutputFormat {
  const format = paths[0]?.split('.').at(-1) ?? '';
  const bytes = (estimateSpeechSeconds(text) / slowestSpeed(settings)) * speechBytesPerSecond;
  return isOutputFormat(format) && (format !== 'wav' || bytes < mostWavBytes) ? format : 'flac';
}

/** Joins the takes of a text and publishes the result. Throws `service/result-gone` if one is no longer there. */
export const joinStep: Step<SpeechJob> = (job, context, signal) =>
  publishResult(job, context, signal, async (output) => {
    const { takes, joinSounds, inspectSound, onProgress } = context;
    const parts = [];
    for (const { passage, key } of takesOf(job, passagesOf(job), context)) {
      const path = await takes.find(key);
      if (path === undefined) throw new AppError('service/result-gone', `a take of job ${job.id} is gone`);
      parts.push({ path, key, pauseSeconds: pauseAfter(passage, job.settings) });
    }
    const [first] = parts;
    if (!first) throw new AppError('input/text-empty', 'no text');
    onProgress({ id: job.id, direction: 'speech', donePassages: parts.length, passages: parts.length });
    const format = joinedFormat(
      parts.map(({ path }) => path),
      job,
    );
    const to = takes.joinedPath(first.key, job.id, format);
    try {
      await joinSounds({ parts: parts.map(({ path, pauseSeconds }) => ({ path, pauseSeconds })), to, format }, signal);
      for await (const chunk of readChunks(to)) await output.write(chunk);
      return await finishSound(output, null, signal, inspectSound);
    } catch (error) {
      const isFull = error instanceof AppError && error.code === 'output/disk-full' && !error.problem.facts?.['folder'];
      if (!isFull) throw error;
      throw diskFull(first.key.folder, Math.ceil(estimateSpeechSeconds(job.text) * speechBytesPerSecond));
    } finally {
      await rm(to, { force: true });
    }
  });
