import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { expect, openView, quit, tab, test, type Timbre } from './app.ts';

test.use({ isShared: true });

const ready = ({ page }: Timbre) => expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
const editor = ({ page }: Timbre) => page.getByRole('main').getByRole('textbox').first();

test(
  'the runtime has SQLite with full text search, and copies an open database',
  { tag: '@smoke' },
  async ({ timbre }) => {
    const found = await timbre.evaluateMain(
      async (_electron, copy) => {
        const { backup, DatabaseSync } = process.getBuiltinModule('node:sqlite');
        const database = new DatabaseSync(':memory:');
        database.exec("CREATE VIRTUAL TABLE text USING fts5(words); INSERT INTO text VALUES ('the old harbour')");
        await backup(database, copy);
        const copied = new DatabaseSync(copy);
        const row = copied.prepare("SELECT words FROM text WHERE text MATCH 'harbour'").get();
        copied.close();
        database.close();
        return row?.['words'];
      },
      join(timbre.folder, 'copy.db'),
    );
    expect(found).toBe('the old harbour');
  },
);

test('U2: what is typed and chosen up to the moment of quitting is there at the next start', async ({ timbre }) => {
  await ready(timbre);
  await openView(timbre.page, 'Speech');
  for (const ending of ['first', 'second', 'third']) {
    await expect(editor(timbre)).toBeEditable();
    await editor(timbre).fill(`Until the very end, ${ending}.`);
    await timbre.page.keyboard.press('Control+Equal');
    await quit(timbre);
    await timbre.ended();
    await timbre.reopen();
    await openView(timbre.page, 'Speech');
    await expect(editor(timbre)).toHaveValue(`Until the very end, ${ending}.`);
  }
  // Three steps of the size, one before each end.
  const kept = JSON.parse(await readFile(join(timbre.dataFolder, 'settings.json'), 'utf8')) as { zoomPercent: number };
  expect(kept.zoomPercent).toBe(150);
});

/** Types without a pause for `ms`; returns how much was typed, and when, in milliseconds of this process. */
async function typeFor(ms: number, { page }: Timbre): Promise<readonly (readonly [at: number, length: number])[]> {
  const typed: (readonly [number, number])[] = [];
  const begun = performance.now();
  for (let length = 1; performance.now() - begun < ms; length += 1) {
    await page.keyboard.type(String(length % 10));
    typed.push([performance.now(), length]);
  }
  return typed;
}

test('U2: after a power failure or a crash of the page at most a second of typing is lost, and no setting', async ({
  timbre,
}) => {
  await ready(timbre);
  const sizes = [110, 125, 150, 175, 200, 250];
  for (const [end, zoomPercent] of sizes.entries()) {
    await openView(timbre.page, 'Speech');
    await expect(editor(timbre)).toBeEditable();
    await editor(timbre).fill('');
    await timbre.page.keyboard.press('Control+Equal');
    const typed = await typeFor(1500 + end * 170, timbre);
    const endedAt = performance.now();
    if (end % 2 === 1) {
      const session = await timbre.page.context().newCDPSession(timbre.page);
      const crashed = timbre.page.waitForEvent('crash');
      session.send('Page.crash').catch(() => undefined);
      await crashed;
    }
    await timbre.reopen();
    await openView(timbre.page, 'Speech');
    await expect(editor(timbre)).toBeEditable();
    const kept = await editor(timbre).inputValue();
    const due = typed.findLast(([at]) => at < endedAt - 1000)?.[1] ?? 0;
    expect(due).toBeGreaterThan(0);
    expect(kept.length, `end ${end}: kept "${kept}"`).toBeGreaterThanOrEqual(due);
    expect(kept).toBe(Array.from(kept, (_, k) => String((k + 1) % 10)).join(''));
    const settings = JSON.parse(await readFile(join(timbre.dataFolder, 'settings.json'), 'utf8')) as object;
    expect(settings).toMatchObject({ zoomPercent });
  }
});

