// Editing a text of 3,000 sentences in the list of sentences, in the real window: for how long a key blocks the page and main at most,
// and how long it takes until the list shows the change. The baseline is the same in a text of 30 sentences.
//   npm run bench sentence-list [sentences]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { findHost } from '../scripts/find-host.mts';
import { root } from '../scripts/root.mts';
import { median } from './median.mts';

const sentences = Number(process.argv[2] ?? 3000);
const goalMs = 50;
const rounds = 5;

const bookOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, k) => `Sentence ${k} is about the gulls, of which he counted ${k * 7}.${k % 10 === 9 ? '\n\n' : ' '}`,
  ).join('');

interface Cost {
  /** The longest time in which the page did nothing else, while the key was handled and in the second after it. */
  readonly pageMs: number;
  /** The same of main. */
  readonly mainMs: number;
  readonly shownMs: number;
}

/** Notes the longest pause of the page's event loop. */
function watchPage(): void {
  const state = { most: 0, isOn: true };
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    state.most = Math.max(state.most, now - last);
    last = now;
    if (state.isOn) port2.postMessage(null);
    else port1.close();
  };
  port2.postMessage(null);
  Object.assign(window, { loopState: state });
}

function endPageWatch(): number {
  const { loopState } = window as unknown as { loopState: { most: number; isOn: boolean } };
  loopState.isOn = false;
  return loopState.most;
}

function watchMain(): void {
  const delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  Object.assign(globalThis, { loopDelay: delay });
}

function endMainWatch(): number {
  const { loopDelay } = globalThis as unknown as { loopDelay: { readonly max: number; disable(): boolean } };
  loopDelay.disable();
  return loopDelay.max / 1e6;
}

async function costOf(app: ElectronApplication, page: Page, act: () => Promise<void>): Promise<Cost> {
  await Promise.all([page.evaluate(watchPage), app.evaluate(watchMain)]);
  const started = performance.now();
  await act();
  const shownMs = performance.now() - started;
  await page.waitForTimeout(1000);
  return { pageMs: await page.evaluate(endPageWatch), mainMs: await app.evaluate(endMainWatch), shownMs };
}

async function measure(count: number): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'timbre-bench-'));
  const app = await _electron.launch({
    executablePath: findHost().executable,
    args: [root, `--user-data-dir=${dataFolder}`],
    env: { ...(process.env as Record<string, string>), TIMBRE_DATA_DIR: dataFolder },
    colorScheme: null,
  });
  const costs = new Map<string, Cost[]>();
  try {
    const page = await app.firstWindow();
    await page.waitForURL((url) => url.protocol === 'app:' || url.hostname.endsWith('.localhost'));
    await page.getByRole('navigation').getByRole('button', { name: 'Speech' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(bookOf(count));
    await page.getByRole('radio', { name: 'Sentences' }).click();
    const grid = page.getByRole('grid', { name: 'Sentences' });
    const rowCount = async (wanted: number): Promise<void> => {
      await page.waitForFunction(
        (rows) =>
          document.querySelector('[role="grid"][aria-label="Sentences"]')?.getAttribute('aria-rowcount') ===
          String(rows),
        wanted,
      );
    };
    await rowCount(count);
    await page.waitForTimeout(2000);

    async function key(name: string, press: () => Promise<unknown>, isShown: () => Promise<unknown>): Promise<void> {
      const cost = await costOf(app, page, async () => {
        await press();
        await isShown();
      });
      costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
    const field = grid.getByRole('textbox');
    const nothing = () => Promise.resolve();
    await grid.getByRole('row').first().focus();
    for (let k = 0; k < rounds; k += 1) {
      await page.keyboard.press('PageDown');
      await key('Arrow down', () => page.keyboard.press('ArrowDown'), nothing);
      await key(
        'Open',
        () => page.keyboard.press('Enter'),
        () => field.waitFor(),
      );
      for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight');
      await key('Type', () => page.keyboard.type('x'), nothing);
      await key(
        'Enter: split',
        () => page.keyboard.press('Enter'),
        () => rowCount(count + 1),
      );
      await page.keyboard.press('Enter');
      await field.waitFor();
      await page.keyboard.press('Home');
      await key(
        'Backspace: join',
        () => page.keyboard.press('Backspace'),
        () => rowCount(count),
      );
      await key(
        'Ctrl+Z',
        () => page.keyboard.press('ControlOrMeta+z'),
        () => rowCount(count + 1),
      );
      await page.keyboard.press('ControlOrMeta+z');
      await rowCount(count);
      await page.waitForTimeout(500);
    }
    await page.getByRole('radio', { name: 'Text' }).click();
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.focus();
    for (let k = 0; k < rounds; k += 1) await key('Type in the text', () => page.keyboard.type('x'), nothing);
  } finally {
    await app.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
  return costs;
}

const few = await measure(30);
const many = await measure(sentences);
const figures = (all: readonly Cost[] = []): string => {
  const of = (kind: keyof Cost) => median(all.map((cost) => cost[kind])).toFixed(0);
  const worst = Math.max(...all.map(({ pageMs }) => pageMs)).toFixed(0);
  return `page blocked ${of('pageMs')} ms, ${worst} at most, main ${of('mainMs')} ms, shown after ${of('shownMs')} ms`;
};
for (const [name, all] of many) {
  console.log(
    `${name}, ${sentences} sentences: ${figures(all)} (goal: page <= ${goalMs} ms); with 30: ${figures(few.get(name))}`,
  );
  if (median(all.map(({ pageMs }) => pageMs)) > goalMs) process.exitCode = 1;
}
