// The renderer half of Electron's API. It is sent as text and runs in the page before the page's own scripts.
import { createBridge, type Bridge } from './context-bridge.mts';
import { createCodec, type Codec } from './codec.mts';

/** A message from the page, as the JSON text that the binding carries. */
export interface PageMessage {
  readonly kind: 'invoke' | 'send';
  /** Pairs an invoke with its reply; 0 for a send. */
  readonly id: number;
  readonly channel: string;
  /** `self.origin`, read before any page script ran, so the page cannot forge it. */
  readonly origin: string;
  /** The arguments, packed by the codec. */
  readonly args: string;
}

/** What main calls in the page. A page that misuses it affects only itself. */
export interface PageReceiver {
  emit(channel: string, args: string): void;
  reply(id: number, error: string | undefined, value: string): void;
  file(index: number): File | undefined;
}

export interface PageOptions {
  /** Name of the CDP binding, random in each run; the receiver has this name with `$` appended. */
  readonly key: string;
  /** Whether iframes get the preload too (`nodeIntegrationInSubFrames`). */
  readonly subFrames: boolean;
}

type Require = (name: string) => unknown;
type PreloadProcess = Readonly<Record<string, unknown>>;
type RunPreload = (require: Require, process: PreloadProcess) => void;

/** Sets up the renderer API and runs the preload. Sent as text, so: no imports, no outer names, erasable types only. */
function inject(makeCodec: () => Codec, makeBridge: () => Bridge, options: PageOptions, run: RunPreload): void {
  type Listener = ((event: unknown, ...args: unknown[]) => void) & { wrapped?: unknown };
  const globals = window as unknown as Record<string, unknown>;
  const post = globals[options.key] as ((message: string) => void) | undefined;
  // Only this closure keeps the binding.
  Reflect.deleteProperty(globals, options.key);
  if (!post || (window !== window.top && !options.subFrames)) return;

  const { pack, unpack } = makeCodec();
  const { cross, freeze } = makeBridge();
  const { origin } = self;
  const listeners = new Map<string, Listener[]>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>();
  const files: File[] = [];
  let lastId = 0;

  const strict = <T extends object>(name: string, implementation: T): T =>
    new Proxy(implementation, {
      get(target, property) {
        if (property in target || typeof property === 'symbol' || property === 'then') {
          return Reflect.get(target, property) as unknown;
        }
        throw new Error(`host: ${name}.${property} is not implemented`);
      },
    });

  const call = (kind: 'invoke' | 'send', channel: string, args: unknown[], id: number): void => {
    if (!channel || typeof channel !== 'string') throw new TypeError('Missing or invalid channel');
    post(JSON.stringify({ kind, id, channel, origin, args: pack(args) }));
  };

  const receiver: PageReceiver = {
    emit(channel, args) {
      for (const listener of [...(listeners.get(channel) ?? [])]) {
        try {
          listener({ sender: ipcRenderer, senderId: 0, ports: [] }, ...(unpack(args) as unknown[]));
        } catch (error) {
          reportError(error);
        }
      }
    },
    reply(id, error, value) {
      const pending = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) pending?.resolve(unpack(value));
      else pending?.reject(new Error(error));
    },
    file: (index) => files[index],
  };
  Object.defineProperty(globals, `${options.key}$`, { value: receiver });

  const on = (channel: string, listener: Listener) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    return ipcRenderer;
  };
  const off = (channel: string, listener: unknown) => {
    const all = [...(listeners.get(channel) ?? [])];
    const at = all.findIndex((known) => known === listener || known.wrapped === listener);
    if (at >= 0) listeners.set(channel, all.toSpliced(at, 1));
    return ipcRenderer;
  };
  const ipcRenderer: object = strict('ipcRenderer', {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        call('invoke', channel, args, id);
        waiting.set(id, { resolve, reject });
      }),
    send: (channel: string, ...args: unknown[]) => call('send', channel, args, 0),
    on,
    off,
    removeListener: off,
    once: (channel: string, listener: Listener) => {
      const wrapper: Listener = (...all) => {
        off(channel, wrapper);
        listener(...all);
      };
      wrapper.wrapped = listener;
      return on(channel, wrapper);
    },
  });

  const contextBridge = strict('contextBridge', {
    exposeInMainWorld(name: string, api: unknown) {
      if (Object.getOwnPropertyDescriptor(globals, name)) {
        throw new Error('Cannot bind an API on top of an existing property on the window object');
      }
      Object.defineProperty(globals, name, { value: freeze(cross(api)), enumerable: true });
    },
  });

  const webUtils = strict('webUtils', {
    getPathForFile(file: unknown) {
      if (!(file instanceof File)) {
        throw new TypeError('getPathForFile expected to receive a File object but one was not provided');
      }
      const known = files.indexOf(file);
      // A placeholder: main replaces a string that is exactly this with the file's path.
      return `host-file:${options.key}:${known < 0 ? files.push(file) - 1 : known}`;
    },
  });

  const electron = strict('electron (preload)', { ipcRenderer, contextBridge, webUtils });
  const require: Require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  run(require, {
    type: 'renderer',
    platform: 'linux',
    sandboxed: true,
    contextIsolated: true,
    versions: {},
    env: {},
    argv: [],
  });
}

/** The script that each new document runs first: the functions above, with the preload's source embedded. */
export function pageScript(options: PageOptions, preload: string): string {
  const run = `(require, process) => { const module = { exports: {} }, exports = module.exports;\n${preload}\n}`;
  return `(${String(inject)})(${String(createCodec)}, ${String(createBridge)}, ${JSON.stringify(options)}, ${run})`;
}