/** What moved since the page began to load, and how far: text that appears below it moves nothing. */
const listMoves = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const shifts: LayoutShift[] = [];
    new PerformanceObserver((list) => shifts.push(...(list.getEntries() as unknown as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    const place = ({ x, y }: DOMRectReadOnly): string => `${x},${y}`;
    return shifts.flatMap(({ sources }) =>
      sources
        .filter(({ node }) => node)
        .map(
          ({ node, previousRect, currentRect }) =>
            `${node?.textContent?.trim().slice(0, 20)}: ${place(previousRect)} to ${place(currentRect)}`,
        ),
    );
  });
interface LayoutShift {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

// Playwright gives a page its own size back only with another page.
test.describe(() => {
  test.use({ isShared: false });

  test('nothing in a view moves while what it shows is loading', async ({ timbre }) => {
    const { page } = timbre;
    const speakBar = page.getByText('3 of 3 sentences still to speak');
    await ready(timbre);
    await page.getByRole('button', { name: 'Try a 13-second sample' }).click();
    await expect(tab(page, 'Done')).toContainText('1');
    await openView(page, 'Speech');
    await editor(timbre).fill('The first sentence. The second one.\n\nAnd another paragraph.');
    await expect(speakBar).toBeVisible();
    // All of it is in view, where it can be seen to move.
    await page.setViewportSize({ width: 1280, height: 3000 });
    const loaded: Readonly<Record<string, Locator>> = {
      Convert: page.getByRole('button', { name: /^Change voice/ }),
      'Watch folders': page.getByRole('button', { name: 'Add folder' }),
      Voices: page.getByRole('definition').filter({ hasText: 'low-bronze' }),
      Speech: speakBar,
      History: page.getByRole('row').filter({ hasText: '.wav' }),
      'Custom voices': page.getByRole('button', { name: 'Create a voice' }),
      Settings: page.locator('[data-section="ffmpeg"] [role="status"] *').first(),
    };
    for (const [view, last] of Object.entries(loaded)) {
      await openView(page, view);
      await page.reload();
      await expect(last).toBeVisible();
      await expect(last).toBeEnabled();
      expect(await listMoves(page), view).toEqual([]);
    }
  });
});

test('U5: the page is zoomed by key, and keeps its size after a restart', async ({ timbre }) => {
  await ready(timbre);
  const width = () => timbre.page.evaluate(() => innerWidth);
  const usual = await width();
  for (let k = 0; k < 5; k += 1) await timbre.page.keyboard.press('Control+Equal');
  await expect.poll(width).toBe(Math.round(usual / 2));
  await timbre.reopen();
  await ready(timbre);
  await expect.poll(width).toBe(Math.round(usual / 2));
  for (let k = 0; k < 20; k += 1) await timbre.page.keyboard.press('Control+Equal');
  await expect.poll(width).toBe(Math.round(usual / 3));
  for (let k = 0; k < 20; k += 1) await timbre.page.keyboard.press('Control+Minus');
  await expect.poll(width).toBe(usual * 2);
  await timbre.page.keyboard.press('Control+Digit0');
  await expect.poll(width).toBe(usual);
});

test('the command palette runs any command by keyboard, also while the user types', async ({ timbre: { page } }) => {
  await openView(page, 'Speech');
  await page.getByRole('textbox', { name: 'Text', exact: true }).click();
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette.getByRole('combobox', { name: 'Find a command' })).toBeFocused();
  await page.keyboard.type('hist go');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
  await expect(palette).toHaveCount(0);

  await page.keyboard.press('Control+K');
  await page.keyboard.type('find');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-search]')).toBeFocused();

  await page.keyboard.press('Control+K');
  await page.keyboard.type('keyboard shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('the command palette runs what the row that has the focus offers', async ({ timbre: { page } }) => {
  await page.getByRole('button', { name: 'Try a 13-second sample' }).click();
  await expect(tab(page, 'Done')).toContainText('1');
  await page.keyboard.press('Control+5');
  const row = page.getByRole('grid').getByRole('row').last();
  await expect(row).toBeFocused();
  await page.keyboard.press('Home');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('harbour');
  await page.keyboard.type('harbour favourites');
  await page.keyboard.press('Enter');
  await expect(row.getByRole('img', { name: 'Favourite' })).toBeVisible();
});

test('a key that the user has changed works at once, after a restart too, and is shown where the old one was', async ({
  timbre,
}) => {
  await openView(timbre.page, 'Settings');
  await timbre.page.getByRole('button', { name: 'Show and change shortcuts' }).click();
  await timbre.page.getByRole('button', { name: 'find: Ctrl F', exact: true }).click();
  await timbre.page.keyboard.press('Control+J');
  await timbre.page.keyboard.press('Escape');
  await timbre.page.keyboard.press('Control+5');
  for (const isRestarted of [false, true]) {
    if (isRestarted) await timbre.reopen();
    const { page } = timbre;
    const search = page.locator('[data-search]');
    await expect(search).toBeVisible();
    await page.keyboard.press('Control+F');
    await expect(search).not.toBeFocused();
    await page.keyboard.press('Control+J');
    await expect(search).toBeFocused();
    await page.keyboard.press('Control+K');
    await expect(page.getByRole('option').filter({ hasText: /^Find/ })).toHaveText(/Ctrl.*J/);
    await page.keyboard.press('Escape');
    // Settings are written a moment later.
    await expect
      .poll(() => readFile(join(timbre.dataFolder, 'settings.json'), 'utf8').catch(() => ''))
      .toContain('ctrl+j');
  }
});

test('U6: an error in main and one in the page are logged without secrets, and the window keeps working', async ({
  timbre,
}) => {
  const { page, dataFolder } = timbre;
  await ready(timbre);
  const said = page.getByRole('alert').filter({ hasText: 'Something went wrong in Timbre' });
  const path = join(dataFolder, 'timbre.log');
  await timbre.evaluateMain(
    () =>
      void setTimeout(() => {
        throw new Error('broke at https://a.test/x?signature=SECRET');
      }),
  );
  await expect(said.getByRole('button', { name: 'Restart Timbre' })).toBeVisible();
  await said.getByRole('button', { name: 'Close' }).click();
  await timbre.evaluateMain(() => void Promise.reject(new Error('rejected in main')));
  await expect(said).toBeVisible();
  await said.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('broke in the page');
      }),
  );
  await expect(said).toBeVisible();
  await expect.poll(() => readFile(path, 'utf8')).toContain('broke in the page');
  const log = await readFile(path, 'utf8');
  expect(log).toContain('"area":"main","message":"Error: broke at https://a.test/x?•••"');
  expect(log).toContain('rejected in main');
  expect(log).not.toContain('SECRET');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await openView(page, 'Diagnostics');
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Report' })).toContainText('broke in the page');
});

