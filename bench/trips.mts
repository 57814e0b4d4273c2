// How many files of src/main a dropped file, a watched file and a search cross: those in which a function ran from the request until the
// job was done or the rows were there. Starting the app is not counted. The baseline is the number of all files of src/main.
// The scanner runs in a process of its own, whose coverage includes its start.
import { mkdir, mkdtemp, readdir, readFile, rm, copyFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultSettings } from '../src/shared/schemas/settings.ts';
import { testVoice } from '../src/main/core/jobs/job.fixture.ts';
import { openHistory } from '../tests/acceptance/support/history/open-history.ts';

const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'timbre-trips-'));
const scannerCoverage = join(folder, 'scanner-coverage');
await mkdir(scannerCoverage);
// Inherited by the child processes only: this one has started.
process.env['NODE_V8_COVERAGE'] = scannerCoverage;

const settleMs = 2000;

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** Files of src/main with a function that ran. The function at offset 0 is the module itself. */
function ranFiles(scripts: readonly ScriptCoverage[]): ReadonlySet<string> {
  const ran = scripts.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.startOffset ?? 0) > 0 && (ranges[0]?.count ?? 0) > 0),
  );
  const paths = ran
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((path) => path.startsWith('src/main/') && !path.includes('.fixture.'));
  return new Set(paths);
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function trip(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  // The one before has ended when nothing of it is polled any more.
  await sleep(settleMs);
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return ranFiles(result);
}

const cleanUps: (() => Promise<unknown>)[] = [];
const timbre = await openHistory({ folder: join(folder, 'app'), onEnd: (cleanUp) => cleanUps.push(cleanUp) });
await timbre.sound();
const sample = join(root, 'samples/lantern.mp3');
// Whatever happens once, such as starting the engine, is not part of a trip.
await timbre.convert([sample]);

const idle = await trip(() => sleep(settleMs));
const dropped = await trip(() => timbre.convert([sample]));
const searched = await trip(() => timbre.rows('lantern'));

const watchedFolder = join(folder, 'watched');
await mkdir(watchedFolder);
await timbre.chooseFolder(watchedFolder);
await timbre.api.watch.save({
  id: null,
  settings: {
    path: watchedFolder,
    isRecursive: true,
    endings: ['.mp3'],
    connectionId: 'local',
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5', format: '.wav' },
    outputFolder: null,
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
  },
});
while ((await timbre.api.watch.list()).some(({ checkedAt }) => checkedAt === null)) await sleep(50);
const before = await timbre.ids();
const inMain = await trip(async () => {
  await copyFile(sample, join(watchedFolder, 'lantern.mp3'));
  while ((await timbre.ids()).size === before.size) await sleep(20);
});
await timbre.endedSince(before, 1);
for (const cleanUp of cleanUps) await cleanUp();
const scripts = (
  await Promise.all(
    (await readdir(scannerCoverage)).map(async (name) => {
      const { result } = JSON.parse(await readFile(join(scannerCoverage, name), 'utf8')) as {
        readonly result: readonly ScriptCoverage[];
      };
      return result.some(({ url }) => url.endsWith('/processes/scanner.ts')) ? result : [];
    }),
  )
).flat();
const inScanner = ranFiles(scripts);
const watched = new Set([...inMain, ...inScanner]);
await rm(folder, { recursive: true });

const all = (await readdir(join(root, 'src/main'), { recursive: true })).filter(
  (name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name),
).length;
for (const [name, files, most] of [
  ['a dropped file until its job is done', dropped, 48],
  ['a watched file from its event to its job', watched, 37],
  ['a search from its query to its rows', searched, 14],
] as const) {
  const alsoIdle = [...files].filter((file) => idle.has(file)).length;
  console.log(
    `${name}: ${files.size} of ${all} files of src/main, ratio ${(files.size / all).toFixed(2)} (goal ${most} files); ` +
      `${alsoIdle} of them also run while the app is idle`,
  );
  if (process.argv.includes('--files')) for (const file of [...files].sort()) console.log(`  ${file}`);
}
