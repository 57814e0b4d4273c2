import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenToSignals } from './session.ts';

function process({ waits = false } = {}) {
  const ends: string[] = [];
  const said: boolean[] = [];
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  const fake = new EventEmitter();
  const { signal, leaving, leave } = listenToSignals(fake, {
    end: (name) => void ends.push(name),
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
    state: () => ({ isOver: signal.aborted, isLeaving: leaving.aborted, ends }),
  };
}

describe('a process', () => {
  it('takes back what was asked for at the first Ctrl-C, and ends at once at the second', () => {
    const { send, state } = process();
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, ends: [] });
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, ends: ['SIGINT'] });
  });

  it.each(['SIGTERM', 'SIGHUP'])('goes at %s, and the next one is the system’s', (name) => {
    const { send, state } = process();
    expect(send(name)).toBe(true);
    expect(state()).toEqual({ isOver: true, isLeaving: true, ends: [] });
    expect(send(name)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'])('says within 2 s of %s that its end is slow, and makes an end within 5 s', (name) => {
    const { send, pass, said, state } = process();
    send(name);
    pass(2000);
    expect([said, state().ends]).toEqual([[false], []]);
    pass(5000);
    expect(state().ends).toEqual([name]);
  });

  it('that waits on purpose goes on waiting', () => {
    const { send, pass, state } = process({ waits: true });
    send('SIGTERM');
    pass(5000);
    expect(state().ends).toEqual([]);
  });

  it('leaves when nobody reads it any more as it does at SIGTERM', () => {
    const { leave, state } = process();
    leave('a closed pipe');
    expect(state()).toMatchObject({ isOver: true, isLeaving: true });
  });
});