test('U6: after an error “Restart Timbre” quits once everything is saved, and requests the next start', async ({
  timbre,
}) => {
  const { page, dataFolder, folder, evaluateMain } = timbre;
  await ready(timbre);
  await openView(page, 'Speech');
  await expect(editor(timbre)).toBeEditable();
  await editor(timbre).fill('Kept by the restart.');
  const asked = join(folder, 'relaunched');
  await evaluateMain(({ app }, path) => {
    app.relaunch = () => process.getBuiltinModule('node:fs').writeFileSync(path, 'yes');
    setTimeout(() => {
      throw new Error('broke');
    });
  }, asked);
  await page.getByRole('button', { name: 'Restart Timbre' }).click();
  await timbre.ended();
  expect(await readFile(asked, 'utf8')).toBe('yes');
  expect(await readFile(join(dataFolder, 'speech', 'draft.txt'), 'utf8')).toBe('Kept by the restart.');
});

test('Settings show the licence of every part of Timbre, with the sentence that FAAD2 asks for', async ({ timbre }) => {
  const { page } = timbre;
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Show licences' }).click();
  const dialog = page.getByRole('dialog', { name: 'Licences' });
  await dialog.getByText('@audio/decode-aac').click();
  await expect(dialog.getByText('Code from FAAD2 is copyright (c) Nero AG, www.nero.com')).toBeVisible();
  await expect(dialog.getByText(/^electron \d/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
