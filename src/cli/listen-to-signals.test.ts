import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenToSignals } from './listen-to-signals.ts';

function process({ waits = false } = {}) {
  const exits: number[] = [];
  const said: boolean[] = [];
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  let tidied = 0;
  const fake = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) });
  const { signal, leaving, leave } = listenToSignals(fake, {
    tidy: () => (tidied += 1),
    onSlow(mustEnd) {
      said.push(mustEnd);
      return !waits;
    },
    after: (ms, work) => void timers.push({ ms, work }),
  });
  return {
    send: (name: string) => fake.emit(name),
    leave,
    pass: (ms: number) => timers.filter((timer) => timer.ms <= ms).forEach(({ work }) => work()),
    said,
    state: () => ({ isOver: signal.aborted, isLeaving: leaving.aborted, exits, tidied }),
  };
}

describe('a process', () => {
  it('takes back what was asked for at the first Ctrl-C, and ends at once at the second', () => {
    const { send, state } = process();
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, exits: [], tidied: 0 });
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, exits: [7], tidied: 1 });
  });

  it.each(['SIGTERM', 'SIGHUP'])('goes at %s, and the next one is the system’s', (name) => {
    const { send, state } = process();
    expect(send(name)).toBe(true);
    expect(state()).toEqual({ isOver: true, isLeaving: true, exits: [], tidied: 0 });
    expect(send(name)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'])('says within 2 s of %s that its end is slow, and makes an end within 5 s', (name) => {
    const { send, pass, said, state } = process();
    send(name);
    pass(2000);
    expect([said, state().exits]).toEqual([[false], []]);
    pass(5000);
    expect(state().exits).toEqual([7]);
  });

  it('that waits on purpose goes on waiting', () => {
    const { send, pass, state } = process({ waits: true });
    send('SIGTERM');
    pass(5000);
    expect(state().exits).toEqual([]);
  });

  it('leaves when nobody reads it any more as it does at SIGTERM', () => {
    const { leave, state } = process();
    leave('a closed pipe');
    expect(state()).toMatchObject({ isOver: true, isLeaving: true });
  });
});
