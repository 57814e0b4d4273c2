// 20,000 voices in the window's own grid, in the system's Chromium with a main that answers from memory in the page: the frames of a
// scripted scroll at two speeds, and from a key in the search field to the changed grid. The baseline is a plain spacer list that draws
// the rows of text in view, in the same browser in turn.
//   npm run bench voice-grid [frames]
import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright';
import { chromiumPath } from '../scripts/chromium-path.mts';
import { root } from '../scripts/root.mts';
import { bundleFake } from '../scripts/screens/bundle-fake.mts';
import { servePage } from '../scripts/screens/serve-page.mts';
import { median } from './median.mts';

const frames = Number(process.argv[2] ?? 300);
const count = 20_000;
const gridSelector = '.scroll:has(> [role="grid"])';
const goal = { frameMs: 1000 / 60, keyMs: 16 };
/** At 60 frames a second: reading speed, and as fast as a free-spinning wheel. */
const speeds = [40, 600];

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

/** A spacer, and the rows in view as plain text. */
function plainList(length: number): void {
  const height = 36;
  document.body.innerHTML =
    '<div id="list" style="block-size:600px;overflow:auto"><div style="position:relative"></div></div>';
  const list = document.querySelector<HTMLElement>('#list');
  const spacer = list?.firstElementChild;
  if (!list || !(spacer instanceof HTMLElement)) return;
  spacer.style.height = `${length * height}px`;
  list.onscroll = () => {
    const first = Math.floor(list.scrollTop / height);
    spacer.replaceChildren(
      ...Array.from({ length: Math.min(24, length - first) }, (_, k) => {
        const row = document.createElement('div');
        row.style.cssText = `position:absolute;top:${(first + k) * height}px;height:${height}px;inset-inline:0`;
        row.textContent = `Voice ${first + k}`;
        return row;
      }),
    );
  };
}

interface Scroll {
  /** Between frames, in milliseconds. */
  readonly gaps: readonly number[];
  /** The page's work in a frame on its main thread: scripts, style and layout. */
  readonly workMs: number;
  /** Frames in which a part of the view had no voice. */
  readonly blank: number;
}

async function scroll(page: Page, selector: string, stepPx: number): Promise<Scroll> {
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  // The page's own time on the processor: what else runs on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
    return of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration');
  };
  const before = await workMs();
  const { gaps, blank } = await page.evaluate(
    async ([query, step, most]) => {
      const list = document.querySelector(query);
      if (!list) throw new Error('No list');
      list.scrollTop = 0;
      const frame = () => new Promise<number>(requestAnimationFrame);
      await frame();
      const found: number[] = [];
      let missing = 0;
      let last = await frame();
      for (let k = 0; k < most; k++) {
        list.scrollTop += step;
        const now = await frame();
        found.push(now - last);
        last = now;
        const { left, width, top, height } = list.getBoundingClientRect();
        const isThere = [0.1, 0.5, 0.9].every((share) => {
          const hit = document.elementFromPoint(left + width / 2, top + height * share);
          return hit !== list && list.contains(hit) && hit?.getAttribute('role') !== 'grid';
        });
        if (!isThere) missing++;
      }
      return { gaps: found, blank: missing };
    },
    [selector, stepPx, frames] as const,
  );
  const work = ((await workMs()) - before) / frames;
  await session.detach();
  return { gaps, workMs: work, blank };
}

/** From a key to the changed grid, laid out: everything before its frame is painted. */
async function key(page: Page, letter: string): Promise<number> {
  await page.evaluate((query) => {
    const list = document.querySelector(query);
    const told = Promise.withResolvers<number>();
    Object.assign(globalThis, { laidOut: told.promise });
    document.querySelector('[data-search]')?.addEventListener(
      'input',
      () => {
        const start = performance.now();
        // Its task comes after the handlers of this one, and what they scheduled.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          list?.getBoundingClientRect();
          told.resolve(performance.now() - start);
        };
        port2.postMessage(null);
      },
      { once: true, capture: true },
    );
  }, gridSelector);
  await page.locator('[data-search]').press(letter);
  return page.evaluate(() => (globalThis as unknown as { readonly laidOut: Promise<number> }).laidOut);
}

const server = await servePage(resolve(root, 'out/renderer'));
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const viewport = { width: 1200, height: 800 };
  const plain = await browser.newPage({ viewport });
  await plain.evaluate(plainList, count);
  const page = await browser.newPage({ viewport });
  await page.addInitScript({ content: `globalThis.timbreScene = "voices-20000";\n${await bundleFake()}` });
  await page.goto(server.origin);
  await page.getByRole('navigation').getByTitle('Voices', { exact: true }).click();
  await page.getByText('20,000 voices').waitFor();

  for (const step of speeds) {
    // The first pass warms the compiler and is not counted.
    await scroll(page, gridSelector, step);
    const [ours, theirs] = [await scroll(page, gridSelector, step), await scroll(plain, '#list', step)];
    const late = ({ gaps }: Scroll) => gaps.filter((ms) => ms > goal.frameMs * 1.5).length;
    console.log(
      `voice grid, ${step} px a frame: work ${ours.workMs.toFixed(2)} ms a frame (goal ${goal.frameMs.toFixed(1)}), plain list ` +
        `${theirs.workMs.toFixed(2)}, ratio ${(ours.workMs / theirs.workMs).toFixed(1)}; frames that came late ${late(ours)} of ${frames}, ` +
        `plain ${late(theirs)}; p95 ${percentile(ours.gaps, 0.95).toFixed(1)} ms, plain ${percentile(theirs.gaps, 0.95).toFixed(1)} ms; ` +
        `frames with a gap ${ours.blank}`,
    );
  }

  const keys: number[] = [];
  await page.locator('[data-search]').focus();
  for (let k = -1; k < 8; k++) {
    for (const letter of ['g', 'e', 'r', 'm', 'Backspace', 'Backspace', 'Backspace', 'Backspace']) {
      const ms = await key(page, letter);
      if (k >= 0) keys.push(ms);
    }
  }
  console.log(
    `voice grid, key to the changed grid: median ${median(keys).toFixed(1)} ms, p95 ${percentile(keys, 0.95).toFixed(1)} ms (goal ${goal.keyMs})`,
  );
} finally {
  await browser.close();
  server.stop();
}
