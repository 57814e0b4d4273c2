import type Electron from 'electron';
import type { Session } from './cdp.mts';
import type { Codec } from './codec.mts';
import type { PageReceiver } from './page.mts';
import type { SchemeMap } from './scheme-url.mts';
import { strict } from '../strict.mts';

/** The current execution context of a frame; each navigation creates a new one. */
interface FrameContext {
  readonly session: Session;
  readonly id: number;
}

/** The implemented part of Electron's WebFrameMain. */
type HostFrame = Pick<
  Electron.WebFrameMain,
  'url' | 'origin' | 'top' | 'parent' | 'frames' | 'detached' | 'isDestroyed' | 'send'
>;

/** A frame. `url` and `origin` use Chromium's addresses; `api` uses the app's. */
export interface Frame {
  readonly id: string;
  parentId: string | undefined;
  url: string;
  origin: string;
  context: FrameContext | undefined;
  readonly api: Electron.WebFrameMain;
}

export interface FrameTree {
  get(id: string): Frame | undefined;
  /** Returns the frame with this id, and creates it if needed. */
  ensure(id: string, parentId?: string): Frame;
  remove(id: string): void;
  all(): Frame[];
  findByContext(session: Session, contextId: number): Frame | undefined;
  /** Calls the receiver that the preload installed in the frame; does nothing if there is none. */
  call(frame: Frame, method: keyof PageReceiver, ...args: (string | number | undefined)[]): Promise<void>;
  /** The path of the file that the page stores at this index; '' if it has none. */
  filePath(frame: Frame, index: number): Promise<string>;
}

export interface FrameTreeDeps {
  readonly map: SchemeMap;
  readonly codec: Codec;
  /** Name of the binding; the receiver has this name with `$` appended. */
  readonly key: string;
}

export function createFrameTree({ map, codec, key }: FrameTreeDeps): FrameTree {
  const frames = new Map<string, Frame>();

  const callReceiver = (context: FrameContext, method: string, args: readonly unknown[], returnByValue: boolean) =>
    context.session.send('Runtime.callFunctionOn', {
      executionContextId: context.id,
      functionDeclaration: `function (method, ...args) {
        const receiver = globalThis[${JSON.stringify(`${key}$`)}];
        return receiver && receiver[method](...args);
      }`,
      arguments: [method, ...args].map((value) => (value === undefined ? {} : { value })),
      returnByValue,
    });

  const call: FrameTree['call'] = async (frame, method, ...args) => {
    // As in Electron, a frame that navigates or is removed in the meantime misses the call.
    if (frame.context) await callReceiver(frame.context, method, args, true).catch(() => undefined);
  };

  const createFrame = (id: string, firstParentId: string | undefined): Frame => {
    const parentOf = (of: Frame): Frame | undefined =>
      of.parentId === undefined ? undefined : frames.get(of.parentId);
    const topOf = (of: Frame): Frame => {
      const parent = parentOf(of);
      return parent ? topOf(parent) : of;
    };
    const api = {
      get url() {
        return map.toApp(frame.url);
      },
      get origin() {
        return map.toApp(frame.origin || 'null');
      },
      get top() {
        return topOf(frame).api;
      },
      get parent() {
        return parentOf(frame)?.api ?? null;
      },
      get frames() {
        return [...frames.values()].filter((child) => child.parentId === id).map((child) => child.api);
      },
      get detached() {
        return frames.get(id) !== frame;
      },
      isDestroyed: () => frames.get(id) !== frame,
      send: (channel: string, ...args: unknown[]) => void call(frame, 'emit', channel, codec.pack(args)),
    } satisfies HostFrame;
    const frame: Frame = {
      id,
      parentId: firstParentId,
      url: '',
      origin: '',
      context: undefined,
      api: strict('WebFrameMain', api) as unknown as Electron.WebFrameMain,
    };
    return frame;
  };

  return {
    get: (id) => frames.get(id),
    ensure(id, parentId) {
      const frame = frames.get(id) ?? createFrame(id, parentId);
      frames.set(id, frame);
      if (parentId !== undefined) frame.parentId = parentId;
      return frame;
    },
    remove: (id) => void frames.delete(id),
    all: () => [...frames.values()],
    findByContext: (session, contextId) =>
      [...frames.values()].find((frame) => frame.context?.session === session && frame.context.id === contextId),
    call,
    async filePath(frame, index) {
      if (!frame.context) return '';
      const { session } = frame.context;
      const found = await callReceiver(frame.context, 'file', [index], false).catch(() => undefined);
      const objectId = found?.result.objectId;
      if (objectId === undefined) return '';
      const info = await session.send('DOM.getFileInfo', { objectId }).catch(() => undefined);
      return info?.path ?? '';
    },
  };
}
