import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { HealthCheck } from '../../../shared/schemas/diagnostics.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import type { Core } from '../core.ts';
import type { Data } from '../data.ts';
import type { Connection } from '../voice-service/connection.ts';
import { replyJson } from '../voice-service/scripted-service.fixture.ts';
import { useServices } from '../voice-service/service.fixture.ts';
import { clockSkewSeconds, planChecks, runChecks } from './health-checks.ts';

describe('planChecks', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-checks-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** The parts of a core that the checks use. */
  function coreWith(connections: readonly Connection[], change: Partial<Core> = {}): Core {
    return {
      connections: createConnectionRegistry(http(), connections),
      http: http(),
      data: () => Promise.resolve({ refusal: null } as Data),
      secrets: { keychainProblem: () => Promise.resolve(null) } as Core['secrets'],
      ...change,
    } as Core;
  }

  const places = () => ({ dataFolder: folder, outputFolder: folder });
  const lineOf = (lines: readonly HealthCheck[], name: string) => lines.find(({ subject }) => subject === name);
  const voices = { page: 0, limit: 1, total: 0, voices: [] };

  describe('the health checks', () => {
    it('report each line as it completes, and do not wait for a slow connection', async () => {
      const answer = Promise.withResolvers<undefined>();
      const slow = await start(async (_, response) => {
        await answer.promise;
        replyJson(response, voices);
      });
      const others = Promise.withResolvers<undefined>();
      const plan = await planChecks(coreWith([slow.connection()]), places());
      const running = runChecks(plan, signal, (lines) => {
        const open = lines.filter(({ result }) => result === null).map(({ subject }) => subject);
        if (open.join() === 'connection/Studio,clock') others.resolve(undefined);
      });
      await others.promise;
      answer.resolve(undefined);
      const lines = await running;
      expect(lines.map(({ subject }) => subject)).toEqual([
        'data-folder',
        'data',
        'connection/Studio',
        'keychain',
        'output-folder',
        'disk',
        'data-disk',
        'clock',
        'watching',
      ]);
      expect(lines.every(({ result }) => result?.ok)).toBe(true);
    });

    it('state the fault as facts and continue with the rest', async () => {
      const service = await start((_, response) => replyJson(response, { error: 'No.' }, 401));
      const core = coreWith([service.connection()], {
        data: () => Promise.reject(new AppError('data/newer', 'newer')),
        secrets: { keychainProblem: () => Promise.resolve('no bus') } as Core['secrets'],
      });
      const nowhere = join(folder, 'nowhere');
      const lines = await runChecks(await planChecks(core, { dataFolder: folder, outputFolder: nowhere }), signal);
      expect(lines.filter(({ result }) => !result?.ok).map(({ result }) => result?.finding)).toEqual([
        { kind: 'not-open', problem: { code: 'data/newer' } },
        {
          kind: 'fails',
          connection: 'Studio',
          problem: { code: 'auth/refused', facts: { status: 401 }, words: 'No.' },
        },
        { kind: 'no-keychain', why: 'no bus' },
        { kind: 'not-writable', folder: nowhere },
      ]);
    });

    it('name the reason why the data can only be read', async () => {
      const refusal = new AppError('data/newer', 'newer');
      const core = coreWith([], { data: () => Promise.resolve({ refusal } as Data) });
      const lines = await runChecks(await planChecks(core, places()), signal);
      expect(lines.find(({ result }) => !result?.ok)?.result?.finding).toEqual({
        kind: 'not-open',
        problem: { code: 'data/newer' },
      });
    });

    it('redact a token that a service echoes', async () => {
      const service = await start(({ headers }, response) =>
        replyJson(response, { error: `Who is ${headers.authorization ?? ''}?` }, 401),
      );
      const lines = await runChecks(await planChecks(coreWith([service.connection({}, 'CANARY-1')]), places()), signal);
      expect(lineOf(lines, 'connection/Studio')?.result?.finding).toMatchObject({
        problem: { words: 'Who is Bearer •••?' },
      });
      expect(JSON.stringify(lines)).not.toContain('CANARY');
    });

    it('remove what a check that was killed left, and nothing else', async () => {
      const old = `.timbre-check-${randomUUID()}`;
      const running = `.timbre-check-${randomUUID()}`;
      const foreign = [`.timbre-check-${randomUUID()}`, '.timbre-check-mine'];
      await writeFile(join(folder, old), 'timbre');
      await writeFile(join(folder, running), '');
      for (const name of foreign) await writeFile(join(folder, name), 'somebody’s words');
      for (const name of [old, ...foreign]) await utimes(join(folder, name), 1000, 1000);
      await runChecks(await planChecks(coreWith([]), places()), signal);
      expect((await readdir(folder)).toSorted()).toEqual([running, ...foreign].toSorted());
    });

    it.skipIf(process.getuid?.() !== 0)('tell a full disk from a folder that is not writable', async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]);
      try {
        await expect(writeFile(join(folder, 'large'), Buffer.alloc(20_000))).rejects.toThrow('ENOSPC');
        const lines = await runChecks(await planChecks(coreWith([]), places()), signal);
        const finding = { kind: 'full', folder, bytes: 0 };
        expect(lineOf(lines, 'data-folder')?.result).toEqual({ ok: false, finding });
      } finally {
        execFileSync('umount', [folder]);
      }
    });

    it('skip a results folder that is not set, and report a data folder that is not writable', async () => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      const plan = await planChecks(coreWith([]), { dataFolder: join(file, 'data'), outputFolder: null });
      const lines = await runChecks(plan, signal);
      expect(lines.map(({ subject }) => subject)).toEqual(['data-folder', 'data', 'keychain', 'data-disk', 'clock']);
      expect(lineOf(lines, 'data-folder')?.result?.ok).toBe(false);
      expect(lineOf(lines, 'clock')?.result?.finding).toEqual({ kind: 'no-clock' });
    });
  });
});

describe('clockSkew', () => {
  const at = Date.parse('2026-03-01T12:00:00Z');
  const header = 'Sun, 01 Mar 2026 12:00:00 GMT';

  describe('the clock skew', () => {
    it.each([
      [0, 0, 0],
      [900, 950, 0],
      [-500, 10, 0],
      [10_999, 11_050, 10],
      [-300_500, -300_000, 300],
    ])(
      'is measured from the nearest time at which the header may have been written (%i, %i)',
      (sent, received, skew) => {
        expect(clockSkewSeconds(header, at + sent, at + received)).toBe(skew);
      },
    );

    it('is unknown without a date', () => {
      expect(clockSkewSeconds('', at, at)).toBeNull();
      expect(clockSkewSeconds('soon', at, at)).toBeNull();
    });
  });
});
