// Fails when a recording that is no longer the one that was queued is sent, or when part of another one is converted.
import { copyFile, open, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode } from '../../../src/shared/errors.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

interface Change {
  readonly name: string;
  readonly code: ErrorCode;
  apply(path: string): Promise<unknown>;
}

/** One byte, in its place, and the time of the change as it is. */
async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.from([1]), 0, 1, (await file.stat()).size - 1);
  await file.close();
}

const changes: readonly Change[] = [
  { name: 'written over', code: 'input/changed', apply: overwrite },
  {
    name: 'replaced by another of the same size and time',
    code: 'input/changed',
    async apply(path) {
      const { atime, mtime } = await stat(path);
      await copyFile(path, `${path}.new`);
      await overwrite(`${path}.new`);
      await utimes(`${path}.new`, atime, mtime);
      await rename(`${path}.new`, path);
    },
  },
  { name: 'truncated', code: 'input/changed', apply: async (path) => truncate(path, (await stat(path)).size - 1000) },
  { name: 'grown', code: 'input/changed', apply: (path) => writeFile(path, 'more', { flag: 'a' }) },
  { name: 'deleted', code: 'input/missing', apply: (path) => rm(path) },
];

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly template: string;
}

async function begin({ context, engine, template }: Setting, name: string) {
  const queue = await openCase(context, engine, { name });
  const path = join(queue.dataFolder, 'source.wav');
  await copyFile(template, path);
  return { queue, path };
}

async function mustEnd(queue: QueueCase, id: string, codes: readonly ErrorCode[]): Promise<void> {
  const [job] = await queue.ended([id]);
  const code = job?.problem?.code;
  must(
    job?.state === 'failed' && code !== undefined && codes.includes(code),
    `${queue.name}: ${job?.state ?? ''} ${code ?? ''}`,
  );
  await queue.quiet();
  must(queue.proxy.count({ operation: 'convert' }) === 0, `${queue.name}: it was converted`);
  must((await queue.outputs()).length === 0, `${queue.name}: there is an output`);
  await queue.close();
}

/** Before anybody looked at it: nothing leaves this machine, not even a task is made. A cut file is named as what it is. */
async function whileQueued(setting: Setting, { name, code, apply }: Change): Promise<void> {
  const { queue, path } = await begin(setting, `${name} while queued`);
  const [id = ''] = await queue.convert([path]);
  await apply(path);
  queue.scheduler.start();
  await mustEnd(queue, id, name === 'truncated' ? [code, 'input/cut'] : [code]);
  must(queue.proxy.calls.length === 0, `${queue.name}: ${queue.proxy.calls.length} calls went out`);
}

/** After it was looked at, while it waits for its turn, or for its task: not a byte of it is sent. */
async function beforeUpload(setting: Setting, { name, code, apply }: Change): Promise<void> {
  const { queue, path } = await begin(setting, `${name} before the upload`);
  const created = Promise.withResolvers<void>();
  queue.proxy.script([{ operation: 'create-task', fault: { kind: 'hold', until: created.promise } }]);
  queue.scheduler.start();
  const [id = ''] = await queue.convert([path]);
  await queue.proxy.waitFor(({ operation }) => operation === 'create-task');
  await apply(path);
  created.resolve();
  await mustEnd(queue, id, [code]);
  const sent = queue.proxy.calls.filter(({ operation }) => operation === 'upload');
  must(sent.length === 0, `${queue.name}: ${sent[0]?.receivedBytes ?? 0} bytes were sent`);
}

/** While its bytes pass: the service never gets the end of the request, so it has no recording, and nothing is converted. */
async function whileSent(setting: Setting, { name, apply }: Change): Promise<void> {
  const { queue, path } = await begin(setting, `${name} while it is sent`);
  const { proxy } = queue;
  proxy.script([{ operation: 'upload', fault: { kind: 'slow', at: 'request', bytesPerSecond: 8e6 } }]);
  queue.scheduler.start();
  const [id = ''] = await queue.convert([path]);
  await proxy.waitFor(({ operation, receivedBytes }) => operation === 'upload' && receivedBytes > 0);
  await apply(path);
  await mustEnd(queue, id, ['input/changed', 'input/missing']);
  const [upload, ...more] = proxy.calls.filter(({ operation }) => operation === 'upload');
  must(more.length === 0, `${queue.name}: it was sent again`);
  must(upload?.serviceStatus !== 200, `${queue.name}: the service took it`);
}

export const scenario: Scenario = {
  id: 'Q20',
  title: 'a recording that changes after it was queued is not sent',
  async run(context) {
    const engine = await context.startEngine();
    const [small = ''] = await makeSources(join(context.folder, 'small'), 1);
    // More than the system takes from us at once: some of it is still to be read when the rest is under way.
    const [large = ''] = await makeSources(join(context.folder, 'large'), 1, context.size(600, 3000));
    const setting: Setting = { context, engine, template: small };
    for (const change of changes) {
      await whileQueued(setting, change);
      await beforeUpload(setting, change);
    }
    // A deleted or replaced file that is open is still the one that was queued: only what is written into it counts.
    const inPlace = changes.filter(({ name }) => ['written over', 'truncated', 'grown'].includes(name));
    for (const change of inPlace) await whileSent({ ...setting, template: large }, change);
    return { cases: 2 * changes.length + inPlace.length };
  },
};
