import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { spokenLanguages } from '../../src/shared/messages/languages.ts';
import { root } from '../root.mts';
import { findClipped } from './find-clipped.mts';
import { createShotOpener, forEachAtOnce, selectLanguage, settle } from './open-shots.mts';
import { shots } from './shots.mts';

/** A window and its zoom: the page is laid out in the window's size divided by the zoom. In large ones nothing more hides than in small ones. */
const windows = [
  { width: 800, height: 600, zoom: 1, isWalked: true },
  { width: 3840, height: 2160, zoom: 1, isWalked: false },
  { width: 3840, height: 2160, zoom: 0.5, isWalked: false },
  { width: 1280, height: 800, zoom: 2, isWalked: true },
  { width: 800, height: 600, zoom: 3, isWalked: false },
] as const;
const views = shots.filter(({ isView = false, repeats = false }) => isView && !repeats);
/** What is no view and needs room too: a picture beside a text, a question that is higher than the window, fields beside buttons. */
const alsoZoomed = shots.filter(({ name }) =>
  [
    'convert-empty',
    'convert-large',
    'history-imported',
    'settings-connections',
    'settings-proxy',
    'settings-portable',
    'speech-batch',
    'speech-batch-chapters',
    'speech-book',
  ].includes(name),
);
/** One of each kind, with as much in it as there can be. */
const dialogs = shots.filter(({ name }) =>
  [
    'convert-largest-results',
    'picker',
    'keys-conflict',
    'keys-reset',
    'settings-notices',
    'speech-pronunciation-removed',
    'voices-compare',
    'voices-part',
    'history-again-changed',
    'history-refused-lines',
    'presets-modified',
  ].includes(name),
);
const menus = shots.filter(({ name }) => ['history-menu', 'presets-menu'].includes(name));
const lists = shots.filter(({ name }) => ['convert', 'history', 'voices', 'models'].includes(name));

/** Runs in the page after each Tab: what has the focus, and where it cannot be seen. */
function focused(): { readonly name: string; readonly isHidden: boolean; readonly key: number } | null {
  const marked = globalThis as typeof globalThis & { order?: Element[] };
  const order = (marked.order ??= []);
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  if (!order.includes(element)) order.push(element);
  const box = element.getBoundingClientRect();
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
  // A text may be higher than the window.
  const start = Math.max(box.top, 0);
  const end = Math.min(box.bottom, innerHeight);
  const seen = [0.5, 0.1, 0.9].some((part) => {
    const top = document.elementFromPoint(x, start + (end - start) * part);
    return top !== null && (element.contains(top) || top.contains(element) || top.closest('label')?.contains(element));
  });
  const label = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.textContent;
  return {
    name: `<${element.tagName.toLowerCase()}> "${label.trim().replaceAll(/\s+/g, ' ').slice(0, 40)}"`,
    isHidden: !seen,
    key: order.indexOf(element),
  };
}

/** Runs in the page: controls that Tab should reach; items of a list, a grid or a group are reached by arrow keys. */
function unreached(): string[] {
  const { order = [] } = globalThis as typeof globalThis & { order?: Element[] };
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  const controls = (modal ?? document).querySelectorAll<HTMLElement>(
    'button, input, select, textarea, summary, a[href], [tabindex="0"]',
  );
  const radios = new Set(order.map((element) => (element as HTMLInputElement).name).filter(Boolean));
  return [...controls]
    .filter((control) => control.tabIndex >= 0 && !control.matches(':disabled') && control.checkVisibility())
    .filter((control) => !(control instanceof HTMLInputElement && control.type === 'radio' && radios.has(control.name)))
    .filter((control) => !order.includes(control))
    .map((control) => control.outerHTML.slice(0, 120));
}

/** Once around the page by Tab; returns what was wrong on the way. */
async function walkOnce(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  const seen = new Set<number>();
  let last = -1;
  await page.evaluate(() => void delete (globalThis as typeof globalThis & { order?: Element[] }).order);
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(focused);
    // Past the last one the focus leaves the page, and comes back at the first.
    // On a busy computer it may not have moved yet.
    if (now === null || now.key === last) continue;
    last = now.key;
    if (seen.has(now.key)) break;
    seen.add(now.key);
    if (now.isHidden) faults.push(`has the focus and cannot be seen: ${now.name}`);
  }
  if (seen.size === 0) faults.push('Tab reaches nothing');
  return faults;
}

async function walk(page: Page): Promise<readonly string[]> {
  let faults = await walkOnce(page);
  // A control that an answer of main showed meanwhile may stand where the focus has been.
  if ((await page.evaluate(unreached)).length > 0) faults = await walkOnce(page);
  return [...faults, ...(await page.evaluate(unreached)).map((control) => `is not reached by Tab: ${control}`)];
}

