import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { decodeSound } from '../../src/sound/decode-sound.ts';
import { medianF0 } from '../../src/sound/median-f0.ts';
import { chooseFile, expect, pauseQueue, playbackSeconds, playWithoutEnd, tab, test } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

const human = '/usr/share/sounds/alsa/Front_Center.wav';
const dropZone = 'main';

test.beforeAll(() => {
  if (!existsSync(human)) throw new Error('a human voice is needed: apt-get install alsa-utils');
});

/** Median F0 in Hz and length in seconds of a file. */
async function measure(path: string): Promise<{ f0Hz: number; seconds: number }> {
  const blocks: Float32Array[] = [];
  let rate = 1;
  for await (const { channels, sampleRate } of decodeSound(path)) {
    blocks.push(...channels.slice(0, 1));
    rate = sampleRate;
  }
  const samples = Float32Array.from(blocks.flatMap((block) => [...block]));
  return { f0Hz: medianF0(samples, rate) ?? 0, seconds: samples.length / rate };
}

const rows = (page: Page) => page.getByRole('row');
const isFirstStartOver = (page: Page) => expect(tab(page, 'Queue')).toBeVisible();
const doneTab = async (page: Page, count: number) => {
  await expect(tab(page, 'Done')).toContainText(String(count));
  await tab(page, 'Done').click();
};

/** Presses a key between two `timeupdate` events. Returns by how many seconds the other audio's position differs. */
const switchBy = (page: Page, key: string) =>
  page.evaluate(async (pressed) => {
    const sounds = [...document.querySelectorAll('audio')];
    const from = sounds.find((sound) => !sound.paused);
    const to = sounds.find((sound) => sound !== from);
    if (!from || !to) throw new Error('no audio is playing, or there is none to compare with');
    await new Promise((resolve) => from.addEventListener('timeupdate', resolve, { once: true }));
    const reportedSeconds = from.currentTime;
    while (from.currentTime < reportedSeconds + 0.1) await new Promise((resolve) => requestAnimationFrame(resolve));
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
    return (to.currentTime / to.duration - from.currentTime / from.duration) * from.duration;
  }, key);

test(
  'a recording dropped on the window is converted to another voice, and plays',
  { tag: '@smoke' },
  async ({ timbre }) => {
    const { page, folder, drop } = timbre;
    const source = join(folder, 'human ü.wav');
    await copyFile(human, source);
    await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();

    await drop(dropZone, [source]);
    await isFirstStartOver(page);
    await doneTab(page, 1);

    await playWithoutEnd(page);
    const row = rows(page).filter({ hasText: 'human' });
    await row.getByRole('button', { name: 'Listen to human ü.wav' }).click();
    await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(0.1);
    const before = await playbackSeconds(page);
    await expect.poll(() => playbackSeconds(page)).not.toBe(before);

    const [result = ''] = (await readdir(folder)).filter((name) => name !== 'human ü.wav');
    expect(result).toBe('human ü, Low bronze.wav');
    const original = await measure(source);
    const converted = await measure(join(folder, result));
    expect(Math.abs(converted.seconds / original.seconds - 1)).toBeLessThan(0.01);
    // At least half an octave apart: clearly another voice.
    expect(Math.abs(Math.log2(converted.f0Hz / original.f0Hz))).toBeGreaterThan(0.5);
  },
);

test('source and result are compared at the same position', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await copyFile(join(samples, 'harbour.wav'), join(folder, 'harbour.wav'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(dropZone, [join(folder, 'harbour.wav')]);
  await isFirstStartOver(page);
  await doneTab(page, 1);
  await playWithoutEnd(page);
  await page.getByRole('button', { name: 'Listen to harbour.wav' }).click();
  await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(0);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(5);
  for (const key of ['a', 'b', 'a']) expect(Math.abs(await switchBy(page, key))).toBeLessThan(0.005);
  await expect(page.getByRole('radio', { name: /Original/ })).toBeChecked();
  await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(5);
});

test('a dropped folder is converted completely, and files that are not audio are reported as skipped', async ({
  timbre,
}) => {
  const { page, folder, drop } = timbre;
  const inside = join(folder, 'in/deep');
  await mkdir(inside, { recursive: true });
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'in/one.mp3'));
  await copyFile(join(samples, 'lantern.mp3'), join(inside, 'two.mp3'));
  await writeFile(join(folder, 'in/notes.txt'), 'x');
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(dropZone, [join(folder, 'in')]);
  await expect(
    page
      .getByText('Added 2 recordings. 1 other file was skipped: it isn’t audio, is a link, or was made by Timbre.')
      .first(),
  ).toBeVisible();
  await doneTab(page, 2);
  expect(await readdir(inside)).toEqual(['two, Low bronze.mp3', 'two.mp3']);
});

test('the keyboard alone chooses a voice and recordings, converts, plays and removes', async ({ timbre }) => {
  const { page, folder } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'lantern.mp3'));
  await chooseFile(timbre, join(folder, 'lantern.mp3'));

  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await page.getByRole('button', { name: 'Choose recordings' }).focus();
  await page.keyboard.press('Enter');
  await isFirstStartOver(page);

  await page.keyboard.press('v');
  await page.keyboard.type('reed');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary').getByText('Bright reed').first()).toBeVisible();
  await page.getByRole('button', { name: 'Choose files' }).focus();
  await page.keyboard.press('Enter');
  await expect(tab(page, 'Done')).toContainText('2');

  await tab(page, 'Queue').focus();
  await page.keyboard.press('ArrowRight');
  await expect(rows(page)).toHaveCount(2);
  await playWithoutEnd(page);
  await rows(page).first().focus();
  await page.keyboard.press('Space');
  await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(0);
  await page.keyboard.press('Delete');
  await expect(rows(page)).toHaveCount(1);
  expect((await readdir(folder)).sort()).toEqual([
    'lantern, Bright reed.mp3',
    'lantern, Low bronze.mp3',
    'lantern.mp3',
  ]);
});

