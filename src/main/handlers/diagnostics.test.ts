import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { HealthReport } from '../../shared/schemas/diagnostics.ts';
import { systemClock } from '../core/clock.ts';
import { createConnectionRegistry } from '../core/connections/connection-registry.ts';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import { failure, useServices } from '../core/voice-service/service.fixture.ts';
import { replyJson, type ScriptedService } from '../core/voice-service/scripted-service.fixture.ts';
import { createDiagnosticsHandlers } from './diagnostics.ts';

const { http, start } = useServices();
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-diagnostics-'))));
afterEach(() => rm(folder, { recursive: true }));

function open(service: ScriptedService, chooseFile: () => Promise<string | null> = () => Promise.resolve(null)) {
  const reports: HealthReport[] = [];
  const core = {
    connections: createConnectionRegistry(http(), [service.connection()]),
    http: http(),
    data: () => Promise.resolve({} as never),
    secrets: { keychainProblem: () => Promise.resolve(null), placeOf: () => Promise.resolve('file') },
    signal: new AbortController().signal,
  } as unknown as Core;
  const handlers = createDiagnosticsHandlers({
    core,
    isPortable: false,
    settings: () => Promise.resolve({ get: () => defaultSettings } as SettingsStore),
    clock: systemClock,
    version: '1.2.3',
    dataFolder: folder,
    chooseFile,
    reveal: () => undefined,
    emitChecked: (round) => reports.push(round),
  });
  return { handlers, reports };
}

describe('diagnostics', () => {
  it('uploads the chosen recording by its id, and no path from a page', async () => {
    const path = join(folder, 'take.wav');
    await writeFile(path, 'RIFF');
    const service = await start((_, response) => replyJson(response, { uuid: 't' }));
    const { handlers } = open(service, () => Promise.resolve(path));
    const upload = (audioFile: string) =>
      handlers.call({
        connectionId: 'test',
        call: { operation: 'upload', uuid: 't', 'Changer-Type': 'FVC', audioFile },
      });
    for (const madeUp of [path, '', 'undefined']) {
      const error = await failure(Promise.resolve(upload(madeUp)));
      expect(error.problem).toMatchObject({ code: 'request/invalid', facts: { field: 'call.audioFile' } });
    }
    expect(service.requests).toHaveLength(0);
    const file = await handlers.chooseFile();
    expect(file).toMatchObject({ name: 'take.wav', sizeBytes: 4 });
    expect(JSON.stringify(file)).not.toContain(folder);
    expect(await upload(file?.id ?? '')).toMatchObject({ problem: null, tokenSource: 'file' });
  });

  it('runs the checks once for concurrent requests, and emits their lines', async () => {
    const service = await start((_, response) => replyJson(response, { page: 0, limit: 1, total: 0, voices: [] }));
    const { handlers, reports } = open(service);
    const [first, second] = await Promise.all([handlers.runChecks(), handlers.runChecks()]);
    expect(second).toBe(first);
    expect(reports.at(0)?.checks.every(({ result }) => result === null)).toBe(true);
    expect(reports.at(-1)?.checks).toEqual(first.checks);
    expect(first).toMatchObject({ version: '1.2.3', system: expect.stringContaining('Node 24') as string });
  });

  it('cancels nothing if no call runs', async () => {
    const service = await start(() => undefined);
    await expect(open(service).handlers.cancelCall()).resolves.toBeUndefined();
  });
});
