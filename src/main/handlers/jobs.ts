import { basename } from 'node:path';
import { batchesOf } from '../../shared/batches.ts';
import { AppError } from '../../shared/errors.ts';
import type { Emitters, Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { AddedJobs, JobInfo, Pause } from '../../shared/schemas/job.ts';
import type { ConversionSettings } from '../../shared/schemas/settings.ts';
import type { ConnectionRegistry } from '../core/connections/connection-registry.ts';
import type { Data } from '../core/data.ts';
import type { StoredPause } from '../core/jobs/circuit-breaker.ts';
import { type Job, titleOf } from '../core/jobs/job.ts';
import type { Queue } from '../core/jobs/queue.ts';
import type { JobRequest } from '../core/jobs/new-job.ts';
import type { SecretStore } from '../core/secrets/secret-store.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { VoiceCatalogue } from '../core/voices/voice-catalogue.ts';
import { fileKey, soundOf } from '../core/recorded-sound.ts';
import type { DrawWaveform } from '../core/waveforms.ts';
import type { AllowedPaths } from './allowed-paths.ts';

function keyOf(job: Job, side: 'source' | 'result'): string | null {
  const sound = soundOf(job, side);
  return sound ? fileKey(sound.path) : null;
}

/** A job for the page: names and keys instead of paths. */
export function toJobInfo(job: Job): JobInfo {
  const conversion = job.kind === 'conversion' ? job : undefined;
  const resultPath = job.state === 'done' ? job.output?.path : undefined;
  return {
    id: job.id,
    kind: job.kind,
    position: job.position,
    revision: job.revision,
    state: job.state,
    stateChangedAt: job.stateChangedAt,
    nextTryAt: job.nextTryAt,
    attempts: job.attempts,
    name: titleOf(job),
    sizeBytes: conversion?.source.snapshot?.sizeBytes ?? null,
    // Of speech only once it is done: what estimates the time of jobs reads lengths of recordings.
    durationSeconds: conversion || job.state === 'done' ? job.durationSeconds : null,
    connectionId: job.connection.id,
    connectionName: job.connection.name,
    voice: job.voice,
    sourceMedia: keyOf(job, 'source'),
    resultMedia: keyOf(job, 'result'),
    outputName: resultPath === undefined ? null : basename(resultPath),
    problem: job.problem,
  };
}

/** Rows of jobs in one message: a hundred with the longest names and words stay below the 256 kB that a message may have. */
export const rowsInMessage = 100;

/** A pause as a page may know it. */
const toPause = ({ connectionId, reason, since, resumesAt, problem }: StoredPause): Pause => ({
  connectionId,
  reason,
  since,
  resumesAt,
  problem,
});

/** As a page shows them: without the next tries at a service, of which there are none while the user works offline. */
export function toPauses(held: readonly StoredPause[]): readonly Pause[] {
  const offline = held.filter(({ reason }) => reason === 'offline-mode').map(({ connectionId }) => connectionId);
  const triesLater = ({ reason }: StoredPause) => reason === 'offline' || reason === 'rate';
  return held.filter((pause) => !triesLater(pause) || !offline.includes(pause.connectionId)).map(toPause);
}

/** The parts of the desktop that the queue uses. */
export interface JobDesktop {
  /** The bundled recording, and the folder for its results: beside it the user would not find them. */
  readonly sample: { readonly path: string; readonly outputFolder: () => string };
  reveal(path: string): void;
}

interface Dependencies extends JobDesktop {
  readonly queue: () => Promise<Queue>;
  readonly data: () => Promise<Pick<Data, 'historyFiles'>>;
  readonly places: Pick<AllowedPaths, 'assertAllowed'>;
  readonly connections: ConnectionRegistry;
  readonly voices: VoiceCatalogue;
  readonly settings: () => Promise<SettingsStore>;
  readonly drawWaveform: DrawWaveform;
  readonly secrets: Pick<SecretStore, 'allow'>;
  readonly signal: AbortSignal;
}

/** A drop of many thousand files is sent as one addition per thousand. */
const maxAdditions = 100;

export function createJobHandlers(dependencies: Dependencies): Handlers<Contract>['jobs'] {
  const { queue, data, places, connections, voices, settings, secrets, drawWaveform, sample, signal, reveal } =
    dependencies;

  async function order(connectionId: string, conversion: ConversionSettings): Promise<JobRequest> {
    const { outputFolder, nameTemplate } = (await settings()).get();
    const voice = await voices.get(connectionId, conversion.voiceId);
    const { document } = connections.get(connectionId);
    const connection = { id: connectionId, name: document.name, document };
    return { connection, voice, settings: conversion, outputFolder, nameTemplate };
  }

  /** Created jobs by addition, in the order of adding. */
  const additions = new Map<number, readonly string[]>();
  let lastAddition = 0;

  async function add(paths: readonly string[], request: JobRequest, atMost?: number): Promise<AddedJobs> {
    const { submitJobs } = await queue();
    const { createdIds, added, refused, ignored, withoutPath } = await submitJobs.add(paths, request, signal, atMost);
    const counts = { added, refused, ignored, withoutPath, createdIds };
    if (createdIds.length === 0) return { ...counts, addition: null };
    lastAddition += 1;
    additions.set(lastAddition, createdIds);
    for (const old of [...additions.keys()].slice(0, -maxAdditions)) additions.delete(old);
    return { ...counts, addition: lastAddition };
  }

  /** A file without a path is counted and reported. */
  function assertAllAllowed(paths: readonly string[]): void {
    for (const path of paths) if (path !== '') places.assertAllowed(path);
  }

  async function sound(id: string, which: 'source' | 'result') {
    const job = (await queue()).store.get(id);
    const found = job && soundOf(job, which);
    if (!found) throw new AppError('job/not-found', `job ${id} has no ${which}`);
    return found;
  }

  return {
    preview: async ({ paths, connectionId, timeLimitMs }) => {
      assertAllAllowed(paths);
      const { maxSeconds } = connections.get(connectionId).document.limits;
      return (await queue()).submitJobs.preview(paths, { maxSeconds, timeLimitMs }, signal);
    },
    add: async ({ paths, connectionId, settings: conversion, atMost }) => {
      assertAllAllowed(paths);
      return add(paths, await order(connectionId, conversion), atMost ?? undefined);
    },
    undoAdd: async ({ addition }) => {
      const ids = additions.get(addition) ?? [];
      const removed = await (await queue()).scheduler.withdrawAll(ids);
      const { historyFiles } = await data();
      if (removed.length > 0) await historyFiles.remove(removed, false, signal);
      // Until here it can be tried again.
      additions.delete(addition);
      return { removed: removed.length, kept: ids.length - removed.length };
    },
    addSample: async ({ connectionId, settings: conversion }) => {
      const wanted = await order(connectionId, conversion);
      const outputFolder = wanted.outputFolder ?? sample.outputFolder();
      return add([sample.path], { ...wanted, outputFolder });
    },
    list: async ({ after }) => {
      const jobs = (await queue()).store.page(after, rowsInMessage);
      const last = jobs.at(-1);
      return {
        jobs: jobs.map(toJobInfo),
        next: last && jobs.length === rowsInMessage ? last.position : null,
      };
    },
    cancel: async ({ ids }) => (await queue()).scheduler.cancelAll(ids),
    retry: async ({ ids }) => (await queue()).scheduler.retryAll(ids),
    retryIn: async ({ id, folder }) => {
      places.assertAllowed(folder);
      const { store, scheduler } = await queue();
      await (id === null ? scheduler.moveResults(folder) : scheduler.retryAllIn(store.failedAlike(id), folder));
    },
    repeat: async ({ ids }) => {
      const { store, submitJobs } = await queue();
      for (const id of ids) {
        const job = store.get(id);
        if (job) submitJobs.repeat(job);
      }
    },
    getProcessingSpeed: async ({ connectionId }) => ({
      secondsPerSecond: (await queue()).store.processingSpeed(connectionId),
    }),
    reorder: async ({ ids, before }) => {
      const { store, writes } = await queue();
      writes.write(() => store.reorder(ids, before));
    },
    pauses: async () => toPauses((await queue()).breaker.list()),
    pause: async () => (await queue()).scheduler.pause(),
    resume: async ({ connectionId }) => (await queue()).scheduler.resume(connectionId),
    continueOnBattery: async () => (await queue()).batteryPause.continueNow(),
    async allowToken({ connectionId, origin }) {
      const { breaker, scheduler } = await queue();
      // Accepts only the origin that was asked about: the page must not send the token elsewhere.
      if (breaker.find(connectionId, 'token')?.problem?.facts?.['origin'] !== origin) {
        throw new AppError('request/invalid', `there is no question about ${origin}`);
      }
      await secrets.allow(connectionId, [origin]);
      scheduler.resumeWithToken(connectionId);
    },
    remove: async ({ ids }) => {
      const { store, writes } = await queue();
      writes.write(() => store.remove(ids));
    },
    reveal: async ({ id, which }) => reveal((await sound(id, which)).path),
    getWaveform: async ({ id, which }) => {
      const wanted = await sound(id, which);
      try {
        const { columns, ...fold } = await drawWaveform(wanted, signal);
        return { columns: Buffer.from(columns).toString('base64'), ...fold };
      } catch (error) {
        // A file that cannot be read has no waveform; its row shows the reason. One that only needs ffmpeg is a plain bar.
        if (error instanceof AppError && error.code !== 'input/disk-silent') {
          return error.code === 'input/needs-ffmpeg' ? { columns: '', durationSeconds: 0, levelDb: null } : null;
        }
        throw error;
      }
    },
  };
}

/** Sends changes of the queue to the page while it is open. */
export function emitJobChanges(
  { store, breaker }: Pick<Queue, 'store' | 'breaker'>,
  emit: Emitters<Contract>['jobs'],
): void {
  store.onEvent((event) => {
    if (event.kind === 'removed') {
      emit.changed({ upserted: [], removed: event.ids });
      return;
    }
    if (event.kind !== 'upserted') return;
    for (const batch of batchesOf(event.jobs, rowsInMessage))
      emit.changed({ upserted: batch.map(toJobInfo), removed: [] });
  });
  breaker.onChanged((held) => emit.pausesChanged(toPauses(held)));
}
