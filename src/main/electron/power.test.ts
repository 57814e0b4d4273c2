import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createListeners } from '../core/events.ts';
import { connectPower } from './power.ts';

/** A machine with a queue: the calls of the queue, and what keeps the machine awake. */
function machine() {
  const events = new EventEmitter();
  const activity = createListeners<boolean>();
  const queueCalls: string[] = [];
  const held = new Set<number>();
  const kinds: string[] = [];
  const powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'> = {
    start(kind) {
      const id = kinds.push(kind);
      held.add(id);
      return id;
    },
    stop: (id) => held.delete(id),
  };
  const scheduler = {
    sleep: () => void queueCalls.push('sleep'),
    wake: () => void queueCalls.push('wake'),
    onActivity: activity.add,
  };
  const stop = connectPower({ powerMonitor: events as PowerMonitor, powerSaveBlocker }, scheduler);
  return { events, setActive: activity.emit, queueCalls, held, kinds, stop };
}

describe('the machine', () => {
  it('is kept awake exactly while a service call runs, by one blocker', () => {
    const { setActive, held, kinds } = machine();
    expect(held.size).toBe(0);
    setActive(true);
    setActive(true);
    expect(held.size).toBe(1);
    setActive(false);
    setActive(false);
    expect(held.size).toBe(0);
    setActive(true);
    expect(held.size).toBe(1);
    expect(kinds).toEqual(['prevent-app-suspension', 'prevent-app-suspension']);
  });

  it('notifies the queue before it sleeps and after', () => {
    const { events, queueCalls } = machine();
    events.emit('suspend');
    events.emit('resume');
    expect(queueCalls).toEqual(['sleep', 'wake']);
  });

  it('may sleep once Timbre has stopped, and is no longer observed', () => {
    const { events, setActive, queueCalls, held, stop } = machine();
    setActive(true);
    stop();
    stop();
    setActive(true);
    events.emit('suspend');
    expect([held.size, queueCalls, events.eventNames()]).toEqual([0, [], []]);
  });
});
