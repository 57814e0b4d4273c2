// Fails when a recording that the service refuses is sent more than three times, is quarantined without a reason, delays others, or
// cannot be retried by the user.
import type { Call } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { fastClock } from '../../../src/main/core/clock.fixture.ts';
import { openWatch } from '../support/watch/open-watch.ts';

const mostCalls = 3;
/** The pauses between the tries are 10 s and 60 s. */
const pausesMs = [10_000, 60_000];
const refusal: Fault = {
  kind: 'answer',
  status: 422,
  body: { error: 'Unprocessable.', details: 'This sound cannot be converted.' },
};

const isOfBad = ({ operation, body }: Call) =>
  operation === 'convert' &&
  typeof body === 'object' &&
  body !== null &&
  String(Reflect.get(body, 'audioName')).startsWith('bad');

export const scenario: Scenario = {
  id: 'W14',
  title: 'a bad recording is sent three times and quarantined with its reason; others continue; the user can retry it',
  async run(context) {
    const engine = await context.startEngine();
    const factor = context.size(20, 1);
    const watch = await openWatch(context, engine, { name: 'quarantine', clock: fastClock(factor) });
    const { proxy } = watch;
    proxy.script([{ operation: 'convert', when: isOfBad, fault: refusal }]);
    await watch.begin();
    await watch.put('bad.wav', 0);
    const count = context.size(6, 40);
    const others = Array.from({ length: count }, (_, k) => `take ${k}.wav`);
    for (const [k, name] of others.entries()) await watch.put(name, k + 1);
    const calls = () => proxy.calls.filter(isOfBad);
    await watch.until('it is to be tried again', () => (watch.file('bad.wav')?.record.nextTryAt ?? null) !== null);
    await watch.until('the others are done', () => others.every(watch.isDone), 60_000);
    must(calls().length <= 2, 'the others waited for the bad one');
    const isQuarantined = () => {
      const line = watch.file('bad.wav')?.record;
      return line?.stage === 'attention' && line.failures === mostCalls;
    };
    await watch.until('it is in quarantine', isQuarantined, 120_000);
    const problem = watch.file('bad.wav')?.job?.problem;
    must(problem?.words?.includes('cannot be converted') === true, `it says ${problem?.code ?? 'nothing'}`);
    const at = calls().map(({ startedMs }) => startedMs);
    for (const [k, pauseMs] of pausesMs.entries()) {
      const waitedMs = ((at[k + 1] ?? 0) - (at[k] ?? 0)) * factor;
      must(waitedMs >= pauseMs, `try ${k + 2} came after ${waitedMs.toFixed()} ms`);
    }

    context.note('no fourth call');
    watch.watch.rescan();
    await watch.restart();
    await watch.until(
      'it was looked over again',
      () => watch.view().checkedAt !== null && watch.view().mode === 'watching',
    );
    await watch.putLast();
    must(calls().length === mostCalls, `${calls().length} calls`);
    must(isQuarantined(), 'it left its quarantine by itself');

    context.note('a person sends it again');
    proxy.script([]);
    watch.watch.convert(watch.view().folder.id, ['bad.wav']);
    await watch.until('it is done', () => watch.isDone('bad.wav'));
    must(calls().length === mostCalls + 1, `${calls().length} calls`);
    await watch.close();
    return {
      'calls before quarantine': mostCalls,
      others: count,
      'pauses in ms': pausesMs.join(' '),
      'clock times': factor,
    };
  },
};
