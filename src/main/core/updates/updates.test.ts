import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { UpdateStatus } from '../../../shared/schemas/update.ts';
import { createHttp } from '../voice-service/http.ts';
import type { ReleaseFeed } from './release-feed.ts';
import { fileOf, listOf, page, releaseOf, type ReleaseServer, startReleaseServer } from './release-server.fixture.ts';
import { createUpdates, findUpdate, listName, type UpdateFile, type Updates } from './updates.ts';

const start = Date.parse('2026-11-26T12:00:00Z');
const hourMs = 3_600_000;

let server: ReleaseServer;
let folder: string;
let now: number;
let sleepers: Map<() => void, number>;
let isOffline: boolean;
let openJobs: boolean;
let errors: unknown[];
let installs: string[];

beforeEach(async () => {
  server = await startReleaseServer();
  folder = mkdtempSync(join(tmpdir(), 'timbre-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  now = start;
  sleepers = new Map();
  isOffline = false;
  openJobs = false;
  errors = [];
  installs = [];
  onTestFinished(() => expect(errors).toEqual([]));
});

interface Options {
  readonly version?: string;
  readonly feed?: ReleaseFeed | null;
  readonly installs?: boolean;
}

async function open({ version = '0.1.0', feed = server.feed, installs: canInstall = true }: Options = {}) {
  const http = createHttp({ proxy: 'direct', isAllowed: () => !isOffline });
  const statuses: UpdateStatus[] = [];
  const updates = createUpdates({
    clock: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.set(resolve, now + ms);
          signal?.addEventListener('abort', () => {
            sleepers.delete(resolve);
            reject(signal.reason as Error);
          });
        }),
    },
    http,
    dataFolder: folder,
    version,
    arch: 'x64',
    feed,
    installer: canInstall
      ? {
          package: 'appimage',
          async download(file: UpdateFile, save) {
            await save(join(folder, file.name));
          },
          install: () => Promise.resolve(void installs.push(readFileSync(join(folder, fileOf(content).name), 'utf8'))),
        }
      : null,
    hasOpenJobs: () => Promise.resolve(openJobs),
    onError: (error) => errors.push(error),
  });
  updates.onChanged((status) => statuses.push(status));
  onTestFinished(async () => {
    updates.stop();
    await updates.check();
    await http.close();
  });
  updates.follow({ updates: { isOn: true, channel: 'stable' }, isOfflineMode: false });
  await updates.start();
  return { updates, statuses };
}

