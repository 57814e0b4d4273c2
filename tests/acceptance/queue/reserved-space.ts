// Fails when something is paid for whose result has no room, or when a queue waits although there is room.
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { readRows, type Rows } from '../support/queue/read-rows.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const mebibyte = 1024 ** 2;

interface Case {
  readonly name: string;
  /** What is full: where results go, or where the journal is. */
  readonly where: 'OUT' | 'DATA';
  /** Bytes that are left. */
  readonly leftBytes: number;
  readonly isPaused: boolean;
}

/** A file system of its own with so much free; the data folder needs some of it before it is filled. */
const mountScript = 'mount -t tmpfs -o size=16m tmpfs "$AT" && exec "$0" "$@"';

/**
 * Reads a copy, because SQLite would follow the link that leads into the mount to a path of ours. Undefined if a checkpoint came between
 * the copies of the two files.
 */
async function copiedRows(from: string, to: string): Promise<Rows | undefined> {
  await mkdir(to, { recursive: true });
  for (const name of [databaseName, `${databaseName}-wal`]) await copyFile(join(from, name), join(to, name));
  try {
    return readRows(to);
  } catch (error) {
    if (error instanceof Error && /no such table|malformed/.test(error.message)) return undefined;
    throw error;
  }
}

async function run(context: ScenarioContext, engine: EngineProcess, source: string, one: Case): Promise<void> {
  const { name, where, leftBytes, isPaused } = one;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const [dataFolder, outputFolder] = [join(folder, 'data'), join(folder, 'out')];
  await mkdir(dataFolder, { recursive: true });
  await mkdir(outputFolder);
  const proxy = await context.startProxy({ target: engine.origin });
  const isFilled = Promise.withResolvers<void>();
  proxy.script([{ operation: 'create-task', times: 1, fault: { kind: 'hold', at: 'reply', until: isFilled.promise } }]);
  const file = join(folder, 'studio.json');
  await writeFile(file, JSON.stringify(proxy.document()));
  const order: QueueOrder = {
    dataFolder,
    outputFolder,
    remote: { file, token: engine.token },
    sources: [source],
    texts: [],
    crash: null,
    stays: true,
  };
  const at = where === 'OUT' ? outputFolder : dataFolder;
  const queue = spawnQueue(context, order, ['unshare', '-Urm', 'sh', '-c', mountScript], { AT: at });
  await queue.ready;
  // Its mounts are private.
  const root = `/proc/${queue.pid}/root`;
  await proxy.waitFor(({ operation }) => operation === 'create-task');
  const used = await Promise.all(
    (await readdir(join(root, at), { recursive: true })).map(async (path) => (await stat(join(root, at, path))).size),
  );
  const free = 16 * mebibyte - used.reduce((sum, size) => sum + size, 0) - 256 * 1024;
  await writeFile(join(root, at, 'filler'), Buffer.alloc(Math.max(0, free - leftBytes)));
  isFilled.resolve();
  const paused = async () => {
    const rows =
      where === 'DATA' ? await copiedRows(join(root, dataFolder), join(folder, 'copy')) : readRows(dataFolder);
    return rows?.pauses[0]?.['reason'];
  };
  if (isPaused) {
    const startedMs = performance.now();
    while ((await paused()) !== 'disk') {
      must(performance.now() - startedMs < 20_000, `${name}: the queue does not pause`);
      await sleep(50);
    }
    const calls = proxy.calls.filter(({ operation }) => operation === 'upload' || operation === 'convert').length;
    must(calls === 0, `${name}: ${calls} calls, though there is no room`);
    await rm(join(root, at, 'filler'));
  }
  await queue.ended;
  must(proxy.count({ operation: 'convert' }) === 1, `${name}: paid ${proxy.count({ operation: 'convert' })} times`);
  await queue.leave();
}

export const scenario: Scenario = {
  id: 'Q26',
  title: 'without space for a result or the journal nothing is paid',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1, 30);
    const resultBytes = (await stat(source)).size;
    const cases: readonly Case[] = [
      ...[0, 0.5, 0.9].map((part) => ({
        name: `room for ${part} of the result`,
        where: 'OUT' as const,
        leftBytes: Math.round(part * resultBytes),
        isPaused: true,
      })),
      { name: 'room for the result', where: 'OUT', leftBytes: 6 * resultBytes, isPaused: false },
      { name: 'data folder nearly full', where: 'DATA', leftBytes: 0.75 * mebibyte, isPaused: true },
    ];
    for (const one of cases) await run(context, engine, source, one);
    return { cases: cases.length, 'paid without room': 0 };
  },
};
