import { _electron, type Page } from 'playwright';
import { findHost } from '../scripts/find-host.mts';

/** When a page's first contentful paint was, in milliseconds since 1970. */
export const paintedAt = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) resolve(performance.timeOrigin + entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );

/** Milliseconds from just before the process of `app` starts to its page's first contentful paint, on this data folder. */
export async function paintTime(app: string, dataFolder: string): Promise<number> {
  const started = Date.now();
  const running = await _electron.launch({
    executablePath: findHost().executable,
    args: [app, `--user-data-dir=${dataFolder}`],
    env: { ...(process.env as Record<string, string>), TIMBRE_DATA_DIR: dataFolder },
    colorScheme: null,
  });
  const page = await running.firstWindow();
  await page.waitForURL((url) => url.protocol === 'app:' || url.hostname.endsWith('.localhost'));
  const painted = await paintedAt(page);
  await running.close();
  return painted - started;
}
