import { readFileSync } from 'node:fs';
import type { Session } from './cdp.mts';
import { focusBinding, focusScript } from './focus-script.mts';
import { pageScript } from './page.mts';

interface Preparation {
  /** Random key of this host, which names everything it adds to pages. */
  readonly key: string;
  /** Path of the preload script, if any. */
  readonly preload: string | undefined;
  /** Whether frames get the preload script too. */
  readonly subFrames: boolean;
  /** Starts to intercept navigations. */
  guard(): Promise<unknown>;
}

function preloadScript({ key, preload, subFrames }: Preparation): string | undefined {
  if (preload === undefined) return undefined;
  try {
    return pageScript({ key, subFrames }, readFileSync(preload, 'utf8'));
  } catch (error) {
    // Electron too shows the page without its preload script.
    console.error(`Unable to load preload script: ${preload}`, error);
    return undefined;
  }
}

/**
 * Installs what a page or an out-of-process frame needs before its first script: the preload script and the one that
 * reports the focus. The page is paused until then.
 */
export async function prepareSession(session: Session, preparation: Preparation): Promise<void> {
  const { key } = preparation;
  const source = preloadScript(preparation);
  const focusWorld = `${key}focus`;
  await Promise.all([
    session.send('Runtime.addBinding', { name: focusBinding(key), executionContextName: focusWorld }),
    session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: focusScript(key),
      worldName: focusWorld,
      runImmediately: true,
    }),
    session.send('Page.enable'),
    session.send('Runtime.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    ...(source === undefined
      ? []
      : [
          session.send('Runtime.addBinding', { name: key }),
          session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }),
        ]),
    preparation.guard(),
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'iframe' }],
    }),
    session.send('Runtime.runIfWaitingForDebugger'),
  ]);
}
