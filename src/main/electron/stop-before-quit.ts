import type { App } from 'electron';

/** Holds the quit until `stop` has ended, once: a child or a half-written file that outlives the process would be nobody's. */
export function stopBeforeQuit(app: App, stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    // A second Ctrl Q does not end the first too early.
    if (state === 'stopping') return;
    state = 'stopping';
    void stop()
      .catch(onError)
      .finally(() => {
        state = 'stopped';
        app.quit();
      });
  });
}