test(
  'U5: every control is fully visible and reachable by Tab from 800 x 600 to 3,840 x 2,160, zoomed from 50 to 300 %',
  { timeout: 1_200_000 },
  async () => {
    const opener = await createShotOpener(join(root, 'out/renderer'));
    const faults: string[] = [];
    expect(views.length).toBeGreaterThan(9);
    try {
      await forEachAtOnce([...views, ...alsoZoomed], async (view) => {
        const { page, close } = await opener.open(view, { width: 1200, height: 800, colorScheme: 'light' });
        for (const { width, height, zoom, isWalked } of windows) {
          await page.setViewportSize({ width: Math.floor(width / zoom), height: Math.floor(height / zoom) });
          await settle(page);
          for (const fault of [...(await page.evaluate(findClipped)), ...(isWalked ? await walk(page) : [])]) {
            faults.push(`${view.name} at ${width} x ${height}, ${zoom * 100} %: ${fault}`);
          }
        }
        await close();
      });
    } finally {
      await opener.close();
    }
    expect(faults).toEqual([]);
  },
);

test(
  'U5: every dialog can be read, and each of its controls is reachable by Tab, at 300 % in a small window',
  { timeout: 1_200_000 },
  async () => {
    const opener = await createShotOpener(join(root, 'out/renderer'));
    const faults: string[] = [];
    try {
      await forEachAtOnce(dialogs, async (shot) => {
        const { page, close } = await opener.open(shot, { width: 800, height: 600, colorScheme: 'light' });
        await page.setViewportSize({ width: 266, height: 200 });
        await settle(page);
        for (const fault of await walk(page)) faults.push(`${shot.name}: ${fault}`);
        for (const language of spokenLanguages) {
          await selectLanguage(page, language);
          await settle(page);
          const top = await page.evaluate(
            () => document.querySelector('dialog[open]')?.getBoundingClientRect().top ?? 0,
          );
          if (top < 0) faults.push(`${shot.name} in ${language}: begins above the window`);
          // What is below the dialog was walked as a view.
          const cut = (await page.evaluate(findClipped)).filter((fault) => !/^sideways|\.view\b/.test(fault));
          for (const fault of cut) faults.push(`${shot.name} in ${language}: ${fault}`);
        }
        await close();
      });
    } finally {
      await opener.close();
    }
    expect(faults).toEqual([]);
  },
);

test(
  'U5: the row that arrow keys move to is in view, also in a list below the edge of a small window at 300 %',
  { timeout: 1_200_000 },
  async () => {
    const opener = await createShotOpener(join(root, 'out/renderer'));
    const hidden: string[] = [];
    try {
      await forEachAtOnce(lists, async (shot) => {
        const { page, close } = await opener.open(shot, { width: 800, height: 600, colorScheme: 'light' });
        await page.keyboard.press('Escape');
        await page.setViewportSize({ width: 266, height: 200 });
        await page.getByRole('grid').locator('[tabindex="0"]').first().focus();
        for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home']) {
          await page.keyboard.press(key);
          await settle(page);
          if ((await page.evaluate(focused))?.isHidden !== false) hidden.push(`${shot.name} after ${key}`);
        }
        await close();
      });
    } finally {
      await opener.close();
    }
    expect(hidden).toEqual([]);
  },
);

test('U5: every item of a menu is in view once it has the focus, at 300 % in a small window', async () => {
  const opener = await createShotOpener(join(root, 'out/renderer'));
  const hidden: string[] = [];
  try {
    await forEachAtOnce(menus, async (shot) => {
      const { page, close } = await opener.open(shot, { width: 266, height: 200, colorScheme: 'light' });
      await settle(page);
      for (let items = await page.getByRole('menuitem').count(); items > 0; items--) {
        await page.keyboard.press('ArrowDown');
        const now = await page.evaluate(focused);
        if (now?.isHidden !== false) hidden.push(`${shot.name}: ${now?.name}`);
      }
      await close();
    });
  } finally {
    await opener.close();
  }
  expect(hidden).toEqual([]);
});

test(
  'U5: nothing is cut and nothing scrolls sideways in any language, zoomed up to 300 %',
  { timeout: 1_200_000 },
  async () => {
    const opener = await createShotOpener(join(root, 'out/renderer'));
    const faults: string[] = [];
    try {
      await forEachAtOnce(views, async (view) => {
        const { page, close } = await opener.open(view, { width: 1200, height: 800, colorScheme: 'light' });
        for (const language of spokenLanguages) {
          await selectLanguage(page, language);
          for (const [width, height] of [
            [1200, 800],
            [800, 600],
            // At 200 and 300 %.
            [400, 300],
            [266, 200],
          ] as const) {
            await page.setViewportSize({ width, height });
            await settle(page);
            for (const fault of await page.evaluate(findClipped))
              faults.push(`${view.name} in ${language} at ${width} x ${height}: ${fault}`);
          }
        }
        await close();
      });
    } finally {
      await opener.close();
    }
    expect(faults).toEqual([]);
  },
);
