import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { startScriptedService, type ScriptedService, type ServiceOptions } from './scripted-service.fixture.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { decideOutcome } from '../jobs/retry-policy.ts';
import type { Conversion } from './conversion.ts';
import { createHttp, type Http } from './http.ts';

type Script = Parameters<typeof startScriptedService>[0];

/** What tests of operations share: a network, a folder and scripted services, new for each test and gone after it. */
export function useServices() {
  const services: ScriptedService[] = [];
  let http: Http;
  let folder: string;
  beforeEach(async () => {
    http = createHttp();
    folder = await mkdtemp(join(tmpdir(), 'timbre-service-'));
  });
  afterEach(async () => {
    await http.close();
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await rm(folder, { recursive: true });
  });
  return {
    http: () => http,
    folder: () => folder,
    async start(script: Script, options?: ServiceOptions): Promise<ScriptedService> {
      const service = await startScriptedService(script, options);
      services.push(service);
      return service;
    },
  };
}

/** What a call failed with. Fails the test where it did not. */
export const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error as AppError,
  );

/** Whether a paid call that failed so is repeated without a question: what the queue decides, by its one list. */
export const neverArrived = (error: unknown): boolean =>
  error instanceof AppError &&
  decideOutcome(conversionJob({ state: 'converting' }), error.problem, { random: () => 0.5, pauseTries: () => 0 })
    .kind !== 'uncertain';

export const conversion: Conversion = {
  taskId: 't 1',
  voice: 'v',
  pitch: 1.5,
  speed: 0.8,
  outputFormat: '.mp3',
  audioName: 'n',
  platform: '',
  pitchControl: '',
  engine: 'v7',
  autoF0: true,
};

/** The hosts of a connection that has only one. */
export const hostsAt = (origin: string) => ({
  voice: origin,
  upload: origin,
  converter: origin,
  models: origin,
  sample: origin,
});
