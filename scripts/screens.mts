/**
 * Takes a picture of every view and state of the built window, without main: `node scripts/screens.mts [--renderer DIR] [--out DIR]
 * [--only WORD]`. Each picture is also checked: nothing runs out sideways, no control is cut, axe finds no violation of WCAG A or AA.
 * Ends non-zero and names what failed.
 */
import { AxeBuilder } from '@axe-core/playwright';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    renderer: { type: 'string', default: resolve(root, 'out/renderer') },
    out: { type: 'string', default: resolve(root, 'screens') },
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: process.env['TIMBRE_CHROMIUM'] ?? '/usr/lib/chromium/chromium' },
  },
});

interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

const looks: readonly Look[] = [
  { name: 'light', width: 1200, height: 800, colorScheme: 'light' },
  { name: 'dark', width: 1200, height: 800, colorScheme: 'dark' },
  { name: 'light-800x600', width: 800, height: 600, colorScheme: 'light' },
  { name: 'dark-800x600', width: 800, height: 600, colorScheme: 'dark' },
  { name: 'light-2560x1440', width: 2560, height: 1440, colorScheme: 'light' },
];

interface Shot {
  readonly name: string;
  /** A name of `tests/fakes/scenes.ts`. */
  readonly scene: string;
  /** One picture of each view is also taken very large. */
  readonly isView?: boolean;
  readonly forcedColors?: boolean;
  readonly reducedMotion?: boolean;
  readonly act?: (page: Page) => Promise<unknown>;
}

const rows = (page: Page) => page.getByRole('row').first().waitFor();
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 1000;

