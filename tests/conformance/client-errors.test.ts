/** Our client and errors: they are errors whatever their HTTP status, and their messages reach the user unchanged. */
import { describe, expect, it } from 'vitest';
import { signal, uploadOf, taskId } from './client-calls.ts';
import { examples } from './examples.ts';
import { json } from './recording-service.ts';
import { errorRows } from './interface-rules.ts';
import { useClient } from './test-client.ts';
import { toneWav } from './tone.ts';

const sound = toneWav();
const { client: connect, folder, record } = useClient();

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

const cases = errorRows.flatMap((row) => [200, 400].map((status) => ({ ...row, status })));

describe('client, errors', () => {
  it.each(cases)('$id: “$error” with status $status is an error in the service’s words', async (row) => {
    const { id, error, names, status } = row;
    const details = names === null ? undefined : `This is about ${names}.`;
    const service = await record({ [id]: json({ error, details }, status) });
    const failed = await failure(examples[id].call(connect({ hosts: service.hosts }), folder(), sound));
    const words = details === undefined ? error : `${error} ${details}`;
    expect(failed).toMatchObject({ name: 'AppError', problem: { words, facts: { status } } });
  });

  it.each([200, 400])('plant: a number and a message with status %d are an error', async (status) => {
    const service = await record({ plant: json({ error: 17, message: 'No such bed.' }, status) });
    const failed = await failure(examples.plant.call(connect({ hosts: service.hosts }), folder(), sound));
    expect(failed).toMatchObject({ problem: { words: 'No such bed. (17)', facts: { status } } });
  });

  const withStatus = ['convert', 'voice-detail'] as const;
  it.each(withStatus)('%s: a status other than success with HTTP status 200 is an error', async (id) => {
    const service = await record({ [id]: json({ status: 'failed', message: 'Not today.' }) });
    const failed = await failure(examples[id].call(connect({ hosts: service.hosts }), folder(), sound));
    expect(failed).toMatchObject({ name: 'AppError', problem: { words: 'Not today.' } });
  });

  const freeStatus = {
    models: { models: [], pagination: { currentPage: 1, totalPages: 0, totalItems: 0 } },
    'delete-model': { message: 'It is gone.', modelName: 'Mine' },
  };
  for (const status of ['ok', 'deleted', 'failed', '']) {
    it.each(['models', 'delete-model'] as const)(`%s: the status “${status}” is free text`, async (id) => {
      const service = await record({ [id]: json({ status, ...freeStatus[id] }) });
      await examples[id].call(connect({ hosts: service.hosts }), folder(), sound);
      expect(service.requests).toHaveLength(1);
    });
    it.each(['models', 'delete-model'] as const)(`%s: an error with the status “${status}” is one`, async (id) => {
      const service = await record({ [id]: json({ status, error: 'Invalid model name.' }) });
      const failed = await failure(examples[id].call(connect({ hosts: service.hosts }), folder(), sound));
      expect(failed).toMatchObject({ problem: { words: 'Invalid model name.' } });
    });
  }

  it('upload: an echo of another task stops before the conversion', async () => {
    const service = await record({ upload: json({ message: 'Kept.', uuid: '11111111-1111-4111-8111-111111111111' }) });
    const upload = await uploadOf(folder(), sound, { taskId, changerType: 'FVC' });
    const failed = await failure(connect({ hosts: service.hosts }).uploadAudio(upload, signal));
    expect(failed).toMatchObject({ problem: { code: 'service/not-understood', facts: { field: 'uuid' } } });
  });
});
