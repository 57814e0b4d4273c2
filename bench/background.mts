// The program without its window, watching an empty folder: its memory beside an empty electron-vite Svelte app with a window, what it
// does while idle, and how soon its window is painted again. Summed over all processes, in proportional set size. Linux only.
//   npm run bench background [idle seconds]
import { build } from 'electron-vite';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { findHost } from '../scripts/find-host.mts';
import { root } from '../scripts/root.mts';
import type { Transport } from '../src/shared/ipc/client.ts';
import { defaultSettings } from '../src/shared/schemas/settings.ts';
import { watchedExtensions, type WatchSettings } from '../src/shared/schemas/watch.ts';
import { paintedAt } from './paint-time.mts';

const idleSeconds = Number(process.argv[2] ?? 60);
const goals = { memoryMB: 120, corePercent: 0.2, paintMs: 400 };
const clockTicksPerSecond = 100;

interface Usage {
  readonly megabytes: number;
  /** Seconds of the processor so far. */
  readonly processor: number;
  /** Voluntary context switches so far, without those of the scanner. */
  readonly wakeUps: number;
  readonly scannerWakeUps: number;
}

/** The process and all its descendants. */
async function treeOf(pid: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) && (await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''));
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isInside = (one: number): boolean => one === pid || (parents.has(one) && isInside(parents.get(one) ?? 0));
  return [...parents.keys()].filter(isInside);
}

async function usageOf(pid: number): Promise<Usage> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [, pss = 0] = /^Pss:\s+(\d+) kB/m.exec(await read('smaps_rollup')) ?? [];
  const fields = (await read('stat')).split(') ')[1]?.split(' ') ?? [];
  let wakeUps = 0;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    wakeUps += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(await read(`task/${thread}/status`))?.[1] ?? 0);
  }
  const isScanner = (await read('cmdline')).includes('scanner');
  const processor = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / clockTicksPerSecond;
  return {
    megabytes: Number(pss) / 1000,
    processor,
    wakeUps: isScanner ? 0 : wakeUps,
    scannerWakeUps: isScanner ? wakeUps : 0,
  };
}

async function usageOfAll(app: ElectronApplication): Promise<Usage> {
  const all = await Promise.all((await treeOf(app.process().pid ?? 0)).map(usageOf));
  const sum = (of: keyof Usage) => all.reduce((total, one) => total + one[of], 0);
  return {
    megabytes: sum('megabytes'),
    processor: sum('processor'),
    wakeUps: sum('wakeUps'),
    scannerWakeUps: sum('scannerWakeUps'),
  };
}

/** What an app does while idle: its memory, its share of a core in percent, and its wake-ups a second. */
async function idle(app: ElectronApplication) {
  await delay(10_000);
  const before = await usageOfAll(app);
  await delay(idleSeconds * 1000);
  const after = await usageOfAll(app);
  return {
    megabytes: Math.round(after.megabytes),
    core: (100 * (after.processor - before.processor)) / idleSeconds,
    wakeUps: (after.wakeUps - before.wakeUps) / idleSeconds,
    scannerWakeUps: (after.scannerWakeUps - before.scannerWakeUps) / idleSeconds,
  };
}

const launch = (app: string, dataFolder: string, path: string) =>
  _electron.launch({
    executablePath: findHost().executable,
    args: [app, `--user-data-dir=${dataFolder}`],
    env: { ...(process.env as Record<string, string>), PATH: path, TIMBRE_DATA_DIR: dataFolder },
    colorScheme: null,
  });

async function loadedPage(window: Promise<Page>): Promise<Page> {
  const page = await window;
  await page.waitForURL((url) => url.protocol === 'app:' || url.hostname.endsWith('.localhost'));
  return page;
}

/** Watches a folder as the user's form does: main accepts only a folder from its dialog. */
async function watch(app: ElectronApplication, page: Page, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, folder);
  const conversion = { ...defaultSettings.conversion };
  const settings: WatchSettings = {
    path: folder,
    isRecursive: true,
    endings: watchedExtensions,
    connectionId: 'local',
    conversion,
    outputFolder: null,
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
  };
  await page.evaluate(async (wanted) => {
    const call = async (channel: string, input?: unknown): Promise<unknown> => {
      const reply = await (window as unknown as { bridge: Transport }).bridge.invoke(channel, input);
      if (!reply.ok) throw new Error(`${channel}: ${reply.error.code}`);
      return reply.value;
    };
    await call('app:chooseFolder');
    const any = { category: '', gender: '', language: '' };
    const found = await call('voices:list', { connectionId: 'local', page: 0, limit: 1, ...any });
    const voiceId = (found as { voices: { id: string }[] }).voices[0]?.id ?? '';
    await call('watch:save', { id: null, settings: { ...wanted, conversion: { ...wanted.conversion, voiceId } } });
    await call('settings:update', { closeAction: 'background' });
  }, settings);
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
try {
  const empty = join(root, 'bench/empty-app');
  await build({ root: empty, configFile: join(empty, 'electron.vite.config.js'), logLevel: 'error' });
  const path = process.env['PATH'] ?? '';
  const plain = await launch(empty, join(folder, 'empty'), path);
  await loadedPage(plain.firstWindow());
  const emptyIdle = await idle(plain);
  await plain.close();

  const programs = join(folder, 'programs');
  await mkdir(programs);
  await mkdir(join(folder, 'in'));
  await writeFile(join(programs, 'gdbus'), "#!/bin/sh\necho '(<true>,)'\n");
  await chmod(join(programs, 'gdbus'), 0o755);
  const timbre = await launch(root, join(folder, 'data'), `${programs}:${path}`);
  await watch(timbre, await loadedPage(timbre.firstWindow()), join(folder, 'in'));
  const { megabytes: openMB } = await usageOfAll(timbre);
  // The minute until the page is unloaded passes at once.
  await timbre.evaluate(({ BrowserWindow }) => {
    const wait = globalThis.setTimeout;
    Object.assign(globalThis, { setTimeout: (run: () => void, ms: number) => wait(run, ms === 60_000 ? 0 : ms) });
    BrowserWindow.getAllWindows()[0]?.close();
  });
  const timbreIdle = await idle(timbre);
  const windows = await timbre.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  if (windows > 0) throw new Error('the window is still there');

  const reopened = timbre.waitForEvent('window');
  const asked = await timbre.evaluate(({ app }) => {
    const now = Date.now();
    app.emit('second-instance', {}, [], '');
    return now;
  });
  const painted = await paintedAt(await loadedPage(reopened));
  await timbre.evaluate(({ app }) => app.exit());

  console.log(
    `memory in the background ${timbreIdle.megabytes} MB, with its window ${Math.round(openMB)} MB, empty app ` +
      `${emptyIdle.megabytes} MB: ${timbreIdle.megabytes - emptyIdle.megabytes} MB over it (goal ${goals.memoryMB})`,
  );
  console.log(
    `idle for ${idleSeconds} s: ${timbreIdle.core.toFixed(2)} % of a core (goal ${goals.corePercent}), empty app ` +
      `${emptyIdle.core.toFixed(2)} %; wake-ups a second: scanner ${timbreIdle.scannerWakeUps.toFixed(1)}, all others ` +
      `${timbreIdle.wakeUps.toFixed(1)} (goal 0 over the empty app), empty app ${emptyIdle.wakeUps.toFixed(1)}`,
  );
  console.log(`window painted again after ${Math.round(painted - asked)} ms (goal ${goals.paintMs})`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
