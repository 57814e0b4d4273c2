import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../src/main/core/connections/connection-registry.ts';
import { openDatabase } from '../../src/main/core/database/database.ts';
import { conversionJob, testVoice } from '../../src/main/core/jobs/job.fixture.ts';
import { createQueue } from '../../src/main/core/jobs/queue.ts';
import { createHttp } from '../../src/main/core/voice-service/http.ts';
import { createNameOrder } from '../../src/main/core/name-order.ts';
import { createWatch, type FolderView } from '../../src/main/core/watch/watch-service.ts';
import { watchedExtensions } from '../../src/shared/schemas/watch.ts';
import { root } from '../../scripts/root.mts';

const pollMs = 5;

const threads = {
  'baseline-worker': 'src/main/core/watch/baseline-worker.ts',
  'checkpoint-worker': 'src/main/core/database/checkpoint-worker.ts',
  'inspection-worker': 'src/sound/inspection-worker.ts',
  'sound-worker': 'src/sound/sound-worker.ts',
} as const;

const threadUrl = (name: keyof typeof threads): URL => pathToFileURL(join(root, threads[name]));

/** The app's watch with its scanner process; its queue converts nothing. */
export async function openTimbre(dataFolder: string) {
  const { connection, settings } = conversionJob();
  const remote = { id: connection.id, kind: 'remote', document: connection.document } as const;
  const http = createHttp();
  const connections = createConnectionRegistry(http, [{ ...remote, access: () => new Promise(() => undefined) }]);
  const database = await openDatabase(dataFolder);
  const shared = { clock: systemClock, connections, onDefect: console.error };
  const queue = createQueue(database, {
    ...shared,
    dataFolder,
    random: Math.random,
    role: 'app',
    threadUrl,
    onProgress: () => undefined,
  });
  let pid = 0;
  const watch = createWatch({
    compareNames: createNameOrder(() => 'en'),
    ...shared,
    voices: { listAll: () => Promise.resolve({ voices: [], problem: null }) },
    database,
    queue,
    threadUrl,
    spawnService() {
      const child = fork(join(root, 'src/processes/scanner.ts'), [], { execArgv: ['--expose-gc'] });
      pid = child.pid ?? 0;
      return {
        send: (message) => void (child.connected && child.send(message as object, () => undefined)),
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.once('exit', listener),
        kill: () => void child.kill('SIGKILL'),
      };
    },
    nameTemplate: () => '{name}',
    pronunciations: () => [],
    trash: () => Promise.reject(new Error('nothing is thrown away here')),
  });

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }

  return {
    watch,
    queue,
    until,
    watcherPid: () => pid,
    /** Resolves once the folder was scanned and events arrive. */
    async add(path: string): Promise<FolderView> {
      const { folder } = await watch.save(
        null,
        {
          path,
          isRecursive: true,
          endings: watchedExtensions,
          connectionId: connection.id,
          conversion: settings,
          outputFolder: null,
          afterwards: 'keep',
          dailyMinutes: null,
          hours: null,
          hasSubfolderVoices: false,
          speech: null,
          runsHook: true,
        },
        testVoice,
      );
      // Queried only on events, because each view counts fifty thousand files.
      return new Promise((resolve) => {
        const forget = watch.onFolder(() => {
          const view = watch.getFolder(folder.id);
          if (view.checkedAt === null || (view.mode !== 'watching' && view.mode !== 'polling')) return;
          forget();
          resolve(view);
        });
      });
    },
    async stop(): Promise<void> {
      await watch.stop();
      await queue.stop();
      await http.close();
    },
  };
}
