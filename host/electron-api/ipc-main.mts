import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Codec } from '../chromium/codec.mts';
import { createEvent } from './event.mts';
import type { Frame, FrameTree } from '../chromium/frame.mts';
import type { PageMessage } from '../chromium/page.mts';
import { strict } from '../strict.mts';

type Handler = Parameters<Electron.IpcMain['handle']>[1];

export interface Ipc {
  readonly ipcMain: Electron.IpcMain;
  /** Passes a message to the listeners, or to the handler, whose reply goes back to the frame. */
  receive(sender: Electron.WebContents, frames: FrameTree, frame: Frame, text: string): Promise<void>;
}

export function createIpc(codec: Codec, key: string): Ipc {
  const handlers = new Map<string, Handler>();
  const events = new EventEmitter();
  const fileToken = new RegExp(`(?<=")host-file:${key}:(\\d+)(?=")`, 'g');

  const handle = (channel: string, handler: Handler): void => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    }
    handlers.set(channel, handler);
  };

  const members = {
    handle,
    handleOnce(channel, handler) {
      handle(channel, (event, ...args: unknown[]) => {
        handlers.delete(channel);
        return handler(event, ...args) as unknown;
      });
    },
    removeHandler: (channel) => void handlers.delete(channel),
  } satisfies Partial<Electron.IpcMain>;

  /** Replaces the placeholders that getPathForFile returned in the page with the files' paths. */
  const withPaths = async (args: string, frames: FrameTree, frame: Frame): Promise<string> => {
    const indexes = new Set([...args.matchAll(fileToken)].map(([, index]) => Number(index)));
    const paths = new Map<number, string>();
    await Promise.all([...indexes].map(async (index) => paths.set(index, await frames.filePath(frame, index))));
    return args.replace(fileToken, (_token, index: string) =>
      JSON.stringify(paths.get(Number(index)) ?? '').slice(1, -1),
    );
  };

  const answer = async (channel: string, event: Electron.IpcMainInvokeEvent, args: unknown[]) => {
    try {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { error: undefined, value: codec.pack(await handler(event, ...args)) };
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      return { error: `Error invoking remote method '${channel}': ${String(error)}`, value: '' };
    }
  };

  return {
    ipcMain: strict('ipcMain', Object.assign(events, members)),
    async receive(sender, frames, frame, text) {
      const message = JSON.parse(text) as PageMessage;
      // Reported by the frame before any page script ran; DevTools is wrong about sandboxed and blank frames.
      frame.origin = message.origin;
      const { channel, kind, id } = message;
      // Only a message with placeholders waits; all others keep their order.
      const hasFiles = message.args.includes('"host-file:');
      const packed = hasFiles ? await withPaths(message.args, frames, frame) : message.args;
      const args = codec.unpack(packed) as unknown[];
      const details = { sender, senderFrame: frame.api, type: 'frame' as const };
      if (kind === 'send') {
        events.emit(channel, createEvent(details), ...args);
        return;
      }
      const event = createEvent(details) as unknown as Electron.IpcMainInvokeEvent;
      const { error, value } = await answer(channel, event, args);
      await frames.call(frame, 'reply', id, error, value);
    },
  };
}
