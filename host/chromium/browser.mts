// The Chromium process: started once in its own process group, and ended with the host.
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { appWindowArguments, chromiumArguments, findChromium, chromiumEnvironment } from './find-chromium.mts';
import { connect, type Connection, type Protocol, type Session } from './cdp.mts';
import { handOver } from '../launch/hand-over.mts';
import type { SchemeMap } from './scheme-url.mts';
import type { SchemeServer } from './scheme.mts';

/** EX_UNAVAILABLE in sysexits.h: no Chromium was found. */
export const exitNoChromium = 69;
/** EX_SOFTWARE in sysexits.h: Chromium ended unexpectedly. */
export const exitChromiumDied = 70;

/** Chromium allows at most 400 days. */
const cookieLifeS = 390 * 24 * 3600;

export interface BrowserDeps {
  /** Path of the Chromium profile. Read when Chromium starts, because the app may change it before. */
  readonly profile: () => string;
  readonly debuggingPort: () => number | undefined;
  readonly hasDisplay: boolean;
  /** Permissions of pages; all others are denied. */
  readonly granted: () => Protocol.Browser.PermissionType[];
  readonly schemeMap: SchemeMap;
  readonly schemeServer: SchemeServer;
  /** Called for each new page, which is paused until `Runtime.runIfWaitingForDebugger`. */
  readonly onPage: (session: Session, target: Protocol.Target.TargetInfo) => void;
  readonly onPageCrashed: (crash: Protocol.Target.targetCrashedPayload) => void;
  /** Chromium ended unexpectedly. `log`: the end of its stderr. */
  readonly onDied: (log: string) => void;
}

/** `stop` is final: a pending `start` ends Chromium again and rejects. */
export interface Browser {
  /** Starts Chromium once; later calls return the same connection. */
  start(): Promise<Connection>;
  /** Asks the running Chromium to open an app window, which then appears as a page. False if Chromium refuses. */
  openAppWindow(url: string): Promise<boolean>;
  /** Sends the currently granted permissions to Chromium. */
  updatePermissions(): void;
  /** Asks Chromium to close and waits up to 3 s for it. Never rejects. */
  stop(): Promise<void>;
  /** Kills Chromium and its processes at once; for the exit of the host. */
  kill(): void;
}

export function createBrowser(deps: BrowserDeps): Browser {
  const { profile, debuggingPort, hasDisplay, granted, schemeMap, schemeServer, onPage, onPageCrashed, onDied } = deps;
  let started: Promise<Connection> | undefined;
  let child: ChildProcess | undefined;
  let openAppWindow: ((url: string) => Promise<boolean>) | undefined;
  let gone: Promise<void> | undefined;
  let stopping = false;

  const killGroup = (): void => {
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  };

  const launch = async (): Promise<Connection> => {
    const chromium = findChromium(process.env);
    if ('problem' in chromium) throw new Error(chromium.problem);
    const schemePort = await schemeServer.listen();
    if (stopping) throw new Error('host: stopped');
    const directory = profile();
    const port = debuggingPort();
    rmSync(join(directory, 'DevToolsActivePort'), { force: true });
    const args = chromiumArguments({
      profile: directory,
      schemePort,
      debuggingPort: port,
      hasDisplay,
      isRoot: process.getuid?.() === 0,
    });
    // In its own group, Ctrl-C in a terminal reaches only the host, which then closes Chromium cleanly.
    const spawned = spawn(chromium.path, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: chromiumEnvironment(process.env),
    });
    child = spawned;
    openAppWindow = (url) => handOver(directory, [chromium.path, ...appWindowArguments(args, url)]);
    const readLog = followLog(spawned, port !== undefined);
    const connection = connect(spawned.stdio[3] as Writable, spawned.stdio[4] as Readable);
    gone = new Promise((resolve) => {
      spawned.once('error', () => resolve());
      // Helper processes keep stderr open until they end too.
      spawned.once('exit', () => killGroup());
      spawned.once('close', () => resolve());
    });
    void gone.then(() => {
      connection.close();
      if (!stopping) onDied(readLog());
    });
    await prepare(connection);
    return connection;
  };

  // This denies all other permissions for every origin; a prompt could hang unseen.
  const grant = (connection: Connection) => connection.send('Browser.grantPermissions', { permissions: granted() });

  const prepare = async (connection: Connection): Promise<void> => {
    connection.events.on('Target.targetCrashed', onPageCrashed);
    connection.events.on('Target.attachedToTarget', ({ sessionId, targetInfo }) =>
      onPage(connection.session(sessionId), targetInfo),
    );
    await Promise.all([
      connection.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }, { type: 'iframe' }] }),
      grant(connection),
      connection.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
      connection.send('Storage.setCookies', {
        cookies: [...schemeMap.schemes].map((scheme) => ({
          ...schemeServer.cookie,
          domain: `.${scheme}.localhost`,
          path: '/',
          httpOnly: true,
          sameSite: 'Strict' as const,
          // A session cookie would be lost with the last window, and the app may open another one later.
          expires: Date.now() / 1000 + cookieLifeS,
        })),
      }),
    ]);
    await connection.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'page' }],
    });
  };

  return {
    start: () => (started ??= launch()),
    openAppWindow: async (url) => (await openAppWindow?.(url)) ?? false,
    updatePermissions: () => void started?.then(grant).catch(() => undefined),
    async stop() {
      stopping = true;
      const closed = started?.then(
        (connection) => {
          connection.send('Browser.close').catch(() => undefined);
          return gone;
        },
        () => undefined,
      );
      const patience = new Promise<void>((resolve) => setTimeout(resolve, 3000).unref());
      await Promise.race([closed, patience]);
    },
    kill() {
      stopping = true;
      killGroup();
    },
  };
}

/** Keeps the last 4 kB of Chromium's stderr, and repeats the line with the DevTools address for Playwright. */
function followLog(child: ChildProcess, announcesDevTools: boolean): () => string {
  let log = '';
  let announced = !announcesDevTools;
  child.once('error', (error) => (log += error.message));
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = log + chunk.toString();
    // Searched before the log is truncated, because Chromium may print a lot at once.
    const line = announced ? undefined : /^DevTools listening on .*(?=\n)/m.exec(text)?.[0];
    log = text.slice(-4096);
    if (line === undefined) return;
    announced = true;
    process.stderr.write(`${line}\n`);
  });
  return () => log;
}