/** Files over the window, as a drag from the desktop: the browser tells kinds and types, no names. */
const drag = (page: Page) =>
  page.evaluate(() => {
    const data = new DataTransfer();
    for (let k = 0; k < 12; k++) data.items.add(new File(['x'], `${k}.wav`, { type: 'audio/wav' }));
    for (let k = 0; k < 3; k++) data.items.add(new File(['x'], `${k}.png`, { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
const drop = async (page: Page) => {
  await rows(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'a.wav', { type: 'audio/wav' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
};
const showDone = async (page: Page) => {
  await page.getByRole('tab', { name: 'Done' }).click();
  await rows(page);
};
const play = async (page: Page) => {
  await showDone(page);
  await page.getByText('chapter 02, low water').click();
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.waitForTimeout(1500);
};
const pick = async (page: Page, query: string) => {
  await rows(page);
  await page.keyboard.press('v');
  await page.getByRole('combobox', { name: 'Find a voice' }).fill(query);
};
const openSheet = async (page: Page) => {
  await rows(page);
  if (isNarrow(page)) await page.getByRole('button', { name: 'Marit Solheim' }).click();
};
const scrollToEnd = async (page: Page) => {
  await page.getByRole('row').first().click();
  await page.keyboard.press('End');
  await page.getByText('take 10000.wav').waitFor();
};

const shots: readonly Shot[] = [
  { name: 'first-start', scene: 'first', isView: true, act: (page) => page.getByRole('radio').first().waitFor() },
  { name: 'first-start-dragging', scene: 'first', act: drag },
  { name: 'first-start-no-voices', scene: 'first-no-voices' },
  { name: 'first-start-german', scene: 'first-german' },
  { name: 'convert-empty', scene: 'empty' },
  { name: 'convert', scene: 'busy', isView: true, act: (page) => page.getByRole('row').first().click() },
  { name: 'convert-no-voice', scene: 'no-voice', act: rows },
  { name: 'convert-remote', scene: 'remote', act: openSheet },
  { name: 'convert-german', scene: 'german', act: rows },
  { name: 'convert-contrast', scene: 'contrast', act: play },
  { name: 'convert-forced-colors', scene: 'busy', forcedColors: true, act: rows },
  { name: 'convert-names', scene: 'names', act: rows },
  { name: 'convert-dragging', scene: 'busy', act: (page) => rows(page).then(() => drag(page)) },
  { name: 'convert-dropped', scene: 'busy', act: drop },
  { name: 'convert-refusing', scene: 'refusing', act: drop },
  { name: 'convert-done', scene: 'busy', isView: true, act: play },
  { name: 'convert-done-still', scene: 'busy', reducedMotion: true, act: play },
  { name: 'convert-sheet', scene: 'busy', act: openSheet },
  { name: 'convert-10000', scene: 'huge', act: scrollToEnd },
  { name: 'picker', scene: 'busy', act: (page) => pick(page, '') },
  { name: 'picker-found', scene: 'busy', act: (page) => pick(page, 'en uk') },
  { name: 'picker-none', scene: 'busy', act: (page) => pick(page, 'lampe') },
  { name: 'keys', scene: 'busy', act: (page) => rows(page).then(() => page.keyboard.press('?')) },
  {
    name: 'settings',
    scene: 'busy',
    isView: true,
    act: (page) => rows(page).then(() => page.keyboard.press('Control+2')),
  },
  { name: 'settings-remote', scene: 'remote', act: (page) => rows(page).then(() => page.keyboard.press('Control+2')) },
  { name: 'loading', scene: 'loading', act: (page) => page.waitForTimeout(600) },
  { name: 'failed', scene: 'failed' },
];

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** Twelve seconds of a voice-like tone, so that the player has something to play: 16 bit mono wav at 16 kHz. */
function sound(): Buffer {
  const rate = 16_000;
  const samples = Int16Array.from({ length: rate * 12 }, (_, k) => {
    const at = k / rate;
    return (
      9000 * Math.sin(2 * Math.PI * 180 * at) * Math.abs(Math.sin(5 * at)) + 3000 * Math.sin(2 * Math.PI * 720 * at)
    );
  });
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write('WAVEfmt ', 8);
  [16, 0x00010001, rate, rate * 2, 0x00100002].forEach((value, k) => head.writeUInt32LE(value, 16 + 4 * k));
  head.write('data', 36);
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

/** The renderer under the policy that main sends, and a sound for every `media/` address. */
async function serve(folder: string) {
  const wav = sound();
  const server = createServer((request, reply) => {
    void (async () => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      reply.setHeader('Content-Security-Policy', policy);
      if (path.startsWith('/media/')) {
        const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
        const range = { 'Content-Range': `bytes ${start}-${wav.length - 1}/${wav.length}`, 'Accept-Ranges': 'bytes' };
        reply.writeHead(206, { 'Content-Type': 'audio/wav', 'Content-Length': wav.length - start, ...range });
        reply.end(wav.subarray(start));
        return;
      }
      const file = resolve(folder, `.${path === '/' ? '/index.html' : path}`);
      const body = file.startsWith(folder + sep) ? await readFile(file).catch(() => null) : null;
      reply.writeHead(body ? 200 : 404, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
      reply.end(body);
    })();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { origin: `http://127.0.0.1:${address.port}/`, stop: () => void server.close() };
}

/** Runs in the page: what runs out of the window or is cut by what it stands in. */
function findClipped(): string[] {
  const faults: string[] = [];
  const nameOf = (element: Element): string =>
    `<${element.tagName.toLowerCase()}> "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) faults.push(`sideways overflow: ${page.scrollWidth} in ${innerWidth}`);
  const rail = document.querySelector('nav')?.getBoundingClientRect();
  const work = document.querySelector('main')?.getBoundingClientRect();
  if (rail && work && rail.right > work.left + 0.5) faults.push('the rail stands over the work');
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  for (const control of (modal ?? document).querySelectorAll('button, input, select, [role="slider"], h1, h2')) {
    const box = control.getBoundingClientRect();
    if (box.width <= 1 || getComputedStyle(control).visibility === 'hidden') continue;
    if (control instanceof HTMLButtonElement && control.scrollWidth > control.clientWidth + 1)
      faults.push(`words cut in ${nameOf(control)}`);
    if (box.left < -4.5 || box.right > innerWidth + 4.5) faults.push(`out of the window: ${nameOf(control)}`);
    for (let parent = control.parentElement; parent; parent = parent.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(parent);
      const frame = parent.getBoundingClientRect();
      const isCutAcross = overflowX !== 'visible' && (box.left < frame.left - 4.5 || box.right > frame.right + 4.5);
      const isCutAlong = /hidden|clip/.test(overflowY) && (box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
      if (isCutAcross || isCutAlong) {
        if (!control.closest('[role="row"]') || isCutAcross)
          faults.push(`cut: ${nameOf(control)} in .${parent.className}`);
      }
      // What scrolls may hide what is below.
      if (/auto|scroll/.test(overflowY) || parent.tagName === 'DIALOG') break;
    }
  }
  for (const box of document.querySelectorAll<HTMLElement>('.scroll, dialog, .view')) {
    if (box.scrollWidth > box.clientWidth + 1) faults.push(`scrolls sideways: .${box.className}`);
  }
  return faults;
}

/** The fake bridge as one script that runs before the page's own. */
async function bundleFake(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    build: {
      write: false,
      minify: false,
      lib: { entry: resolve(root, 'tests/fakes/fake-page.ts'), formats: ['iife'], name: 'fakePage' },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunk = outputs
    .flatMap((output) => ('output' in output ? output.output : []))
    .find(({ type }) => type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The fake bridge was not built');
  return chunk.code;
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  const clipped = await page.evaluate(findClipped);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .setLegacyMode(true)
    .analyze();
  return [
    ...clipped,
    ...violations.map(
      ({ id, help, nodes }) =>
        `axe ${id}: ${help}; ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
    ),
  ];
}

async function take(
  browser: Browser,
  origin: string,
  fake: string,
  shot: Shot,
  look: Look,
): Promise<readonly string[]> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    reducedMotion: shot.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: shot.forcedColors ? 'active' : 'none',
    locale: 'en-GB',
  });
  const faults: string[] = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
    await page.addInitScript({ content: `globalThis.timbreScene = ${JSON.stringify(shot.scene)};\n${fake}` });
    await page.goto(origin);
    await page.evaluate(() => document.fonts.ready);
    await shot.act?.(page);
    // Drawings are asked for as rows appear: two frames without a new one.
    await page.waitForTimeout(250);
    await page.screenshot({ path: resolve(values.out, `${shot.name}-${look.name}.png`) });
    faults.push(...(await faultsOf(page)));
  } catch (error) {
    faults.push(error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error));
  } finally {
    await context.close();
  }
  return faults;
}

await mkdir(values.out, { recursive: true });
const fake = await bundleFake();
const server = await serve(resolve(values.renderer));
const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--force-color-profile=srgb'],
});
let failed = 0;
let taken = 0;
try {
  for (const shot of shots.filter(({ name }) => name.includes(values.only))) {
    for (const look of looks) {
      if (look.width > 2000 && !shot.isView) continue;
      const faults = await take(browser, server.origin, fake, shot, look);
      taken++;
      if (faults.length > 0) failed++;
      for (const fault of faults) console.error(`${shot.name}-${look.name}: ${fault}`);
    }
  }
} finally {
  await browser.close();
  server.stop();
}
console.log(`${taken} pictures in ${values.out}, ${failed} with faults`);
process.exitCode = failed > 0 ? 1 : 0;
