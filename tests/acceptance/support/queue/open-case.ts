import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../../src/main/core/connections/connection-registry.ts';
import type { Job } from '../../../../src/main/core/jobs/job.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import type { Queue } from '../../../../src/main/core/jobs/queue.ts';
import { settled } from '../../../../src/main/core/jobs/wait-for-jobs.ts';
import { openQueue } from '../../../../src/main/core/jobs/open-queue.fixture.ts';
import type { Connection } from '../../../../src/main/core/voice-service/connection.ts';
import { createHttp, type Http } from '../../../../src/main/core/voice-service/http.ts';
import type { ServiceClient } from '../../../../src/main/core/voice-service/service-client.ts';
import type { ConnectionDocument } from '../../../../src/shared/schemas/connection.ts';
import { type ConversionSettings, defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import type { JobProgress } from '../../../../src/shared/schemas/job.ts';
import type { SpeechDelivery } from '../../../faults/speech-delivery.ts';
import { countEngineWork } from '../../../faults/engine-work.ts';
import type { FaultProxy } from '../../../faults/start-fault-proxy.ts';
import { Failed, type ScenarioContext } from '../scenario.ts';
import type { EngineProcess } from '../start-engine.ts';
import { most, paidCalls } from './paid-calls.ts';

export interface CaseOptions {
  /** For messages and folders; unique within a scenario. */
  readonly name: string;
  readonly delivery?: SpeechDelivery;
  /** Default `ask`. */
  readonly policy?: ConnectionDocument['unknownOutcome'];
  /** Default 1. */
  readonly maxConcurrent?: number;
  readonly timeouts?: Partial<ConnectionDocument['timeouts']>;
  /** Default 0: no backoff. */
  readonly random?: () => number;
  readonly clock?: Clock;
  readonly token?: () => string | null;
  /** Ends the proxy's connections with each reply: those that are open are in use. */
  readonly singleUse?: boolean;
  /** What result addresses carry as a signature. */
  readonly resultQuery?: string;
  /** Defects are what is tested. */
  readonly toleratesDefects?: boolean;
  /** More connections of the same queue. */
  readonly others?: readonly Connection[];
}

interface Asked {
  /** Default: the case's. */
  readonly connection?: Connection;
  /** Default `.wav`. */
  readonly format?: ConversionSettings['format'];
}

/** A call when the client began it, which may be long before it arrives. */
interface Send {
  readonly path: string;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
}

/** A queue in this process, on a data folder of its own, before the real engine behind a proxy of its own. */
export interface QueueCase extends Queue {
  readonly name: string;
  readonly dataFolder: string;
  readonly outputFolder: string;
  readonly proxy: FaultProxy;
  readonly connection: Connection;
  readonly service: ServiceClient;
  readonly progress: readonly JobProgress[];
  readonly sends: readonly Send[];
  convert(paths: readonly string[], asked?: Asked): Promise<readonly string[]>;
  /** The same words are spoken once by the engine, so the number of the case is part of them. */
  speak(words?: string): string;
  job(id: string): Job;
  ended(ids: readonly string[]): Promise<readonly Job[]>;
  /** Resolves as soon as it holds; asked whenever jobs, breaker or calls change. Throws `Failed` when it never does. */
  until(what: string, holds: () => boolean): Promise<void>;
  /** Resolves when no call is open and nothing is in flight. */
  quiet(): Promise<void>;
  /** Names in the output folder that are temporary. */
  temporaries(): Promise<readonly string[]>;
  outputs(): Promise<readonly string[]>;
  /** How often one task, or one text, was paid for, at most. */
  mostPaid(): number;
  /** Sound work that the engine started for the tasks of this case. */
  runs(): Promise<number>;
  /** Ends it, and throws `Failed` where it met a defect of ours. */
  close(): Promise<void>;
}

const timeoutMs = 150_000;
/** Long enough for a busy machine, short enough to be waited for. */
const usualTimeouts = { connectMs: 10_000, stallMs: 15_000, convertMs: 45_000 };

export const spokenWith = {
  voiceId: testVoice.id,
  language: 'en-US',
  speed: 1,
  pitch: 1,
  engine: 'v5',
  platform: 'web',
} as const;

let opened = 0;

export async function openCase(
  context: ScenarioContext,
  engine: EngineProcess,
  options: CaseOptions,
): Promise<QueueCase> {
  const { name, delivery = 'address', policy = 'ask', maxConcurrent = 1 } = options;
  const number = (opened += 1);
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/[^\w]+/g, '-'));
  const [dataFolder, outputFolder] = [join(folder, 'data'), join(folder, 'out')];
  await mkdir(folder);
  const proxy = await context.startProxy({
    target: engine.origin,
    serviceToken: engine.token,
    delivery,
    singleUse: options.singleUse ?? false,
    ...(options.resultQuery !== undefined && { resultQuery: options.resultQuery }),
  });
  const connection = proxy.connection(
    {
      unknownOutcome: policy,
      limits: { maxUploadBytes: null, maxTextLength: null, maxSeconds: null, maxConcurrent, requestsPerMinute: null },
      timeouts: { ...usualTimeouts, ...options.timeouts },
      speechDelivery: typeof delivery === 'object' ? delivery.path : 'auto',
    },
    options.token,
  );
  const network = createHttp({ proxy: 'direct' });
  const sends: Send[] = [];
  const http: Http = {
    ...network,
    send(request) {
      sends.push({ path: request.address.path, startedMs: performance.now() });
      return network.send(request);
    },
  };
  const progress: JobProgress[] = [];
  const defects: unknown[] = [];
  const connections = createConnectionRegistry(http, [connection, ...(options.others ?? [])]);
  const queue = await openQueue({
    dataFolder,
    clock: options.clock ?? systemClock,
    random: options.random ?? (() => 0),
    connections,
    role: 'app',
    onProgress: (news) => progress.push(news),
    onDefect: (error) => defects.push(error),
  });
  const { store, breaker, submitJobs, scheduler } = queue;
  let isActive = false;
  scheduler.onActivity((now) => (isActive = now));

  const orderOf = ({ id, document }: Connection) => ({
    connection: { id, name: document.name, document },
    voice: testVoice,
    outputFolder,
    nameTemplate: '{name}',
  });

  let closing: Promise<void> | undefined;
  async function until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isOver = false;
    const check = () => {
      if (!isOver && !closing && holds()) resolve();
    };
    const stops = [
      store.onEvent(check),
      breaker.onChanged(check),
      proxy.onCall(check),
      scheduler.onActivity(() => setImmediate(check)),
    ];
    const states = () =>
      store
        .page(null, -1)
        .map(({ state, problem }) => `${state} ${problem?.code ?? ''}`.trim())
        .join(', ');
    const timer = setTimeout(
      () => reject(new Failed(`${name}: waited in vain until ${what}; jobs: ${states()}`)),
      timeoutMs,
    );
    try {
      await promise;
    } finally {
      isOver = true;
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    }
  }

  async function end(): Promise<void> {
    await queue.stop();
    await http.close();
    await proxy.stop();
    const [defect] = defects;
    if (defects.length > 0 && !options.toleratesDefects) {
      throw new Failed(`${name}: a defect: ${defect instanceof Error ? (defect.stack ?? '') : String(defect)}`);
    }
  }
  const close = () => (closing ??= end());
  context.onEnd(close);

  const outputs = async () => (await readdir(outputFolder).catch(() => [])).sort();
  const job = (id: string): Job => {
    const found = store.get(id);
    if (!found) throw new Failed(`${name}: job ${id} is gone`);
    return found;
  };

  return {
    ...queue,
    name,
    dataFolder,
    outputFolder,
    proxy,
    connection,
    service: connections.service(connection.id),
    progress,
    sends,
    async convert(paths, { connection: chosen = connection, format = '.wav' } = {}) {
      const settings = { ...defaultSettings.conversion, voiceId: testVoice.id, format, engine: 'v5' } as const;
      const { ids } = await submitJobs.add(paths, { ...orderOf(chosen), settings }, new AbortController().signal);
      return ids;
    },
    speak: (words = '') =>
      submitJobs.addSpeech(`${number} ${words}`.trim(), { ...orderOf(connection), settings: spokenWith }).id,
    job,
    async ended(ids) {
      const gone = new Set(['done', 'failed', 'cancelled', 'uncertain']);
      await until('the jobs have ended', () => ids.every((id) => gone.has(job(id).state)));
      return settled(store, ids);
    },
    until,
    async quiet() {
      await until('nothing is under way', () => !isActive && proxy.calls.every(({ outcome }) => outcome !== 'open'));
    },
    outputs,
    temporaries: async () => (await outputs()).filter((file) => file.startsWith('.')),
    mostPaid: () => most(paidCalls(proxy.calls)),
    async runs() {
      const tasks = new Set(proxy.calls.map(({ task }) => task));
      const counted = [...(await countEngineWork(engine.dataDirectory))].filter(([task]) => tasks.has(task));
      return counted.reduce((sum, [, count]) => sum + count, 0);
    },
    close,
  };
}