test('a file dialog that does not open explains the alternative', async ({ timbre }) => {
  const { page, evaluateMain } = timbre;
  await evaluateMain(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.reject(new Error('no toolkit'));
  });
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await page.getByRole('button', { name: 'Choose recordings' }).click();
  await expect(page.getByText('Drag files or folders onto the window instead, or paste them.')).toBeVisible();
});

test('bad input says on its row what is wrong and what to do, and writes nothing', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  const bad = {
    'text.wav': (path: string) => writeFile(path, 'no sound at all, only words'),
    'empty.mp3': (path: string) => writeFile(path, ''),
    'cut.wav': async (path: string) => {
      await copyFile(join(samples, 'harbour.wav'), path);
      await truncate(path, 90_000);
    },
    silent: (path: string) => mkdir(path),
  };
  for (const [name, make] of Object.entries(bad)) await make(join(folder, name));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(
    dropZone,
    Object.keys(bad).map((name) => join(folder, name)),
  );
  await isFirstStartOver(page);
  for (const name of Object.keys(bad)) {
    const row = rows(page).filter({ hasText: name.split('.')[0] ?? name });
    await expect(row).toHaveCount(1);
    // A sentence of what happened, and another of what to do.
    await expect.poll(async () => (await row.locator('small').allInnerTexts()).join(' ')).toMatch(/[a-z].*\./);
    await expect(row.getByRole('button').first()).toBeVisible();
  }
  expect((await readdir(folder)).sort()).toEqual(Object.keys(bad).sort());
});

test('a failed recording that was repaired is converted with one button', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  const path = join(folder, 'later.wav');
  await writeFile(path, 'not yet');
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(dropZone, [path]);
  await isFirstStartOver(page);
  await expect(rows(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  await copyFile(join(samples, 'harbour.wav'), path);
  await rows(page).getByRole('button', { name: 'Try again' }).click();
  await doneTab(page, 1);
});

test('cancelling ends a recording at once and leaves nothing on disk', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  for (let i = 0; i < 6; i += 1) await copyFile(join(samples, 'harbour.wav'), join(folder, `take ${i}.wav`));
  const takes = await readdir(folder);
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await pauseQueue(timbre);
  await drop(
    dropZone,
    takes.map((name) => join(folder, name)),
  );
  await page.getByRole('button', { name: 'Cancel take 5.wav' }).click();
  await expect(page.getByRole('button', { name: 'Cancel take 5.wav' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await doneTab(page, 6);
  await expect(rows(page).filter({ hasText: 'take 5' })).toContainText('Cancelled');
  expect((await readdir(folder)).filter((name) => name.startsWith('take 5'))).toEqual(['take 5.wav']);
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('show in folder reveals exactly the result', async ({ timbre }) => {
  const { page, folder, drop, evaluateMain } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await evaluateMain(({ shell }) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    shell.showItemInFolder = (path) => void shown.push(path);
  });
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(dropZone, [join(folder, 'a.mp3')]);
  await isFirstStartOver(page);
  await doneTab(page, 1);
  await page.getByRole('button', { name: 'Show a, Low bronze.mp3 in its folder' }).click();
  await expect
    .poll(() => evaluateMain(() => (globalThis as unknown as { shown: string[] }).shown))
    .toEqual([join(folder, 'a, Low bronze.mp3')]);
});

test('the built-in sample plays without a file of the user’s own', async ({ timbre }) => {
  const { page, folder, evaluateMain } = timbre;
  await evaluateMain(({ app }, music) => app.setPath('music', music), folder);
  await page.getByRole('button', { name: /^Try a 13-second sample/ }).click();
  await isFirstStartOver(page);
  await doneTab(page, 1);
  await expect(rows(page)).toHaveCount(1);
});

test('an engine that died is restarted by the next recording', async ({ timbre }) => {
  const { page, folder, drop, evaluateMain } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop(dropZone, [join(folder, 'a.mp3')]);
  await isFirstStartOver(page);
  await expect(tab(page, 'Done')).toContainText('1');
  // As Electron names a utility process, and as the Chromium host does; a child of this Timbre and of no other.
  const main = await evaluateMain(() => process.pid);
  execFileSync('pkill', ['-KILL', '-P', String(main), '-f', 'node.mojom.NodeService|^Timbre engine']);
  await rm(join(folder, 'a, Low bronze.mp3'));
  await drop(dropZone, [join(folder, 'a.mp3')]);
  await expect(tab(page, 'Done')).toContainText('2');
});

test.describe(() => {
  test.use({ isShared: false });

  test('a recording that is dropped before the voices are loaded is not lost', async ({ timbre }) => {
    const { page, folder, drop } = timbre;
    await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
    await drop(dropZone, [join(folder, 'a.mp3')]);
    await isFirstStartOver(page);
    await doneTab(page, 1);
  });
});
