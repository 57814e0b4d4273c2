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
    readLog: () => Promise.reject(new Error('nothing reads it')),
    revealLog: () => Promise.resolve(),
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

describe('the fields of an operation', () => {
  test('omit constant values, and label nested ones by their last name', () => {
    expect(formFields('create-task').map(({ name }) => name)).toEqual(['voice', 'engine']);
    expect(fixedFields('create-task')).toBe('from fv-file-changer, operation FVC');
    expect(formFields('speech').map(({ label }) => label)).toContain('LanguageCode');
  });

  test.each(operationIds)('are sent, and no others: %s', (operation) => {
    const { operation: name, ...fields } = callOf(operation, startValues(operation));
    expect(name).toBe(operation);
    expect(Object.keys(fields).sort()).toEqual(
      formFields(operation)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('accept numbers with a point or a comma, and send NaN for anything else', () => {
    const values = { ...startValues('convert'), pitch: ' 0,92', speed: '1.5' };
    expect(callOf('convert', values)).toMatchObject({ pitch: 0.92, speed: 1.5 });
    expect(callOf('convert', { ...values, pitch: '', speed: 'fast' })).toMatchObject({ pitch: NaN, speed: NaN });
  });

  test('send an int64 as text', () => {
    expect(callOf('plant', { id: ' 9223372036854775807 ', name: 'Fern', tag: '' })).toMatchObject({
      id: '9223372036854775807',
    });
  });
});

describe('the API console', () => {
  test('fills a created task into the next forms', async () => {
    const { calls, sent } = setUp();
    calls.suggestVoice('low-bronze');
    calls.set('create-task', 'engine', 'v5');
    await calls.send('local');
    expect(sent).toEqual([{ operation: 'create-task', voice: 'low-bronze', engine: 'v5' }]);
    expect(calls.exchanges.get('create-task')).toEqual(exchange);
    expect(calls.values.upload).toMatchObject({ uuid: 't-1', 'Changer-Type': 'deep' });
    expect(calls.values.convert).toMatchObject({ uuid: 't-1', voice: 'low-bronze', engine: 'v5' });
  });

  test('keeps an entered voice when another is suggested', () => {
    const { calls } = setUp();
    calls.set('speech', 'voice', 'mine');
    calls.suggestVoice('low-bronze');
    expect(calls.values.speech['voice']).toBe('mine');
  });

  test('sends one call at a time, and can stop it', async () => {
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

  test('marks the field that main rejected until it is changed', async () => {
    const reject = () => Promise.reject(new AppError('request/invalid', 'no', { facts: { field: 'call.voice' } }));
    const { calls } = setUp({ call: reject });
    await calls.send('local');
    expect(calls.rejection?.field?.name).toBe('voice');
    expect(calls.exchanges.has('create-task')).toBe(false);
    calls.set('create-task', 'voice', 'x');
    expect(calls.rejection).toBeNull();
  });

  test('shows why a call could not be sent, without a field to change', async () => {
    const { calls } = setUp({ call: () => Promise.reject(new AppError('engine/not-started', 'no')) });
    await calls.send('local');
    expect(calls.rejection).toMatchObject({ field: undefined, problem: { code: 'engine/not-started' } });
  });

  test('fills the id of the selected file into the upload, and its name into the conversion', async () => {
    const { calls } = setUp();
    await calls.chooseFile();
    expect(calls.values.upload['audioFile']).toBe('f-1');
    expect(calls.values.convert['audioName']).toBe('take 7.wav');
    const { calls: failing } = setUp({ chooseFile: () => Promise.reject(new AppError('dialog/failed', 'no')) });
    await failing.chooseFile();
    expect(failing.rejection?.problem.code).toBe('dialog/failed');
  });
});
