import type { Connection, Protocol, Session } from './cdp.mts';
import { belowTitleBar, setWindowBounds } from './window-geometry.mts';

/** Blank page of an app window, which needs an address. The fragment identifies the window. */
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
 * Matches requested pages to the sessions that Chromium announces. Every new page is announced and paused; pages that
 * the host did not request (window.open, a tab opened by the user) are closed before they are visible.
 */
export interface Targets {
  open(connection: Connection, bounds: Bounds): Promise<OpenedTarget>;
  /** Must be called for each new page. */
  announce(session: Session, target: Protocol.Target.TargetInfo): void;
}

/**
 * @param openAppWindow - opens a window without tabs and address bar; false if it can't. Without it (no display), or if
 *   it fails, a page gets an ordinary Chromium window
 */
export function createTargets(openAppWindow?: (url: string) => Promise<boolean>): Targets {
  const unclaimed = new Map<string, Session>();
  /** By target id, or by the address of an app window. */
  const claims = new Map<string, (opened: OpenedTarget) => void>();
  let opening = 0;
  let lastAppWindow = 0;

  const refuse = (session: Session, targetId: string): void => {
    // Resume it first: a paused page shares the thread with its opener, and closing would block on it.
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
      // The response of createTarget may arrive after the announcement; until then the page may be a requested one.
      else if (openerId === undefined && opening > 0) unclaimed.set(targetId, session);
      else refuse(session, targetId);
    },
  };
}

/**
 * Positions a new app window, which Chromium places anywhere, and waits for its blank page, which must have loaded
 * before the app's page does.
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
