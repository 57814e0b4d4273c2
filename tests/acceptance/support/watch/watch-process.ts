import { systemClock } from '../../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../../src/main/core/connections/connection-registry.ts';
import { readFileConnection } from '../../../../src/main/core/connections/connection-file.ts';
import { openDatabase } from '../../../../src/main/core/database/database.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import { createQueue } from '../../../../src/main/core/jobs/queue.ts';
import { createHttp } from '../../../../src/main/core/voice-service/http.ts';
import { createNameOrder } from '../../../../src/main/core/name-order.ts';
import { createWatch } from '../../../../src/main/core/watch/watch-service.ts';
import { defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import { defaultFolderSpeech, watchedExtensions } from '../../../../src/shared/schemas/watch.ts';
import { crashAt, die, dieBefore } from '../queue/crash-at.ts';
import { forkEntry } from '../queue/fork-entry.ts';
import type { WatchAsk, WatchMessage, WatchOrder } from './watch-order.ts';

/**
 * The app's watch without a window, in a process that scenarios kill. Watches the folder of its order, reports when it was scanned,
 * and exits when all expected recordings are done.
 */

const pollMs = 20;
const order = JSON.parse(process.argv[2] ?? '') as WatchOrder;
const { root, dataFolder, outputFolder, file, token, afterwards, speaksTexts, crash, recordings, jumpMs = 0 } = order;
const tell = (message: WatchMessage) => process.send?.(message);

let jumpedMs = 0;
process.on('message', (ask: WatchAsk) => {
  if (ask === 'jump') jumpedMs += jumpMs;
  else if (ask === 'show') show();
  else database.exec(`PRAGMA query_only = ${ask === 'refuse writes'}`);
});
const clock = { ...systemClock, now: () => systemClock.now() + jumpedMs };

const connection = await readFileConnection(file, token);
const connections = createConnectionRegistry(createHttp({ proxy: 'direct' }), [connection]);
const database = await openDatabase(dataFolder);
const shared = {
  clock,
  connections,
  onDefect: (error: unknown) =>
    tell({ type: 'defect', message: error instanceof Error ? (error.stack ?? '') : String(error) }),
};
const queue = createQueue(database, {
  ...shared,
  dataFolder,
  random: Math.random,
  role: 'app',
  onProgress: () => undefined,
});
const watch = createWatch({
  compareNames: createNameOrder(() => 'en'),
  ...shared,
  voices: { listAll: () => Promise.resolve({ voices: [], problem: null }) },
  database,
  queue,
  spawnService: forkEntry,
  threadUrl: () => new URL('../../../../src/main/core/watch/baseline-worker.ts', import.meta.url),
  nameTemplate: () => '{name}',
  pronunciations: () => [],
  trash: () => Promise.reject(new Error('nothing is thrown away here')),
});

function show(): void {
  const problems = watch.listFolders().flatMap((folder) => folder.problems.map(({ code }) => code));
  const files = watch
    .listFolders()
    .flatMap(({ folder }) => watch.listFiles(folder.id, null, 'all', Number.MAX_SAFE_INTEGER));
  tell({ type: 'shown', shown: { jobs: queue.store.page(null, -1).length, files: files.length, problems } });
}

if (crash?.on === 'job') crashAt(database, queue.store, crash);
else if (crash?.on === 'ledger') dieBefore(database, 'INSERT ON main.watch_ledger');
else if (crash) {
  const [column, value] =
    crash.on === 'verdict' ? (['decision', crash.verdict] as const) : (['disposal_state', 'moved'] as const);
  if (crash.moment === 'before') dieBefore(database, `INSERT ON main.watched_file WHEN NEW.${column} = '${value}'`);
  else {
    watch.onFile(({ id, path }) => {
      const line = watch.findFile(id, path)?.record;
      if ((crash.on === 'verdict' ? line?.decision : line?.disposalState) === value) die();
    });
  }
}

queue.scheduler.start();
watch.start();
if (watch.listFolders().length === 0) {
  const settings = {
    path: root,
    isRecursive: true,
    endings: watchedExtensions,
    connectionId: connection.id,
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5', format: '.wav' },
    outputFolder,
    afterwards,
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: speaksTexts ? defaultFolderSpeech(connection.document.ranges) : null,
    runsHook: true,
  } as const;
  await watch.save(null, settings, testVoice);
}

let isToldWatching = false;
const timer = setInterval(() => {
  const [folder] = watch.listFolders();
  if (!folder) return;
  if (!isToldWatching && folder.mode === 'watching' && folder.checkedAt !== null) {
    isToldWatching = true;
    tell({ type: 'watching' });
  }
  const done = watch
    .listFiles(folder.folder.id, null, 'all', Number.MAX_SAFE_INTEGER)
    .filter(({ job, record }) => job?.state === 'done' && record.stage === 'rest');
  if (done.length < recordings) return;
  clearInterval(timer);
  tell({ type: 'ended' });
}, pollMs);
