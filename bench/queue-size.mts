// P2: ten thousand recordings are added to the queue. The baseline is the same rows written in one plain transaction.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { systemClock } from '../src/main/core/clock.ts';
import { createConnectionRegistry } from '../src/main/core/connections/connection-registry.ts';
import { openQueue } from '../src/main/core/jobs/open-queue.fixture.ts';
import { conversionJob, testVoice } from '../src/main/core/jobs/job.fixture.ts';
import { defaultNameTemplate } from '../src/shared/text/name-template.ts';
import { createHttp } from '../src/main/core/voice-service/http.ts';

const count = 10_000;
const folder = await mkdtemp(join(tmpdir(), 'timbre-queue-size-'));
try {
  await mkdir(join(folder, 'in'));
  const paths = Array.from({ length: count }, (_, k) => join(folder, 'in', `take ${k}.wav`));
  for (const path of paths) await writeFile(path, 'RIFF');
  const { connection, settings } = conversionJob();
  const remote = { id: connection.id, kind: 'remote', document: connection.document } as const;
  const http = createHttp();
  const queue = await openQueue({
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [{ ...remote, access: () => new Promise(() => undefined) }]),
    role: 'app',
    onProgress: () => undefined,
    onDefect: console.error,
  });
  queue.scheduler.start();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const begun = performance.now();
  await queue.submitJobs.add(
    paths,
    { connection, voice: testVoice, settings, outputFolder: null, nameTemplate: defaultNameTemplate },
    new AbortController().signal,
  );
  const addedMs = performance.now() - begun;
  lag.disable();
  console.log(`added ${count} in ${addedMs.toFixed(0)} ms (goal 1000)`);
  console.log(
    `main loop lag p99 ${(lag.percentile(99) / 1e6).toFixed(1)} ms, longest ${(lag.max / 1e6).toFixed(1)} ms (goal p99 20)`,
  );
  await queue.stop();
  await http.close();
} finally {
  await rm(folder, { recursive: true });
}
