import { describe, expect, it } from 'vitest';
import { createCallLog } from './call-log.ts';
import { createFaultRules } from './fault-rules.ts';

const log = createCallLog();
const download = (path = '/results/1/a.wav') => log.open({ method: 'GET', url: path, headers: {} });
const upload = () => log.open({ method: 'POST', url: '/api/uploadaudiofile/7', headers: {} });

const drop = { kind: 'drop-after' } as const;
const empty = { kind: 'empty' } as const;

describe('rules', () => {
  it('skip a number of calls, apply to a number of calls, and end', () => {
    const rules = createFaultRules();
    rules.script([{ operation: 'download', after: 2, times: 1, fault: drop }]);
    const kinds = [download(), upload(), download(), download(), download()].map((call) => rules.match(call).kind);
    expect(kinds).toEqual([null, null, null, 'drop-after', null]);
  });

  it('are checked in order, and count only calls that reach them', () => {
    const rules = createFaultRules();
    rules.script([
      { operation: ['upload', 'download'], times: 1, fault: drop },
      { when: ({ operation }) => operation === 'download', times: 1, fault: empty },
    ]);
    const kinds = [download(), download(), download()].map((call) => rules.match(call).kind);
    expect(kinds).toEqual(['drop-after', 'empty', null]);
  });

  it('can select a task', () => {
    const rules = createFaultRules();
    rules.script([{ task: '7', fault: drop }]);
    expect([upload(), download()].map((call) => rules.match(call).kind)).toEqual(['drop-after', null]);
  });

  it('that wait continue with the next rule', () => {
    const rules = createFaultRules();
    const latency = { kind: 'latency', ms: 1 } as const;
    rules.script([{ fault: latency }, { fault: { ...latency, at: 'reply' } }, { fault: drop }, { fault: empty }]);
    const { waits, decision } = rules.match(download());
    expect([waits.length, decision]).toEqual([2, drop]);
  });

  it('for connections apply to connections and never to calls', () => {
    const rules = createFaultRules();
    rules.script([{ after: 1, times: 1, fault: { kind: 'drop-before', at: 'accept' } }]);
    expect(rules.match(download()).kind).toBe(null);
    expect([1, 2, 3].map(() => rules.matchConnection() !== null)).toEqual([false, true, false]);
  });

  it('that are scripted again count from zero', () => {
    const rules = createFaultRules();
    const script = [{ times: 1, fault: drop }];
    rules.script(script);
    rules.match(download());
    expect(rules.match(download()).kind).toBe(null);
    rules.script(script);
    expect(rules.match(download()).kind).toBe('drop-after');
  });

  it('that expire an address let other rules apply until then', () => {
    const rules = createFaultRules();
    rules.script([{ fault: { kind: 'expire', after: 1 } }, { fault: empty }]);
    const kinds = [download(), download(), download('/results/2/b.wav')].map((call) => rules.match(call).kind);
    expect(kinds).toEqual(['empty', 'expire', 'empty']);
  });
});
