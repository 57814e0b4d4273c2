import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { systemClock, type Clock } from '../../src/main/core/clock.ts';
import type { SpawnService } from '../../src/main/core/child-process.ts';
import { createKeychain } from '../../src/main/core/secrets/keychain.ts';
import { createSecretStore } from '../../src/main/core/secrets/secret-store.ts';

/**
 * Runs inside a D-Bus session of its own that has a real gnome-keyring: keeps secrets of many lengths, then stops the keyring's process
 * (argument 1) and asks it something. Prints what came of it as one line of JSON. Argument 2 is the data folder.
 */

const [keyringPid = '', dataFolder = ''] = process.argv.slice(2);
const entry = new URL('../../src/processes/keychain.ts', import.meta.url);
const spawnService: SpawnService = () => {
  const child = fork(entry, [], { execArgv: [] });
  return {
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
};
const lengths = [1, 1024, 1025, 2559, 2561, 16_384, 65_536];
const secretOf = (length: number) => `${'ä'.repeat((length - 1) >> 1)}"`.padEnd(length, 'x');

/** On a busy machine a keyring that works may take longer than a user should wait. */
let patience = 20;
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(patience * ms, signal) };
const open = () => {
  const keychain = createKeychain({ spawnService, clock });
  return { keychain, store: createSecretStore({ keychain, dataFolder }) };
};
const writing = open();
const places = [];
for (const length of lengths)
  places.push(await writing.store.set(`of ${length}`, { token: secretOf(length), origins: [] }));
writing.keychain.stop();

const { keychain, store } = open();
const kept = [];
for (const length of lengths) kept.push((await store.get(`of ${length}`))?.token === secretOf(length));
await store.clear('of 1');
const cleared = (await open().store.get('of 1')) === null;

patience = 1;

process.kill(Number(keyringPid), 'SIGSTOP');
const reads: number[] = [];
const asking = new AbortController();
const reading = (async () => {
  while (!asking.signal.aborted) {
    const begun = performance.now();
    await readFile(import.meta.filename);
    reads.push(performance.now() - begun);
  }
})();
const begun = performance.now();
const stopped = await keychain.get('of 1024');
const answeredMs = performance.now() - begun;
asking.abort();
await reading;
process.kill(Number(keyringPid), 'SIGCONT');
reads.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    places,
    kept,
    cleared,
    stopped: stopped.kind,
    answeredMs,
    reads: reads.length,
    readP99Ms: reads[Math.floor(reads.length * 0.99)],
  }),
);
process.exit(0);