/** Lets the time pass, and what waits for it begin. */
async function pass(ms: number): Promise<void> {
  for (const end = now + ms; now < end;) {
    now = Math.min(end, ...sleepers.values());
    for (const [wake, at] of [...sleepers]) {
      if (at > now) continue;
      sleepers.delete(wake);
      wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (sleepers.size === 0) now = end;
  }
}

const content = Buffer.from('the new Timbre');
const publishNew = (version = '0.2.0') => {
  server.serve(fileOf(content).name, content);
  return server.publish(listOf(releaseOf(version, { files: [fileOf(content)] })));
};
const lists = () => server.requests.filter((path) => path === '/releases.jws').length;

describe('the version that is offered', () => {
  const beta = releaseOf('0.3.0-beta.2', { channel: 'beta' });
  it.each([
    ['a newer one', '0.1.0', 'stable', [releaseOf('0.2.0')], '0.2.0'],
    ['none that is the same', '0.2.0', 'stable', [releaseOf('0.2.0')], undefined],
    ['none that is older', '0.3.0', 'stable', [releaseOf('0.2.0')], undefined],
    ['newer by number, not by letter', '0.9.0', 'stable', [releaseOf('0.10.0')], '0.10.0'],
    ['no beta to a user of stable ones', '0.1.0', 'stable', [beta], undefined],
    ['a beta to a user of betas', '0.2.0', 'beta', [releaseOf('0.2.0'), beta], '0.3.0-beta.2'],
    ['the release to a user of its beta', '0.3.0-beta.2', 'beta', [releaseOf('0.3.0'), beta], '0.3.0'],
    [
      'none of a channel that it does not know',
      '0.1.0',
      'beta',
      [releaseOf('9.0.0', { channel: 'nightly' })],
      undefined,
    ],
    ['no step back from a beta', '0.3.0-beta.2', 'stable', [releaseOf('0.2.0'), beta], undefined],
    ['the release to a former user of betas', '0.3.0-beta.2', 'stable', [releaseOf('0.3.0'), beta], '0.3.0'],
  ] as const)('is %s', (_what, version, channel, releases, expected) =>
    expect(findUpdate(listOf(...releases), channel, version)?.version).toBe(expected),
  );
});

describe('looking', () => {
  it('is done soon after the start, and then once a day', async () => {
    await publishNew();
    const { updates } = await open();
    expect(lists()).toBe(0);
    await pass(60_000);
    await expect.poll(() => updates.status().available?.version).toBe('0.2.0');
    expect(lists()).toBe(1);
    await pass(23 * hourMs);
    expect(lists()).toBe(1);
    await pass(2 * hourMs);
    await expect.poll(lists).toBe(2);
  });

  it('is not done again at each start', async () => {
    await publishNew();
    const first = await open();
    await pass(60_000);
    await expect.poll(() => first.updates.status().available).not.toBeNull();
    first.updates.stop();
    await pass(hourMs);
    const { updates } = await open();
    // It is known, all the same.
    expect(updates.status()).toMatchObject({ available: { version: '0.2.0' }, checkedAt: start + 60_000 });
    await pass(hourMs);
    expect(lists()).toBe(1);
  });

  it('is not done while it is off, offline or without a feed, and begins when it is turned on', async () => {
    await publishNew();
    const { updates } = await open();
    updates.follow({ updates: { isOn: false, channel: 'stable' }, isOfflineMode: false });
    await pass(48 * hourMs);
    updates.follow({ updates: { isOn: true, channel: 'stable' }, isOfflineMode: true });
    await pass(48 * hourMs);
    const other = await open({ feed: null });
    await pass(48 * hourMs);
    expect([lists(), (await other.updates.check()).phase]).toEqual([0, 'unsupported']);
    updates.follow({ updates: { isOn: true, channel: 'stable' }, isOfflineMode: false });
    await pass(1000);
    await expect.poll(lists).toBe(1);
  });

  it('that fails by itself says nothing, and is tried again after an hour', async () => {
    const { updates, statuses } = await open();
    await pass(60_000);
    await expect.poll(lists).toBe(1);
    await publishNew();
    await expect.poll(() => sleepers.size).toBe(1);
    expect(statuses).toEqual([]);
    await pass(2 * hourMs);
    await expect.poll(() => updates.status().available?.version).toBe('0.2.0');
  });

  it('that the user asked for says what failed', async () => {
    const { updates, statuses } = await open();
    expect(await updates.check()).toMatchObject({ phase: 'idle', problem: { code: 'update/failed' } });
    expect(statuses.map(({ phase }) => phase)).toEqual(['checking', 'idle']);
    isOffline = true;
    expect(await updates.check()).toMatchObject({ problem: { code: 'network/offline-mode' } });
    isOffline = false;
    await publishNew();
    expect(await updates.check()).toMatchObject({ problem: null, available: { version: '0.2.0' }, checkedAt: start });
  });

  it('asked for while it is done anyway is answered by the same call', async () => {
    await publishNew();
    const { updates } = await open();
    const [one, two] = await Promise.all([updates.check(), updates.check()]);
    expect([one.available?.version, two.available?.version, lists()]).toEqual(['0.2.0', '0.2.0', 1]);
    expect(updates.status().phase).toBe('idle');
  });

  it('takes no list that is older than the last one, even after a restart', async () => {
    await publishNew('0.3.0');
    const first = await open();
    await first.updates.check();
    first.updates.stop();
    const { updates } = await open();
    await server.publish({ ...listOf(releaseOf('0.2.0')), issuedAt: '2026-11-01T10:00:00Z' });
    expect(await updates.check()).toMatchObject({
      problem: { code: 'update/list-invalid' },
      available: { version: '0.3.0' },
    });
  });

  it.each(['', '{', '{"checkedAt":0,"signed":"x"}', '[]'])('begins anew if what is kept of it is %j', async (kept) => {
    writeFileSync(join(folder, listName), kept);
    await publishNew();
    const { updates } = await open();
    expect(updates.status()).toMatchObject({ available: null, checkedAt: null });
    expect(await updates.check()).toMatchObject({ available: { version: '0.2.0' } });
  });

  it('goes on after the clock was set back by years', async () => {
    await publishNew();
    const first = await open();
    await first.updates.check();
    first.updates.stop();
    now = start - 1000 * 24 * hourMs;
    await open();
    await pass(25 * hourMs);
    await expect.poll(lists).toBe(2);
  });

  it('ends with Timbre', async () => {
    await publishNew();
    const { updates } = await open();
    updates.stop();
    await pass(48 * hourMs);
    expect([lists(), sleepers.size]).toEqual([0, 0]);
  });
});

describe('an update', () => {
  async function downloaded(updates: Updates): Promise<UpdateStatus> {
    await updates.check();
    return updates.download();
  }

  it('is downloaded and installed when the user says so, and only then', async () => {
    await publishNew();
    const { updates, statuses } = await open();
    await updates.check();
    await pass(100 * hourMs);
    expect([server.requests.includes(`/${fileOf(content).name}`), installs]).toEqual([false, []]);
    expect(await updates.download()).toMatchObject({ phase: 'downloaded', problem: null });
    expect(statuses.map(({ phase }) => phase)).toContain('downloading');
    expect(installs).toEqual([]);
    await updates.install();
    expect(installs).toEqual(['the new Timbre']);
  });

  it('is not installed while jobs are open, and is afterwards', async () => {
    await publishNew();
    const { updates } = await open();
    await downloaded(updates);
    openJobs = true;
    await expect(updates.install()).rejects.toMatchObject({ code: 'update/jobs-open' });
    expect([installs, updates.status().phase]).toEqual([[], 'downloaded']);
    openJobs = false;
    await updates.install();
    expect(installs).toHaveLength(1);
  });

  it('that is not the listed file is refused, and can be tried again', async () => {
    await publishNew();
    server.serve(fileOf(content).name, Buffer.from('something else'));
    const { updates } = await open();
    expect(await downloaded(updates)).toMatchObject({ phase: 'idle', problem: { code: 'update/failed' } });
    await updates.install();
    expect(installs).toEqual([]);
    rmSync(join(folder, fileOf(content).name));
    server.serve(fileOf(content).name, content);
    expect(await updates.download()).toMatchObject({ phase: 'downloaded', problem: null });
  });

  it('is only told where the package cannot replace itself, or none is for this processor', async () => {
    await publishNew();
    const package_ = await open({ installs: false });
    expect(await package_.updates.check()).toMatchObject({ canInstall: false, available: { version: '0.2.0' } });
    expect(package_.updates.page()).toBe(page);
    expect(await package_.updates.download()).toMatchObject({ phase: 'idle' });
    await server.publish(listOf(releaseOf('0.2.0', { files: [fileOf(content, { arch: 'arm64' })] })));
    const { updates } = await open();
    expect(await updates.check()).toMatchObject({ canInstall: false, available: { version: '0.2.0' } });
  });

  it('is installed once, however often the button is pressed', async () => {
    await publishNew();
    const { updates } = await open();
    await downloaded(updates);
    await Promise.all([updates.install(), updates.install()]);
    expect(installs).toHaveLength(1);
  });

  it('that takes more than a day to download does not end the looking', async () => {
    await publishNew();
    const { updates } = await open();
    await updates.check();
    const name = `/${fileOf(content).name}`;
    const held = Promise.withResolvers<void>();
    server.answer(name, (_request, response) => void held.promise.then(() => response.end(content)));
    const download = updates.download();
    await expect.poll(() => server.requests.includes(name)).toBe(true);
    await pass(25 * hourMs);
    await expect.poll(lists).toBe(2);
    await expect.poll(() => sleepers.size).toBe(1);
    held.resolve();
    expect(await download).toMatchObject({ phase: 'downloaded' });
    await pass(25 * hourMs);
    await expect.poll(lists).toBe(3);
  });

  it('that is ready makes room for a newer one', async () => {
    await publishNew();
    const { updates } = await open();
    await downloaded(updates);
    await publishNew('0.2.1');
    expect(await updates.check()).toMatchObject({ phase: 'idle', available: { version: '0.2.1' } });
    await updates.install();
    expect(installs).toEqual([]);
  });

  it('that is ready stays so while others are looked for', async () => {
    await publishNew();
    const { updates } = await open();
    await downloaded(updates);
    expect(await updates.check()).toMatchObject({ phase: 'downloaded' });
  });

  it('is offered in other channels as soon as the user selects one', async () => {
    await server.publish(listOf(releaseOf('0.2.0-beta.1', { channel: 'beta' })));
    const { updates, statuses } = await open();
    expect(await updates.check()).toMatchObject({ available: null });
    updates.follow({ updates: { isOn: true, channel: 'beta' }, isOfflineMode: false });
    expect(statuses.at(-1)).toMatchObject({ available: { version: '0.2.0-beta.1' } });
    updates.follow({ updates: { isOn: true, channel: 'stable' }, isOfflineMode: false });
    expect(statuses.at(-1)).toMatchObject({ available: null });
    expect(lists()).toBe(1);
  });

  it('is told although the list cannot be kept', async () => {
    await publishNew();
    const { updates } = await open();
    await writeFile(join(folder, `${listName}.x`), '');
    rmSync(folder, { recursive: true });
    expect(await updates.check()).toMatchObject({ problem: null, available: { version: '0.2.0' } });
    expect(errors.splice(0)).toEqual([expect.any(AppError)]);
    folder = mkdtempSync(join(tmpdir(), 'timbre-updates-'));
  });
});
