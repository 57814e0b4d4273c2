import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from '../../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../../src/main/core/connections/connection-registry.ts';
import { readFileConnection } from '../../../../src/main/core/connections/connection-file.ts';
import { createLocalConnection, createLocalEngine } from '../../../../src/main/core/connections/local-engine.ts';
import { openDatabase } from '../../../../src/main/core/database/database.ts';
import type { Job } from '../../../../src/main/core/jobs/job.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import { createQueue } from '../../../../src/main/core/jobs/queue.ts';
import { settled } from '../../../../src/main/core/jobs/wait-for-jobs.ts';
import type { Connection } from '../../../../src/main/core/voice-service/connection.ts';
import { createHttp } from '../../../../src/main/core/voice-service/http.ts';
import { defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import { crashAt } from './crash-at.ts';
import { createMeasure } from './measure.ts';
import { forkEntry } from './fork-entry.ts';
import type { QueueMessage, QueueOrder } from './queue-order.ts';

/**
 * The app's queue without its window: the process that the kill loops kill. Adds what the data folder does not hold yet, takes up what
 * dead processes left, works until every job has ended, and exits with 0.
 */

const tell = (message: QueueMessage) => process.send?.(message);

const order = JSON.parse(process.argv[2] ?? '') as QueueOrder;
const { dataFolder, outputFolder, remote, sources, texts, crash, stays, measures = false } = order;

async function openConnection(): Promise<{ readonly connection: Connection; stop(): Promise<void> }> {
  if (remote) {
    return {
      connection: await readFileConnection(remote.file, remote.token ?? process.env['TIMBRE_TOKEN'] ?? null),
      stop: () => Promise.resolve(),
    };
  }
  const engine = createLocalEngine({ spawnService: forkEntry, dataFolder });
  return { connection: createLocalConnection(engine, () => 2), stop: engine.stop };
}

const { connection, stop } = await openConnection();
const http = createHttp();
const database = await openDatabase(dataFolder);
const measure = createMeasure();
const queue = createQueue(database, {
  dataFolder,
  clock: systemClock,
  random: Math.random,
  connections: createConnectionRegistry(http, [connection]),
  role: 'app',
  onProgress: measure.onProgress,
  onDefect: (error) => tell({ type: 'defect', message: error instanceof Error ? (error.stack ?? '') : String(error) }),
});
const { store, submitJobs, scheduler } = queue;
if (crash) crashAt(database, store, crash);

const asked = {
  connection: { id: connection.id, name: connection.document.name, document: connection.document },
  voice: testVoice,
  outputFolder,
};
const known = (): readonly Job[] => store.page(null, -1);
const knownSources = new Set(known().map((job) => (job.kind === 'conversion' ? job.source.path : '')));
const knownTexts = new Set(known().map((job) => (job.kind === 'speech' ? job.text : '')));
const newSources = sources.filter((path) => !knownSources.has(path));
scheduler.start();
tell({ type: 'ready' });
await submitJobs.add(
  newSources,
  {
    ...asked,
    nameTemplate: '{name}',
    settings: { ...defaultSettings.conversion, voiceId: testVoice.id, format: '.wav', engine: 'v5' },
  },
  new AbortController().signal,
);
for (const text of texts.filter((one) => !knownTexts.has(one))) {
  const settings = {
    voiceId: testVoice.id,
    language: 'en-US',
    speed: 1,
    pitch: 1,
    engine: 'v7',
    platform: 'web',
  } as const;
  // A unique name, so that outputs can be assigned to their process.
  submitJobs.addSpeech(text, { ...asked, nameTemplate: `{name} ${randomUUID()}`, settings });
}
const ids = known().map(({ id }) => id);
await settled(store, ids);
if (measures) tell({ type: 'figures', figures: measure.stop() });
tell({ type: 'ended', jobs: ids.length });
if (stays) await once(process, 'disconnect');
measure.stop();
await queue.stop();
await http.close();
await stop();
if (process.connected) process.disconnect();
