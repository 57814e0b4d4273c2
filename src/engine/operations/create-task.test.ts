import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../engine.fixture.ts';
import { authorization, rawCall, refusal } from '../calls.fixture.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

describe('create task', () => {
  it('replies with the task and the type that the upload needs', async () => {
    const { status, body } = await engine.call('POST', '/api/createaudiofilechanger', {
      voice: 'low-bronze',
      from: 'fv-file-changer',
      operation: 'FVC',
      engine: 'v5',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.any(String) as string,
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      changerType: 'FVC',
    });
  });

  it.each([
    [{}, /voice field is required/],
    [{ voice: '' }, /voice field is required/],
    [{ voice: 7 }, /voice must be a string/],
    [{ voice: 'nobody' }, /nobody does not exist/],
    [{ voice: 'low-bronze', engine: 'v6' }, /engine must be v5 or v7/],
    [{ voice: 'low-bronze', from: 'elsewhere' }, /from must be/],
    [{ voice: 'low-bronze', operation: 'X' }, /operation must be/],
  ])('rejects %j', async (body, details) => {
    expect(await engine.call('POST', '/api/createaudiofilechanger', body)).toEqual(
      refusal(400, 'Invalid input parameters.', details),
    );
  });

  it.each(['', '{', '[]', 'null', '"x"'])('rejects the body %j', async (body) => {
    const reply = await rawCall(engine, { method: 'POST', path: '/api/createaudiofilechanger', body });
    expect(reply).toEqual(refusal(400, 'Invalid input parameters.', /JSON/));
  });

  it('rejects a body beyond 1 MB, announced or not', async () => {
    const body = JSON.stringify({ voice: 'x'.repeat(1_100_000) });
    const request = { method: 'POST', path: '/api/createaudiofilechanger', body };
    expect((await rawCall(engine, request)).status).toBe(413);
    expect(
      (await rawCall(engine, { ...request, headers: { authorization, 'transfer-encoding': 'chunked' } })).status,
    ).toBe(413);
  });
});
