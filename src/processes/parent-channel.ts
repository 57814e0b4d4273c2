/** Messages to and from the parent process. */
export interface ParentChannel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the parent exits or closes the channel. */
  onLost(listener: () => void): void;
}

/** `process.parentPort` in a utility process. Electron's type says that every process has one, and omits `close`. */
interface ElectronParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
}

/**
 * Returns the channel to the parent: `process.parentPort` in an Electron utility process, `process.send` after
 * `child_process.fork`, null without a parent.
 */
export function parentChannel(): ParentChannel | null {
  const { parentPort } = process as unknown as { readonly parentPort?: ElectronParentPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
      onLost: (listener) => parentPort.on('close', listener),
    };
  }
  if (!process.send) return null;
  return {
    send: (message) => {
      if (process.connected) process.send?.(message);
    },
    onMessage: (listener) => process.on('message', listener),
    onLost: (listener) => process.on('disconnect', listener),
  };
}
