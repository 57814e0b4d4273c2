import type { App } from 'electron';

/** Holds the quit until `stop` has ended, once: a child or a half-written file that outlives the process would be nobody's. */
export function stopBeforeQuit(app: App, stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void stop()
      .catch(onError)
      .finally(() => {
        stopped = true;
        app.quit();
      });
  });
}
