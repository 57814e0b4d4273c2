// Fails when a full disk costs a job or a second conversion, leaves half a file, or keeps the queue standing once there is room.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Fault } from '../../faults/fault.ts';
import { countEngineWork } from '../../faults/engine-work.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { untilRows } from '../support/queue/read-rows.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const mebibyte = 1024 ** 2;
const fittingShare = 0.6;

interface DiskCase {
  readonly name: string;
  readonly diskBytes: number;
  /** Left out: the reply as it is. */
  readonly fault?: Fault;
  /** When the disk gets nearly full: while the paid call is answered, or after so many bytes of the result. Left out: from the start. */
  readonly fillsAt?: 'paid' | number;
}

/** A file system of its own over the output folder, with so much in it that only a part of the result fits. */
const mountScript =
  'mount -t tmpfs -o size=$DISK tmpfs "$OUT" && head -c $FILLED /dev/zero > "$OUT/filler" && exec "$0" "$@"';

async function checkDisk(
  context: ScenarioContext,
  engine: EngineProcess,
  source: string,
  resultBytes: number,
  { name, diskBytes, fault, fillsAt }: DiskCase,
): Promise<void> {
  context.note(name);
  const folder = join(context.folder, name.replaceAll(' ', '-'));
  const outputFolder = join(folder, 'out');
  const dataFolder = join(folder, 'data');
  await mkdir(outputFolder, { recursive: true });
  const proxy = await context.startProxy({ target: engine.origin });
  const isFilled = Promise.withResolvers<void>();
  proxy.script([
    ...(fault ? [{ operation: 'download', times: 1, fault } as const] : []),
    ...(fillsAt === 'paid'
      ? [{ operation: 'convert', fault: { kind: 'hold', at: 'reply', until: isFilled.promise } } as const]
      : []),
  ]);
  const file = join(folder, 'connection.json');
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
  const filled = diskBytes - Math.round(fittingShare * resultBytes);
  const queue = spawnQueue(context, order, ['unshare', '-Urm', 'sh', '-c', mountScript], {
    OUT: outputFolder,
    DISK: String(diskBytes),
    FILLED: String(fillsAt === undefined ? filled : 0),
  });
  await queue.ready;
  // Its mounts are private.
  const inside = join(`/proc/${queue.pid}/root`, outputFolder);
  if (fillsAt !== undefined) {
    await proxy.waitFor(({ operation, serviceStatus, sentBytes }) =>
      fillsAt === 'paid'
        ? operation === 'convert' && serviceStatus !== null
        : operation === 'download' && sentBytes >= fillsAt,
    );
    await writeFile(join(inside, 'filler'), Buffer.alloc(filled)).catch((error: unknown) => {
      // As far as there was room.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    });
    isFilled.resolve();
  }

  const { jobs, pauses } = await Promise.race([
    untilRows(dataFolder, `${name}: the queue pauses`, (rows) => rows.pauses.length > 0),
    queue.ended.then(() => Promise.reject(new Error(`${name}: the disk was large enough`))),
  ]);
  const problem = JSON.parse(String(pauses[0]?.['problem'])) as { code: string; facts?: { folder?: string } };
  must(pauses[0]?.['reason'] === 'disk', `${name}: paused for ${String(pauses[0]?.['reason'])}`);
  must(problem.code === 'output/disk-full', `${name}: the pause says ${problem.code}`);
  must(problem.facts?.folder === outputFolder, `${name}: the pause does not name the folder`);
  // What can be seen to be missing is seen before anything is paid for.
  const isSeen = fillsAt === undefined;
  const state = isSeen ? 'created' : 'converted';
  must(jobs[0]?.['state'] === state, `${name}: the job is ${String(jobs[0]?.['state'])}`);
  must(proxy.count({ operation: 'convert' }) === (isSeen ? 0 : 1), `${name}: paid for without room`);
  const left = (await readdir(inside)).filter((one) => one !== 'filler');
  must(left.length === 0, `${name}: ${left[0] ?? ''} was left`);

  await rm(join(inside, 'filler'));
  const rows = await untilRows(dataFolder, `${name}: done`, ({ jobs: [job] }) => job?.['state'] === 'done');
  await queue.ended;
  const {
    output_path: path,
    output_sha256: sha256,
    task_id: task,
  }: Readonly<Partial<Record<string, unknown>>> = rows.jobs[0] ?? {};
  const bytes = await readFile(join(inside, basename(String(path))));
  const hash = createHash('sha256').update(bytes).digest('hex');
  must(hash === sha256, `${name}: the result is not what the journal says`);
  must((await readdir(inside)).length === 1, `${name}: more than the result is there`);
  must(
    proxy.count({ operation: 'convert' }) === 1,
    `${name}: converted ${proxy.count({ operation: 'convert' })} times`,
  );
  must(
    (await countEngineWork(engine.dataDirectory)).get(String(task)) === 1,
    `${name}: more than one piece of sound work`,
  );
  await queue.leave();
}

export const scenario: Scenario = {
  id: 'Q12',
  title: 'a disk that fills during a download pauses the queue, is cleaned up, and the job is done once there is space',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1, context.size(30, 60));
    const probe = await openCase(context, engine, { name: 'how long it gets' });
    probe.scheduler.start();
    const [done] = await probe.ended(await probe.convert([source]));
    const resultBytes = (await stat(done?.output?.path ?? '')).size;
    await probe.close();
    must(resultBytes < 3 * mebibyte, `a result of ${resultBytes} bytes does not fit at all`);

    const fillsAfterBytes = Math.round(0.3 * resultBytes);
    const slow: Fault = { kind: 'slow', bytesPerSecond: resultBytes };
    const endless: Fault = { kind: 'truncate', afterBytes: 10 * resultBytes, framing: 'chunked' };
    const diskCases: readonly DiskCase[] = [
      { name: 'full from the start', diskBytes: 4 * mebibyte },
      { name: 'filled meanwhile', diskBytes: 4 * mebibyte, fault: slow, fillsAt: fillsAfterBytes },
      // The missing amount is unknown, so the queue waits for more space.
      { name: 'of unknown length', diskBytes: 64 * mebibyte, fault: endless, fillsAt: 'paid' },
    ];
    for (const diskCase of diskCases) await checkDisk(context, engine, source, resultBytes, diskCase);
    return { disks: diskCases.length, 'result bytes': resultBytes };
  },
};
