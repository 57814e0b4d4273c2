import type axe from 'axe-core';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { chromium, type Locator, type Page } from 'playwright';
import { type SpokenLanguage, spokenLanguages } from '../../src/shared/messages/languages.ts';
import { chromiumPath } from '../chromium-path.mts';
import { compileCatalogue, readCatalogue } from '../compile-messages.mts';
import { pseudoLocale } from './pseudo-locale.mts';
import { bundleFake } from './bundle-fake.mts';
import { servePage } from './serve-page.mts';
import type { Variant, Shot } from './shots.mts';

/** A language of a catalogue, or English that is longer and has accents. */
export type ScreenLanguage = SpokenLanguage | 'pseudo';

export const isScreenLanguage = (language: string): language is ScreenLanguage =>
  language === 'pseudo' || spokenLanguages.some((one) => one === language);

const axeAddress = '/axe.js';

/** The pseudo-locale takes the place of a language that no scene is in. */
const replaced = 'it';

/** Shows the page in a language, as after the user selected it in Settings. */
export async function selectLanguage(page: Page, language: ScreenLanguage): Promise<void> {
  const tag = language === 'pseudo' ? replaced : language;
  // Again until the page shows it: it may not follow the settings yet.
  await page.waitForFunction((selected) => {
    const { bridge } = window as unknown as { readonly bridge: { selectLanguage(selected: SpokenLanguage): void } };
    const isShown = document.documentElement.lang === selected;
    if (!isShown) bridge.selectLanguage(selected);
    return isShown;
  }, tag);
}

interface OpenShot {
  readonly page: Page;
  /** What the page has reported as an error so far. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export interface ShotOpener {
  /**
   * The built window in the state of `shot`, with nothing stored by a shot before it. Any number can be open at once. With a language,
   * it is selected once the state is reached, because shots name in English what they press.
   */
  open(shot: Shot, variant: Omit<Variant, 'name'>): Promise<OpenShot>;
  close(): Promise<void>;
}

/** One Chromium for any number of shots, with the page of `renderer` and no main. */
export async function createShotOpener(renderer: string, language?: ScreenLanguage): Promise<ShotOpener> {
  const [first, axeCode] = await Promise.all([
    bundleFake(),
    readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'),
  ]);
  const server = await servePage(renderer, { first, others: { [axeAddress]: axeCode } });
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
      '--autoplay-policy=no-user-gesture-required',
      '--force-color-profile=srgb',
      // A page lives for a second: compiling its code any further takes longer than it saves.
      '--js-flags=--no-maglev --no-turbofan',
    ],
  });
  // A closed shot leaves its page to the next one: a new context takes as long as the page itself.
  const free: Page[] = [];

  async function newPage(): Promise<Page> {
    const page = await browser.newPage({ locale: 'en-GB' });
    if (language === 'pseudo') {
      const body = stripTypeScriptTypes(
        compileCatalogue(pseudoLocale(readCatalogue('en')), replaced).get(`${replaced}-app`) ?? '',
      );
      await page.route(`**/${replaced}-app-*.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    }
    return page;
  }

  return {
    async open(shot, { width, height, colorScheme, isRightToLeft = false }) {
      const page = free.pop() ?? (await newPage());
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(`error: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(`console: ${message.text()}`);
      });
      try {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({
          colorScheme,
          reducedMotion: shot.reducedMotion ? 'reduce' : 'no-preference',
          forcedColors: shot.forcedColors ? 'active' : 'none',
        });
        await page.mouse.move(0, 0);
        const scene = await page.addInitScript({
          content: `localStorage.clear(); sessionStorage.clear(); globalThis.timbreScene = ${JSON.stringify(shot.scene)};`,
        });
        await page.goto(server.origin);
        await page.evaluate(() => document.fonts.ready);
        await shot.act?.(page);
        const selected = language ?? (isRightToLeft ? 'ar' : undefined);
        if (selected !== undefined) await selectLanguage(page, selected);
        return {
          page,
          errors,
          async close() {
            await scene.dispose();
            page.removeAllListeners();
            free.push(page);
          },
        };
      } catch (error) {
        await page.close();
        throw error;
      }
    },
    async close() {
      await browser.close();
      server.stop();
    },
  };
}

/** One for each core: a third made every page slower than it saved. */
const pages = 2;

/** Calls `work` for each item, for some of them at once; rejects with what the first failed one threw. */
export async function forEachAtOnce<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const next = items[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    for (let step = next.next(); !step.done; step = next.next()) await work(step.value);
  };
  await Promise.all(Array.from({ length: pages }, drain));
}

/** Unlike `scrollIntoViewIfNeeded`, tries again if the page replaces the element meanwhile. */
export const scrollTo = (element: Locator): Promise<void> => element.hover({ trial: true });

/** Forces a layout and ends all transitions, so that the final state is checked. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  });

/** What axe finds against WCAG 2.2, levels A and AA. The page has no frames. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ url: axeAddress });
  const violations = await page.evaluate(async () => {
    const results = await (globalThis as typeof globalThis & { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
    });
    return results.violations.map(({ id, help, nodes }) => ({ id, help, targets: nodes.map(({ target }) => target) }));
  });
  return violations.map(
    ({ id, help, targets }) =>
      `axe ${id}: ${help}; ${targets
        .map((target) => target.join(' '))
        .slice(0, 3)
        .join(' | ')}`,
  );
}
