import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type ApiCall, operationIds } from '../../../../shared/operations.ts';
import type { Exchange } from '../../../../shared/schemas/diagnostics.ts';
import type { Api } from '../../lib/api.ts';
import { ApiConsole } from './api-console.svelte.ts';
import { callOf, fixedFields, formFields, startValues } from './operation-fields.ts';

const exchange: Exchange = {
  operation: 'create-task',
  request: null,
  reply: null,
  ms: 1,
  tokenSource: 'engine',
  problem: null,
  isStopped: false,
  task: { taskId: 't-1', changerType: 'deep' },
};

function setUp(change: Partial<Api['diagnostics']> = {}) {
  const sent: ApiCall[] = [];
  const stops: number[] = [];
  const calls = new ApiConsole({
    log: () => Promise.resolve(''),
    runChecks: () => Promise.reject(new Error('not asked')),
    chooseFile: () => Promise.resolve({ id: 'f-1', name: 'take 7.wav', sizeBytes: 9 }),
    call: ({ call }) => {
      sent.push(call);
      return Promise.resolve(exchange);
    },
    cancelCall: () => Promise.resolve(void stops.push(1)),
    onCheckChanged: () => () => undefined,
    ...change,
  });
  return { calls, sent, stops };
}

describe('the forms', () => {
  test('ask for no field that is always the same, and name nested ones by their last name', () => {
    expect(formFields('create-task').map(({ name }) => name)).toEqual(['voice', 'engine']);
    expect(fixedFields('create-task')).toBe('from fv-file-changer, operation FVC');
    expect(formFields('speech').map(({ label }) => label)).toContain('LanguageCode');
  });

  test.each(operationIds)('send each of their fields, and no other: %s', (operation) => {
    const { operation: name, ...fields } = callOf(operation, startValues(operation));
    expect(name).toBe(operation);
    expect(Object.keys(fields).sort()).toEqual(
      formFields(operation)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('take numbers with a point or a comma, and what is none for none', () => {
    const values = { ...startValues('convert'), pitch: ' 0,92', speed: '1.5' };
    expect(callOf('convert', values)).toMatchObject({ pitch: 0.92, speed: 1.5 });
    expect(callOf('convert', { ...values, pitch: '', speed: 'fast' })).toMatchObject({ pitch: NaN, speed: NaN });
  });

  test('leave an int64 the text that it is', () => {
    expect(callOf('plant', { id: ' 9223372036854775807 ', name: 'Fern', tag: '' })).toMatchObject({
      id: '9223372036854775807',
    });
  });
});

describe('a call by hand', () => {
  test('gives what it was answered to the next forms', async () => {
    const { calls, sent } = setUp();
    calls.suggestVoice('low-bronze');
    calls.set('create-task', 'engine', 'v5');
    await calls.send('local');
    expect(sent).toEqual([{ operation: 'create-task', voice: 'low-bronze', engine: 'v5' }]);
    expect(calls.exchanges.get('create-task')).toEqual(exchange);
    expect(calls.values.upload).toMatchObject({ uuid: 't-1', 'Changer-Type': 'deep' });
    expect(calls.values.convert).toMatchObject({ uuid: 't-1', voice: 'low-bronze', engine: 'v5' });
  });

  test('takes a voice that was named before one that is suggested', () => {
    const { calls } = setUp();
    calls.set('speech', 'voice', 'mine');
    calls.suggestVoice('low-bronze');
    expect(calls.values.speech['voice']).toBe('mine');
  });

  test('is sent once, however often it is wished for while it runs', async () => {
    const answer = Promise.withResolvers<Exchange>();
    const { calls, sent, stops } = setUp({
      call: ({ call }) => {
        sent.push(call);
        return answer.promise;
      },
    });
    const first = calls.send('local');
    await calls.send('local');
    expect(calls.running?.operation).toBe('create-task');
    await calls.stop();
    answer.resolve({ ...exchange, isStopped: true, task: null });
    await first;
    expect([sent.length, stops.length, calls.running]).toEqual([1, 1, null]);
    expect(calls.exchanges.get('create-task')?.isStopped).toBe(true);
  });

  test('that is refused names its field, until somebody changes it', async () => {
    const refuse = () => Promise.reject(new AppError('request/invalid', 'no', { facts: { field: 'call.voice' } }));
    const { calls } = setUp({ call: refuse });
    await calls.send('local');
    expect(calls.rejection?.field?.name).toBe('voice');
    expect(calls.exchanges.has('create-task')).toBe(false);
    calls.set('create-task', 'voice', 'x');
    expect(calls.rejection).toBeNull();
  });

  test('that cannot be made says why, whatever field it is about', async () => {
    const { calls } = setUp({ call: () => Promise.reject(new AppError('engine/not-started', 'no')) });
    await calls.send('local');
    expect(calls.rejection).toMatchObject({ field: undefined, problem: { code: 'engine/not-started' } });
  });

  test('takes the chosen file by its id, and its name for the result', async () => {
    const { calls } = setUp();
    await calls.chooseFile();
    expect(calls.values.upload['audioFile']).toBe('f-1');
    expect(calls.values.convert['audioName']).toBe('take 7.wav');
    const { calls: other } = setUp({ chooseFile: () => Promise.reject(new AppError('dialog/failed', 'no')) });
    await other.chooseFile();
    expect(other.rejection?.problem.code).toBe('dialog/failed');
  });
});
