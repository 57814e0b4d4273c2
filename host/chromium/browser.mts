// Chromium as the host runs it: started once, in a process group of its own, ended with the host.
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { appWindowArguments, chromiumArguments, findChromium, chromiumEnvironment } from './find-chromium.mts';
import { connect, type Connection, type Protocol, type Session } from './cdp.mts';
import { handOver } from '../launch/hand-over.mts';
import type { SchemeMap } from './scheme-url.mts';
import type { SchemeServer } from './scheme.mts';

/** What sysexits.h calls EX_UNAVAILABLE: something the host needs is not there. */
export const exitNoChromium = 69;
/** What sysexits.h calls EX_SOFTWARE: Chromium ended while the app still needed it. */
export const exitChromiumDied = 70;

/** Close to the 400 days that Chromium allows. */
const cookieLifeS = 390 * 24 * 3600;

export interface BrowserDeps {
  /** Where Chromium keeps its profile; asked when it starts, since the app may move it before that. */
  readonly profile: () => string;
  readonly debuggingPort: () => number | undefined;
  readonly hasDisplay: boolean;
  /** What pages may do; everything else is refused. */
  readonly granted: () => Protocol.Browser.PermissionType[];
  readonly schemeMap: SchemeMap;
  readonly schemeServer: SchemeServer;
  /** A page has come up, and waits until it is told to run. */
  readonly onPage: (session: Session, target: Protocol.Target.TargetInfo) => void;
  readonly onPageCrashed: (crash: Protocol.Target.targetCrashedPayload) => void;
  /** Chromium ended without having been asked to. `log`: the end of its stderr. */
  readonly onDied: (log: string) => void;
}

/** `stop` is final: a `start` that it overtakes ends Chromium again and rejects. */
export interface Browser {
  /** Starts Chromium once; every later call answers the same connection. */
  start(): Promise<Connection>;
  /** Has the running Chromium open an app window, which then comes up as a page. False where it does not take that. */
  openAppWindow(url: string): Promise<boolean>;
  /** Tells Chromium what is granted by now. */
  updatePermissions(): void;
  /** Asks Chromium to close and waits up to 3 s for it. Never rejects. */
  stop(): Promise<void>;
  /** Ends Chromium and all its processes at once: for the moment the host itself goes. */
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
      // The group has ended already.
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
    // A group of its own: Ctrl-C in a terminal reaches the host only, which then closes Chromium in order.
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
      // Its helpers hold stderr open until they are gone too, and nothing more of it would be read.
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

  // It refuses whatever it does not grant, for every origin: a prompt could hang where nobody sees it.
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
          // A session's cookie would go with the last window, and the app may open another one later.
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

/** Keeps the last 4 kB of Chromium's stderr, and repeats the line that tells Playwright where DevTools listens. */
function followLog(child: ChildProcess, announcesDevTools: boolean): () => string {
  let log = '';
  let announced = !announcesDevTools;
  child.once('error', (error) => (log += error.message));
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = log + chunk.toString();
    // Looked for before the log is cut: Chromium may say a lot at once.
    const line = announced ? undefined : /^DevTools listening on .*(?=\n)/m.exec(text)?.[0];
    log = text.slice(-4096);
    if (line === undefined) return;
    announced = true;
    process.stderr.write(`${line}\n`);
  });
  return () => log;
}
