import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, openView, startAgain, tab, test, type Timbre } from './app.ts';
import { appFolder, executable, samples } from './run-command.ts';

const sample = join(samples, 'lantern.mp3');
const heading = ({ page }: Timbre, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

test('recordings that are opened with Timbre are converted as one batch, also when the system starts it once for each', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await openView(page, 'Settings');
  const paths = ['a b.mp3', 'c.mp3', 'd.mp3'].map((name) => join(folder, name));
  for (const path of paths) await copyFile(sample, path);
  const [first = '', ...others] = paths;
  await Promise.all([startAgain(timbre, pathToFileURL(first).href), startAgain(timbre, ...others)]);
  await expect(heading(timbre, 'Convert')).toBeVisible();
  await expect(tab(page, 'Done')).toContainText('3');
  expect((await readdir(folder)).filter((name) => name.includes('Low bronze'))).toHaveLength(3);
});

test('recordings, texts and links that macOS passes as events are opened as well', async ({ timbre }) => {
  const { page, folder, evaluateMain } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const [sound, text] = [join(folder, 'a.mp3'), join(folder, 'b.txt')];
  await copyFile(sample, sound);
  await writeFile(text, 'Mind the gap.');
  const pass = (event: string, ...all: readonly string[]) =>
    evaluateMain(
      ({ app }, [name, given]) => given.forEach((one) => app.emit(name, new Event(name, { cancelable: true }), one)),
      [event, all] as const,
    );
  await pass('open-file', sound, text);
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('Mind the gap.');
  await openView(page, 'Convert');
  await expect(tab(page, 'Done')).toContainText('1');
  await pass('open-url', 'timbre://watch');
  await expect(heading(timbre, 'Watch folders')).toBeVisible();
});

test('a missing file that is opened with Timbre says so', async ({ timbre }) => {
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await startAgain(timbre, join(timbre.folder, 'gone.wav'));
  await expect(timbre.page.getByRole('row').filter({ hasText: 'gone.wav' })).toContainText('File moved or deleted');
});

test('a link opens a view or a search, and nothing else', async ({ timbre }) => {
  const { page } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await startAgain(timbre, 'timbre://watch');
  await expect(heading(timbre, 'Watch folders')).toBeVisible();
  await startAgain(timbre, 'timbre://history?search=voice:anna lamp');
  await expect(heading(timbre, 'History')).toBeVisible();
  await expect(page.getByRole('combobox').first()).toHaveValue('lamp');
  await startAgain(timbre, 'timbre://convert/now?file=/etc/passwd');
  await expect(heading(timbre, 'History')).toBeVisible();
});

test('what is opened while Timbre quits is left to the next start, which it requests', async ({ timbre }) => {
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const requested = join(timbre.folder, 'requested.json');
  await timbre.evaluateMain(({ app, BrowserWindow }, path) => {
    app.relaunch = ({ args } = {}) => process.getBuiltinModule('node:fs').writeFileSync(path, JSON.stringify(args));
    const open = (...paths: readonly string[]) =>
      app.emit('second-instance', {}, [], '', { paths, links: ['timbre://watch'], isHidden: false });
    BrowserWindow.getAllWindows()[0]?.once('closed', () => open('/music/early.wav'));
    app.once('will-quit', () => void setTimeout(() => open('/music/late.wav')));
    app.quit();
  }, requested);
  await timbre.ended();
  expect(JSON.parse(await readFile(requested, 'utf8'))).toEqual([
    expect.any(String),
    '--lang=en-GB',
    'timbre://watch',
    '--',
    '/music/early.wav',
    '/music/late.wav',
  ]);
});

test('a window that is closed before it is there ends Timbre, and what it was to open opens no other one', async ({
  timbre: { folder },
}) => {
  const [windows, recording, data] = ['windows', 'a.mp3', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await copyFile(sample, recording);
  await mkdir(data);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', main: 'main.js' }));
  await writeFile(
    join(folder, 'main.js'),
    `import { app } from 'electron';
    import { appendFileSync } from 'node:fs';
    app.on('browser-window-created', (event, window) => {
      appendFileSync(${JSON.stringify(windows)}, 'one,');
      process.nextTick(() => window.destroy());
    });
    await import(${JSON.stringify(pathToFileURL(join(appFolder, 'out/main/index.js')).href)});`,
  );
  await promisify(execFile)(executable, [folder, recording], { env: { ...process.env, TIMBRE_DATA_DIR: data } });
  expect(await readFile(windows, 'utf8')).toBe('one,');
});
