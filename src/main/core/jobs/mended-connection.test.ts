import { describe, expect, it } from 'vitest';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { replyJson } from '../voice-service/scripted-service.fixture.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();
const { openService } = usePaidService(queue);

/** Opens the queue at a service that does this with an unexpected field, and adds a job. */
async function addJob(field: 'create' | 'paid', isRefused = true) {
  await openService((step, response, { body }) => {
    if (step !== field || !body.includes('engine')) return false;
    if (isRefused) replyJson(response, { error: 'Invalid input parameters.', details: 'Unknown field engine.' }, 400);
    else response.destroy();
    return true;
  });
  const [id = ''] = (await queue().add([await queue().addFile('in.mp3')])).ids;
  const { connection } = queue().request;
  const access = {
    kind: 'remote',
    access: () => Promise.resolve({ hosts: connection.document.hosts, token: '' }),
  } as const;
  return {
    id,
    reopen: (change: Partial<ConnectionDocument> = {}) =>
      queue().open({ ...connection, ...access, document: { ...connection.document, ...change } }),
    async run() {
      queue().scheduler.start();
      return (await settled(queue().store, [id]))[0]?.state;
    },
    document: () => queue().store.get(id)?.connection.document,
    hosts: connection.document.hosts,
  };
}

const mended: Partial<ConnectionDocument> = { omit: ['create-task.engine', 'convert.engine'] };

describe('a connection that was mended', () => {
  it('is used by jobs that wait, and history tells what was sent', async () => {
    const job = await addJob('create');
    await job.reopen(mended);
    expect(await job.run()).toBe('done');
    // What is changed later was not sent.
    await job.reopen();
    expect(job.document()).toMatchObject(mended);
  });

  it.each([
    ['its task was refused', 'create', true, 'failed'],
    ['its paid call was refused', 'paid', true, 'failed'],
    ['the reply to its paid call was lost', 'paid', false, 'uncertain'],
  ] as const)('is used by a job that is tried again after %s', async (_, step, isRefused, state) => {
    const job = await addJob(step, isRefused);
    expect(await job.run()).toBe(state);
    await job.reopen(mended);
    expect(job.document()).toMatchObject({ omit: [] });
    await queue().scheduler.retryAll([job.id]);
    queue().scheduler.resume('test');
    expect(await job.run()).toBe('done');
    expect(job.document()).toMatchObject(mended);
  });

  it('is not used by jobs that were meant for other hosts', async () => {
    const job = await addJob('create');
    await job.reopen({ ...mended, hosts: { ...job.hosts, sample: '' } });
    expect(await job.run()).toBe('failed');
  });
});
