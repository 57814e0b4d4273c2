import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTestEngine, testToken, type TestEngine } from '../../../engine/engine.fixture.ts';
import { defaultNameTemplate } from '../../../shared/text/name-template.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { JobProgress } from '../../../shared/schemas/job.ts';
import { startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import type { Connection } from '../voice-service/connection.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import type { JobRequest } from './new-job.ts';
import type { SubmitJobs } from './submit-jobs.ts';
import type { ConversionJob, Job } from './job.ts';
import type { Queue } from './queue.ts';
import { settled } from './wait-for-jobs.ts';
import { openQueue } from './open-queue.fixture.ts';

export const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');

/** A WAV file of so many bytes. */
export function silence(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('RIFF');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8);
  file.set([16, 0, 0, 0, 1, 0, 1, 0], 16);
  file.writeUInt32LE(24_000, 24);
  file.writeUInt32LE(48_000, 28);
  file.set([2, 0, 16, 0], 32);
  file.write('data', 36);
  file.writeUInt32LE(bytes - 44, 40);
  return file;
}

/** A queue that uses the real engine, and a folder for recordings, new for each test. A defect fails the test. */
export interface TestQueue extends Pick<
  Queue,
  'store' | 'submitJobs' | 'breaker' | 'batteryPause' | 'scheduler' | 'writes' | 'takes' | 'checkSource' | 'stop'
> {
  readonly folder: string;
  readonly progress: readonly JobProgress[];
  /** Whether the user works offline; a test may change it, also just before a call is sent. */
  readonly network: { isOffline: boolean; beforeCall: () => void };
  /** The user's setting; a test may change it. */
  readonly power: { isPausedOnBattery: boolean };
  /** Path of ffmpeg; a test may change it. */
  readonly ffmpeg: { path: string | null };
  /** The request for added recordings; a test may change it. */
  request: JobRequest;
  /** Reopens the same data with another service. */
  open(connection: Connection): Promise<void>;
  /** Ends the process of the queue, and opens its data with the same service. */
  reopen(): Promise<void>;
  /** Creates a recording in the folder and returns its path. */
  addFile(name: string): Promise<string>;
  /** File names in the output folder. */
  outputs(): Promise<readonly string[]>;
  add(paths: readonly string[]): ReturnType<SubmitJobs['add']>;
  /** Adds recordings and runs them until they have ended. */
  run(paths: readonly string[]): Promise<{
    readonly added: Awaited<ReturnType<SubmitJobs['add']>>;
    readonly jobs: readonly ConversionJob[];
  }>;
}

export const conversions = (jobs: readonly Job[]): readonly ConversionJob[] =>
  jobs.filter((job): job is ConversionJob => job.kind === 'conversion');

export function useTestQueue(clock: Clock = systemClock): () => TestQueue {
  const { signal } = new AbortController();
  let engine: TestEngine;
  let folder: string;
  let http: Http;
  let queue: Queue | undefined;
  let test: TestQueue;
  const power = { isPausedOnBattery: false };
  const ffmpeg: { path: string | null } = { path: null };
  const network = { isOffline: false, beforeCall: () => undefined as void };
  let local: ScriptedService;
  let progress: JobProgress[];
  let defects: unknown[];

  async function open(connection: Connection): Promise<void> {
    await queue?.stop();
    queue = await openQueue({
      dataFolder: join(folder, 'data'),
      clock,
      random: Math.random,
      connections: createConnectionRegistry(http, [connection]),
      role: 'app',
      isOfflineMode: () => network.isOffline,
      isPausedOnBattery: () => power.isPausedOnBattery,
      ffmpeg: () => Promise.resolve(ffmpeg.path),
      onProgress: (update) => progress.push(update),
      onDefect: (error) => defects.push(error),
    });
    const { store, submitJobs, breaker, batteryPause, scheduler, writes, takes, checkSource, stop } = queue;
    const add = (paths: readonly string[]) => submitJobs.add(paths, test.request, signal);
    test = {
      store,
      submitJobs,
      breaker,
      batteryPause,
      scheduler,
      writes,
      takes,
      checkSource,
      stop,
      folder,
      progress,
      network,
      power,
      ffmpeg,
      request: {
        connection: { id: connection.id, name: 'Test', document: connection.document },
        nameTemplate: defaultNameTemplate,
        voice: { id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' },
        settings: { ...defaultSettings.conversion, voiceId: 'low-bronze' },
        outputFolder: join(folder, 'out'),
      },
      open,
      reopen: () => open(connection),
      async addFile(name) {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        await copyFile(sample, path);
        return path;
      },
      outputs: async () => (existsSync(join(folder, 'out')) ? (await readdir(join(folder, 'out'))).sort() : []),
      add,
      async run(paths) {
        const added = await add(paths);
        scheduler.start();
        return { added, jobs: conversions(await settled(store, added.ids)) };
      },
    };
  }

  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-jobs-'));
    http = createHttp({
      isAllowed() {
        network.beforeCall();
        return !network.isOffline;
      },
    });
    ffmpeg.path = null;
    Object.assign(network, { isOffline: false, beforeCall: () => undefined });
    power.isPausedOnBattery = false;
    [progress, defects] = [[], []];
    // Provides a connection document; the hosts are the engine's.
    local = await startScriptedService(() => undefined);
    const hosts = { voice: engine.origin, upload: engine.origin, converter: '', models: '', sample: '' };
    await open(local.connection({ hosts }, testToken));
  });
  afterEach(async () => {
    await queue?.stop();
    queue = undefined;
    await http.close();
    await local.stop();
    await rm(folder, { recursive: true });
    expect(defects).toEqual([]);
  });
  return () => test;
}
