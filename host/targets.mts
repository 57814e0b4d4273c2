import type { Connection, Protocol, Session } from './cdp.mts';

export interface OpenedTarget {
  readonly session: Session;
  readonly targetId: string;
}

/**
 * Pairs the pages the host asks for with the sessions that Chromium announces. Chromium announces every page, and each
 * waits until it's told to run: those nobody asked for (window.open, a tab the user opened) are closed unseen.
 */
export interface Targets {
  open(connection: Connection, bounds: { x: number; y: number; width: number; height: number }): Promise<OpenedTarget>;
  /** To be called for each page that comes up. */
  announce(session: Session, target: Protocol.Target.TargetInfo): void;
}

export function createTargets(): Targets {
  const unclaimed = new Map<string, Session>();
  const claims = new Map<string, (session: Session) => void>();
  let opening = 0;

  const refuse = (session: Session, targetId: string): void => {
    session.send('Page.close').catch(() => undefined);
    unclaimed.delete(targetId);
  };

  const claim = (targetId: string): Promise<Session> => {
    const session = unclaimed.get(targetId);
    unclaimed.delete(targetId);
    if (session) return Promise.resolve(session);
    return new Promise((resolve) => claims.set(targetId, resolve));
  };

  return {
    async open(connection, { x, y, width, height }) {
      opening += 1;
      try {
        const where = { left: x, top: y, width, height, newWindow: true };
        const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank', ...where });
        return { targetId, session: await claim(targetId) };
      } finally {
        opening -= 1;
        if (opening === 0) for (const [targetId, session] of unclaimed) refuse(session, targetId);
      }
    },
    announce(session, { targetId, openerId }) {
      const claimed = claims.get(targetId);
      claims.delete(targetId);
      if (claimed) claimed(session);
      // The answer to createTarget may come after the announcement: until then a page may be one of ours.
      else if (openerId === undefined && opening > 0) unclaimed.set(targetId, session);
      else refuse(session, targetId);
    },
  };
}
