import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenToSignals } from './listen-to-signals.ts';

function process() {
  const exits: number[] = [];
  let tidied = 0;
  const fake = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) });
  const { signal, leaving } = listenToSignals(fake, () => (tidied += 1));
  return {
    send: (name: string) => fake.emit(name),
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
});
