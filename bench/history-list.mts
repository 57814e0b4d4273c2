// P7: a million entries in the window's own list, in the system's Chromium with a main that answers from memory in the page. Measures
// jumps to any place, from the bar's step to rows in place of those that stood there, and from a key in the search field to the painted
// list. The baseline is a plain spacer list of as many rows, in the same browser in turn; it has no bells, no days and never ends.
//   npm run bench history-list [jumps]
import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright';
import { chromiumPath } from '../scripts/chromium-path.mts';
import { root } from '../scripts/root.mts';
import { bundleFake } from '../scripts/screens/bundle-fake.mts';
import { servePage } from '../scripts/screens/serve-page.mts';
import { median } from './median.mts';

const jumps = Number(process.argv[2] ?? 60);
const rows = 1_000_000;
const goal = { jumpMs: 8, keyMs: 50 };

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
const shown = (values: readonly number[]): string =>
  `median ${median(values).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;

/** A spacer, and the rows in view as plain text. */
function plainList(count: number): void {
  const height = 36;
  document.body.innerHTML =
    '<div id="list" style="block-size:600px;overflow:auto"><div style="position:relative"></div></div>';
  const list = document.querySelector<HTMLElement>('#list');
  const spacer = list?.firstElementChild;
  if (!list || !(spacer instanceof HTMLElement)) return;
  spacer.style.height = `${count * height}px`;
  list.onscroll = () => {
    const first = Math.floor(list.scrollTop / height);
    spacer.replaceChildren(
      ...Array.from({ length: Math.min(24, count - first) }, (_, k) => {
        const row = document.createElement('div');
        row.style.cssText = `position:absolute;top:${(first + k) * height}px;height:${height}px`;
        row.textContent = `chapter ${count - first - k}.wav`;
        row.dataset['index'] = String(first + k);
        return row;
      }),
    );
  };
}

/** Scripting and layout of one jump, in milliseconds, from the step of the bar until every row in view is there. */
async function jump(
  page: Page,
  selector: string,
  share: number,
): Promise<{ readonly script: number; readonly all: number }> {
  const session = await page.context().newCDPSession(page);
  // The page's own time on the processor: what else runs on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
    return { script: of('ScriptDuration'), layout: of('LayoutDuration') + of('RecalcStyleDuration') };
  };
  const before = await read();
  await page.evaluate(
    async ([query, to]) => {
      const list = document.querySelector(query);
      if (!list) throw new Error('No list');
      list.scrollTop = (list.scrollHeight - list.clientHeight) * to;
      const isThere = () => {
        const drawn = [...list.querySelectorAll('[data-index]')];
        return (
          drawn.length > 0 && drawn.every((row) => row.textContent.includes('wav') || row.textContent.includes('“'))
        );
      };
      do await new Promise(requestAnimationFrame);
      while (!isThere());
    },
    [selector, share] as const,
  );
  const after = await read();
  await session.detach();
  const script = after.script - before.script;
  return { script, all: script + after.layout - before.layout };
}

/** From a key to the frame that shows what it found. */
async function key(page: Page, letter: string): Promise<number> {
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('[data-search]');
    const list = document.querySelector('[role="grid"]');
    if (!field || !list) throw new Error('No list');
    const told = Promise.withResolvers<number>();
    Object.assign(globalThis, { painted: told.promise });
    let start = 0;
    const seen = new MutationObserver(() => {
      seen.disconnect();
      // The frame in which it is drawn, and then the task after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => told.resolve(performance.now() - start);
        port2.postMessage(null);
      });
    });
    field.addEventListener(
      'keydown',
      (event) => {
        start = event.timeStamp;
        seen.observe(list, { subtree: true, childList: true, characterData: true });
      },
      { once: true },
    );
  });
  await page.locator('[data-search]').press(letter);
  return page.evaluate(() => (globalThis as unknown as { readonly painted: Promise<number> }).painted);
}

/** Drags the scrollbar through the whole list, and counts rows that show a wrong entry. */
function dragThrough([query, count]: readonly [string, number]): Promise<readonly [wrong: number, shown: number]> {
  const list = document.querySelector(query);
  if (!list) throw new Error('No list');
  const steps = 120;
  return (async () => {
    let [wrong, shown] = [0, 0];
    for (let step = 0; step <= steps; step++) {
      list.scrollTop = ((list.scrollHeight - list.clientHeight) * step) / steps;
      await new Promise(requestAnimationFrame);
      // At once, before a quiet line has become a row, there is little to be wrong.
      await new Promise((done) => setTimeout(done, 0));
      for (const row of list.querySelectorAll<HTMLElement>('[data-index]')) {
        // A row that is being loaded covers the one before.
        if (row.querySelector('.loading:not([hidden])')) continue;
        // What can be seen of it; a name is in two parts, and its middle is clipped.
        const number = /(\d+)\.wav/u.exec(row.innerText.replaceAll('\n', ''))?.[1];
        if (number === undefined) continue;
        shown++;
        if (Number(number) !== count - Number(row.dataset['index'])) wrong++;
      }
    }
    return [wrong, shown] as const;
  })();
}

const server = await servePage(resolve(root, 'out/renderer'));
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const viewport = { width: 1200, height: 800 };
  const plain = await browser.newPage({ viewport });
  await plain.evaluate(plainList, rows);
  const page = await browser.newPage({ viewport });
  await page.addInitScript({ content: `globalThis.timbreScene = "history-bare";\n${await bundleFake()}` });
  await page.goto(server.origin);
  await page.getByRole('navigation').getByTitle('History', { exact: true }).click();
  await page.getByText('1,000,000 entries').waitFor();

  const ours: { readonly script: number; readonly all: number }[] = [];
  const theirs: { readonly script: number; readonly all: number }[] = [];
  // The first jumps warm the compiler and are not counted.
  for (let k = -8; k < jumps; k++) {
    const share = (((k + 9) * 0.618_034) % 1) * 0.98 + 0.01;
    const [a, b] = [await jump(page, '.scroll:has(> [role="grid"])', share), await jump(plain, '#list', share)];
    if (k < 0) continue;
    ours.push(a);
    theirs.push(b);
  }
  const scripts = ours.map(({ script }) => script);
  const plainScripts = theirs.map(({ script }) => script);
  console.log(
    `P7 jump, scripting with the fake main's: ${shown(scripts)} (goal ${goal.jumpMs}); plain spacer list ${shown(plainScripts)}, ` +
      `ratio ${(median(scripts) / median(plainScripts)).toFixed(1)}`,
  );
  console.log(
    `P7 jump with style and layout: ${shown(ours.map(({ all }) => all))}; plain ${shown(theirs.map(({ all }) => all))}`,
  );

  const [wrong, seen] = await page.evaluate(dragThrough, ['.scroll:has(> [role="grid"])', rows] as const);
  console.log(`P7 wrong rows while the bar is dragged through: ${wrong} of ${seen}`);

  const ends = [page, plain].map((one, k) =>
    jump(one, k === 0 ? '.scroll:has(> [role="grid"])' : '#list', 1).then(() =>
      one.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll<HTMLElement>('[data-index]')].map((row) => Number(row.dataset['index'])),
        ),
      ),
    ),
  );
  const [last, plainLast] = await Promise.all(ends);
  console.log(`P7 last row that can be seen: ${last ?? NaN} of ${rows - 1}; plain ${plainLast ?? NaN}`);

  await page.evaluate(() => document.querySelector('.scroll:has(> [role="grid"])')?.scrollTo(0, 0));
  const keys: number[] = [];
  for (let k = -1; k < 8; k++) {
    for (const letter of ['l', 'a', 'm', 'Backspace', 'Backspace', 'Backspace']) {
      const ms = await key(page, letter);
      if (k >= 0) keys.push(ms);
      // The count of a million in the page is main's work, in another process.
      await page.waitForTimeout(150);
    }
  }
  console.log(`P7 key to painted list: ${shown(keys)} (goal ${goal.keyMs})`);
} finally {
  await browser.close();
  server.stop();
}
