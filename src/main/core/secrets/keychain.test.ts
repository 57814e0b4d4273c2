import { describe, expect, it } from 'vitest';
import { createKeychain, type KeychainRequest } from './keychain.ts';
import type { Clock } from '../clock.ts';
import type { ServiceProcess } from '../child-process.ts';

interface Scripted {
  readonly got: KeychainRequest[];
  killed: boolean;
  say(message: unknown): void;
  exit(): void;
}

/** A keychain before processes that the test answers for, under a clock that it owns. */
function setUp(failures = 0) {
  const spawned: Scripted[] = [];
  let left = failures;
  const spawnService = (): ServiceProcess => {
    left -= 1;
    if (left >= 0) throw new Error('spawn EAGAIN');
    let onMessage: (message: unknown) => void = () => undefined;
    let ended: () => void = () => undefined;
    const scripted: Scripted = { got: [], killed: false, say: (message) => onMessage(message), exit: () => ended() };
    spawned.push(scripted);
    return {
      send: (message) => scripted.got.push(message as KeychainRequest),
      onMessage: (listener) => (onMessage = listener),
      onExit: (listener) => (ended = listener),
      kill: () => void (scripted.killed = true),
    };
  };
  let now = 0;
  let wake: (() => void) | undefined;
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        wake = () => {
          now += ms;
          resolve();
        };
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  const keychain = createKeychain({ spawnService, clock });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { keychain, spawned, turn, pass: (ms: number) => (now += ms), timeOut: () => wake?.() };
}

const value = (id: number, text: string | null) => ({ id, ok: true, value: text });

describe('the keychain', () => {
  it('starts with the first call and handles one request at a time', async () => {
    const { keychain, spawned, turn } = setUp();
    expect(spawned).toHaveLength(0);
    const [one, two] = [keychain.get('a'), keychain.set('b', 'x')];
    await turn();
    expect(spawned[0]?.got).toEqual([{ id: 1, op: 'get', account: 'a' }]);
    spawned[0]?.say(value(1, 'secret'));
    expect(await one).toEqual({ kind: 'value', value: 'secret' });
    await turn();
    expect(spawned[0]?.got.slice(1)).toEqual([{ id: 2, op: 'set', account: 'b', value: 'x' }]);
    spawned[0]?.say(value(2, null));
    expect(await two).toEqual({ kind: 'value', value: null });
    expect(spawned).toHaveLength(1);
  });

  it('ends after ten minutes without a call, and starts again with the next', async () => {
    const { keychain, spawned, turn, pass, timeOut } = setUp();
    const ask = async (id: number) => {
      const answer = keychain.get('a');
      await turn();
      spawned.at(-1)?.say(value(id, 'secret'));
      return answer;
    };
    const idleFor = async (ms: number) => {
      pass(ms - 30_000);
      timeOut();
      await turn();
    };
    await ask(1);
    await idleFor(599_999);
    await ask(2);
    await idleFor(599_999);
    expect(spawned.map(({ killed }) => killed)).toEqual([false]);
    await idleFor(30_001);
    expect(spawned.map(({ killed }) => killed)).toEqual([true]);
    expect(await ask(3)).toEqual({ kind: 'value', value: 'secret' });
    expect(spawned).toHaveLength(2);
  });

  it('kills a process that does not answer in time, waits, and then restarts it', async () => {
    const { keychain, spawned, turn, pass, timeOut } = setUp();
    const late = keychain.get('a');
    await turn();
    timeOut();
    expect(await late).toMatchObject({ kind: 'unavailable' });
    expect(spawned[0]?.killed).toBe(true);
    expect(await keychain.get('a')).toMatchObject({ kind: 'unavailable' });
    expect(spawned).toHaveLength(1);
    pass(30_000);
    const again = keychain.get('a');
    await turn();
    expect(spawned).toHaveLength(2);
    spawned[1]?.say(value(2, 'secret'));
    expect(await again).toMatchObject({ kind: 'value' });
  });

  it('waits no longer than that if the clock is set back meanwhile', async () => {
    const { keychain, spawned, turn, pass, timeOut } = setUp();
    const late = keychain.get('a');
    await turn();
    timeOut();
    await late;
    pass(-86_400_000);
    void keychain.get('a');
    await turn();
    expect(spawned).toHaveLength(2);
  });

  it('passes on the reason of a failure, and ignores the answer to another request', async () => {
    const { keychain, spawned, turn } = setUp();
    const asked = keychain.get('a');
    await turn();
    spawned[0]?.say(value(99, 'not yours'));
    spawned[0]?.say({ nonsense: true });
    spawned[0]?.say({ id: 1, ok: false, why: 'Cannot autolaunch D-Bus without X11 $DISPLAY' });
    expect(await asked).toEqual({ kind: 'unavailable', why: 'Cannot autolaunch D-Bus without X11 $DISPLAY' });
  });

  it('rejects pending requests when its process exits or it is stopped', async () => {
    const { keychain, spawned, turn } = setUp();
    const one = keychain.get('a');
    await turn();
    spawned[0]?.exit();
    expect(await one).toMatchObject({ kind: 'unavailable' });
    const two = keychain.get('a');
    await turn();
    keychain.stop();
    expect(await two).toMatchObject({ kind: 'unavailable' });
    expect(spawned[1]?.killed).toBe(true);
    expect(await keychain.get('a')).toMatchObject({ kind: 'unavailable' });
  });

  it('reports that its process cannot be started, and tries again with the next call', async () => {
    const { keychain, spawned, turn } = setUp(2);
    expect(await keychain.get('a')).toEqual({ kind: 'unavailable', why: 'spawn EAGAIN' });
    expect(await keychain.delete('a')).toEqual({ kind: 'unavailable', why: 'spawn EAGAIN' });
    const third = keychain.get('a');
    await turn();
    spawned[0]?.say(value(3, 'secret'));
    expect(await third).toEqual({ kind: 'value', value: 'secret' });
  });
});
