import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { handleSignals } from './signals.ts';

function process({ waits = false } = {}) {
  const ends: string[] = [];
  const slowReports: boolean[] = [];
  const asked = { again: 0 };
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  const fake = new EventEmitter();
  const { signal, shutdownSignal, shutDown } = handleSignals(fake, {
    end: (name) => void ends.push(name),
    onSlow(mustEnd) {
      slowReports.push(mustEnd);
      return !waits;
    },
    onAskedAgain: () => void (asked.again += 1),
    after: (ms, work) => void timers.push({ ms, work }),
  });
  return {
    send: (name: string) => fake.emit(name),
    shutDown,
    pass: (ms: number) => timers.filter((timer) => timer.ms <= ms).forEach(({ work }) => work()),
    slowReports,
    asked,
    state: () => ({ isOver: signal.aborted, isLeaving: shutdownSignal.aborted, ends }),
  };
}

describe('a process', () => {
  it('cancels at the first Ctrl-C and ends at once at the second', () => {
    const { send, state } = process();
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, ends: [] });
    send('SIGINT');
    expect(state()).toEqual({ isOver: true, isLeaving: false, ends: ['SIGINT'] });
  });

  it.each(['SIGTERM', 'SIGHUP'])('ends at %s and leaves the second one to the system', (name) => {
    const { send, state } = process();
    expect(send(name)).toBe(true);
    expect(state()).toEqual({ isOver: true, isLeaving: true, ends: [] });
    expect(send(name)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'])('reports a slow end within 2 s of %s and forces it within 5 s', (name) => {
    const { send, pass, slowReports, state } = process();
    send(name);
    pass(2000);
    expect([slowReports, state().ends]).toEqual([[false], []]);
    pass(5000);
    expect(state().ends).toEqual([name]);
  });

  it('is not forced to end while it waits on purpose', () => {
    const { send, pass, state } = process({ waits: true });
    send('SIGTERM');
    pass(5000);
    expect(state().ends).toEqual([]);
  });

  it('shuts down when its pipe is closed, as at SIGTERM', () => {
    const { shutDown, state } = process();
    shutDown('a closed pipe');
    expect(state()).toMatchObject({ isOver: true, isLeaving: true });
  });

  it.each(['SIGTERM', 'SIGHUP'])(
    'says at %s what it waits for once its pipe is closed, then leaves it to the system',
    (name) => {
      const { shutDown, send, asked } = process({ waits: true });
      shutDown('a closed pipe');
      expect([send(name), asked.again]).toEqual([true, 1]);
      expect([send(name), asked.again]).toEqual([false, 1]);
    },
  );
});
