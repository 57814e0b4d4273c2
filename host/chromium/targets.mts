import type { Connection, Protocol, Session } from './cdp.mts';
import { belowTitleBar, setWindowBounds } from './window-geometry.mts';

/** The blank page of an app window, which Chromium must take for an address; a fragment tells it from the others. */
const blankPage = 'data:text/html,';

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface OpenedTarget {
  readonly session: Session;
  readonly targetId: string;
}

/**
 * Pairs the pages the host asks for with the sessions that Chromium announces. Chromium announces every page, and each
 * waits until it's told to run: those nobody asked for (window.open, a tab the user opened) are closed unseen.
 */
export interface Targets {
  open(connection: Connection, bounds: Bounds): Promise<OpenedTarget>;
  /** To be called for each page that comes up. */
  announce(session: Session, target: Protocol.Target.TargetInfo): void;
}

/**
 * @param openAppWindow - opens a window without tabs and address bar for this address, and tells whether it does; where
 *   it's left out (there is no display), or cannot, a page gets an ordinary window of Chromium
 */
export function createTargets(openAppWindow?: (url: string) => Promise<boolean>): Targets {
  const unclaimed = new Map<string, Session>();
  /** By target id, or by the address of an app window. */
  const claims = new Map<string, (opened: OpenedTarget) => void>();
  let opening = 0;
  let lastAppWindow = 0;

  const refuse = (session: Session, targetId: string): void => {
    // Released first: a page that waits shares its thread with the one that opened it, and closing would wait for an answer from it.
    session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    session.send('Page.close').catch(() => undefined);
    unclaimed.delete(targetId);
  };

  const claim = (targetId: string): Promise<OpenedTarget> => {
    const session = unclaimed.get(targetId);
    unclaimed.delete(targetId);
    if (session) return Promise.resolve({ session, targetId });
    return new Promise((resolve) => claims.set(targetId, resolve));
  };

  const openApp = async (ask: (url: string) => Promise<boolean>, bounds: Bounds): Promise<OpenedTarget | undefined> => {
    lastAppWindow += 1;
    const url = `${blankPage}#${lastAppWindow}`;
    const claimed = claim(url);
    if (!(await ask(url))) {
      claims.delete(url);
      return undefined;
    }
    const opened = await claimed;
    await settle(opened.session, bounds);
    return opened;
  };

  const openOrdinary = async (connection: Connection, { x, y, width, height }: Bounds): Promise<OpenedTarget> => {
    const where = { left: x, top: y, width, height, newWindow: true };
    const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank', ...where });
    return claim(targetId);
  };

  return {
    async open(connection, bounds) {
      opening += 1;
      try {
        const opened = openAppWindow && (await openApp(openAppWindow, bounds));
        return opened ?? (await openOrdinary(connection, bounds));
      } finally {
        opening -= 1;
        if (opening === 0) for (const [targetId, session] of unclaimed) refuse(session, targetId);
      }
    },
    announce(session, { targetId, openerId, url }) {
      const key = claims.has(targetId) ? targetId : url;
      const claimed = claims.get(key);
      claims.delete(key);
      if (claimed) claimed({ session, targetId });
      // The answer to createTarget may come after the announcement: until then a page may be one of ours.
      else if (openerId === undefined && opening > 0) unclaimed.set(targetId, session);
      else refuse(session, targetId);
    },
  };
}

/**
 * An app window comes up where Chromium likes, and its page runs at once: the blank page must have loaded before the
 * app's own does.
 */
async function settle(session: Session, { x, y, width, height }: Bounds): Promise<void> {
  const loaded = new Promise<void>((resolve) =>
    session.events.on('Page.lifecycleEvent', ({ name }) => {
      if (name === 'load') resolve();
    }),
  );
  await Promise.all([
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Runtime.runIfWaitingForDebugger'),
    loaded,
  ]);
  const expression = '({ availTop: screen.availTop, availHeight: screen.availHeight })';
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  const top = belowTitleBar(y, height, result.value as { availTop: number; availHeight: number });
  await setWindowBounds(session, { left: x, top, width, height });
}
