// Loaded with `node --import` into each utility process: adds `process.parentPort`, based on Node's IPC channel.
import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';

/** Adds `process.parentPort`, as in an Electron utility process. */
function becomeUtilityProcess(): void {
  const { channel } = process;
  const send = process.send?.bind(process);
  if (!channel || !send) throw new Error('host: child.mts runs only in a forked process');

  const port = new EventEmitter();
  Object.assign(port, { postMessage: (message: unknown) => send(structuredClone(message)), start() {}, pause() {} });

  // As in Electron, a child stays alive while it listens.
  const holdOrRelease = (): void => {
    if (port.listenerCount('message') > 0) channel.ref();
    else channel.unref();
  };
  port.on('newListener', () => setImmediate(holdOrRelease));
  port.on('removeListener', holdOrRelease);

  process.on('message', (data: unknown) => port.emit('message', { data, ports: [] }));
  process.on('disconnect', () => process.exit(0));
  channel.unref();
  Object.assign(process, { parentPort: port, type: 'utility' });
}

// Worker threads inherit `--import`, but there is one port per process.
if (isMainThread) becomeUtilityProcess();
