import { FuseV1Options } from '@electron/fuses';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import configuration from '../../build/electron-builder.js';
import { fuses } from '../../build/fuses.js';
import { spokenLanguages } from '../../src/shared/messages/languages.ts';
import { checkBuild, wantedFuses, type Build } from './checklist.ts';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'out');
const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;

function codeIn(folder: string, isWanted: (name: string) => boolean = () => true): Map<string, string> {
  const names = readdirSync(folder).filter((name) => /\.c?js$/.test(name) && isWanted(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Chunks that `entry` needs before anything is asked of it: static imports, and theirs. */
function evaluatedAtStart(entry: string): Map<string, string> {
  const read = new Map<string, string>();
  const visit = (file: string) => {
    if (read.has(file)) return;
    const code = readFileSync(join(out, 'main', file), 'utf8');
    read.set(file, code);
    for (const [, imported = ''] of code.matchAll(/^import\s(?:[^'"]*from\s)?["']\.\/([^"']+)["']/gm)) {
      visit(file.startsWith('chunks/') ? `chunks/${imported}` : imported);
    }
  };
  visit(entry);
  return read;
}

const namedFuses: Record<string, unknown> = { strictlyRequireAllFuses: fuses.strictlyRequireAllFuses };
for (const [name, index] of Object.entries(FuseV1Options)) {
  if (typeof index === 'number') namedFuses[name] = fuses[index];
}

let build: Build;
/** What is evaluated before the window opens. */
let opening: ReadonlyMap<string, string>;
beforeAll(() => {
  if (!existsSync(join(out, '.built'))) throw new Error('build first: npm run build');
  opening = new Map([...evaluatedAtStart('index.js'), ...evaluatedAtStart('app.js')]);
  const [, composed = ''] = /import\("\.\/(chunks\/compose-app-[^"]+)"\)/.exec(opening.get('app.js') ?? '') ?? [];
  build = {
    main: new Map([...opening, ...evaluatedAtStart(composed)]),
    preload: codeIn(join(out, 'preload')),
    page: codeIn(join(out, 'renderer/assets')),
    fuses: namedFuses,
    electron: { used: versionOf('electron'), latest: null },
  };
});

const withMain = (code: string): Build => ({ ...build, main: new Map([...build.main, ['seeded.js', code]]) });
const without = (what: string | RegExp): Build => ({
  ...build,
  main: new Map([...build.main].map(([name, code]) => [name, code.replaceAll(what, 'x')])),
});

/** One violation an item of Electron's checklist, each of which the gate has to find. */
const seeds: readonly (readonly [number, string, () => Build])[] = [
  [1, 'an address without TLS', () => withMain("fetch('http://example.com/')")],
  [2, 'Node in the page', () => withMain('new BrowserWindow({ webPreferences: { nodeIntegration: true } })')],
  [3, 'no context isolation', () => withMain('({ contextIsolation: !1 })')],
  [4, 'no sandbox', () => without('enableSandbox')],
  [5, 'a permission that nobody checks', () => without('setPermissionCheckHandler')],
  [6, 'no web security', () => withMain('({ webSecurity: false })')],
  [7, 'a policy that allows inline code', () => without("script-src 'self'")],
  [8, 'mixed content', () => withMain('({ allowRunningInsecureContent: true })')],
  [9, 'experimental features', () => withMain('({ experimentalFeatures: !0 })')],
  [10, 'blink features', () => withMain("({ enableBlinkFeatures: 'x' })")],
  [11, 'webviews', () => withMain('({ webviewTag: true })')],
  [12, 'webviews that nobody checks', () => without('will-attach-webview')],
  [13, 'frames that go where they like', () => without('will-frame-navigate')],
  [14, 'windows that open', () => withMain("w.setWindowOpenHandler(() => ({ action: 'allow' }))")],
  [15, 'a second way out', () => withMain('shell.openExternal(url)')],
  [16, 'an old Electron', () => ({ ...build, electron: { used: '43.0.0', latest: '45.0.0' } })],
  [17, 'a channel beside the wrapper', () => withMain("ipcMain.handle('x', () => 1)")],
  [18, 'a page from the disk', () => withMain("win.loadFile('index.html')")],
  [19, 'a fuse that was forgotten', () => ({ ...build, fuses: { ...build.fuses, RunAsNode: true } })],
  [
    20,
    'Electron’s own API in the page',
    () => ({ ...build, preload: new Map([['seeded.js', 'contextBridge.exposeInMainWorld("ipc", ipcRenderer)']]) }),
  ],
];

describe('the built app', () => {
  it('violates no item of Electron’s security checklist', () => {
    expect(checkBuild(build)).toEqual([]);
  });

  it.each(seeds)('would fail with item %i violated: %s', (item, _what, seeded) => {
    expect(checkBuild(seeded()).map((finding) => finding.item)).toContain(item);
  });

  it('has a violation to test each of the twenty items', () => {
    expect(seeds.map(([item]) => item)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  const bytesOf = (code: ReadonlyMap<string, string>) =>
    [...code.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

  it('reads at most 150 kB of code before the window opens', () => {
    expect(bytesOf(opening)).toBeLessThanOrEqual(150_000);
  });

  it('reads at most 346 kB of code before its page is answered, without network, settings or audio code', () => {
    expect(bytesOf(build.main)).toBeLessThanOrEqual(346_000);
    expect([...build.main.keys()].map((name) => basename(name)).join()).not.toMatch(/undici|electron-store|keytar/);
  });

  it('reads at most 240 kB of code before it knows which command a line has', () => {
    expect(bytesOf(evaluatedAtStart('cli.js'))).toBeLessThanOrEqual(240_000);
  });

  it('has a preload of at most 20 kB', () => {
    expect(Math.max(...[...build.preload.values()].map((code) => code.length))).toBeLessThanOrEqual(20_000);
  });

  it('has a page whose first frame waits for no style sheet and no font', () => {
    const [head = '', body = ''] = readFileSync(join(out, 'renderer/index.html'), 'utf8').split('<body>');
    expect(head).toContain('.first-frame{');
    expect(head).not.toMatch(/rel="(stylesheet|preload)"/);
    expect(body).toMatch(/class="first-frame"[^]*rel="stylesheet"/);
  });

  it('has a page without schemas: only main parses', () => {
    const folder = join(out, 'renderer/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    // Each schema of valibot has this field: https://standardschema.dev
    expect(scripts.filter((name) => readFileSync(join(folder, name), 'utf8').includes('~standard'))).toEqual([]);
  });

  it('has a page that reads at most 260 kB compressed in English, and as much with any other languages in the package', () => {
    const folder = join(out, 'renderer/assets');
    const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
    const bytesOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    const catalogueOf = (language: string) => files.filter((name) => name.startsWith(`${language}-app-`));
    const catalogues = spokenLanguages.map(catalogueOf);
    expect(catalogues.map((names) => names.length)).toEqual(spokenLanguages.map(() => 1));
    const withoutCatalogues = files.filter((name) => !catalogues.flat().includes(name));
    expect(bytesOf([...withoutCatalogues, ...catalogueOf('en')])).toBeLessThanOrEqual(260_000);
    // Letters of other scripts have two or three bytes.
    const ratios = catalogues.map((names) => bytesOf(names) / bytesOf(catalogueOf('en')));
    expect(Math.max(...ratios)).toBeLessThanOrEqual(2);
  });
});

describe('the languages', () => {
  const { de, en } = { de: 'Timbre neu starten', en: 'Restart Timbre' };
  const filesWith = (folder: string, words: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(words))
      .map((name) => basename(name));

  it.each(['renderer', 'main'])('are loaded by %s one at a time: each is in files of its own (P14)', (part) => {
    const [german, english] = [filesWith(join(out, part), de), filesWith(join(out, part), en)];
    expect([german.length, english.length]).toEqual([1, 1]);
    expect(german).not.toEqual(english);
  });

  it('are in none of the files that page and main start with (P14)', () => {
    const html = readFileSync(join(out, 'renderer/index.html'), 'utf8');
    const entries = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => basename(path));
    const code = [...entries.map((name) => build.page.get(name) ?? ''), ...build.main.values()];
    expect(entries.length).toBeGreaterThan(0);
    expect(code.filter((text) => text.includes(de) || text.includes(en))).toEqual([]);
  });
});

describe('the package', () => {
  it('has a configuration that electron-builder accepts', async () => {
    await expect(validateConfiguration(configuration, new DebugLogger(false))).resolves.toBeUndefined();
  });

  it('is rejected with a setting that electron-builder does not know', async () => {
    const wrong = { ...configuration, lynux: {} } as typeof configuration;
    await expect(validateConfiguration(wrong, new DebugLogger(false))).rejects.toThrow('lynux');
  });

  it('contains every file that its configuration names', () => {
    const { linux, mac, win, afterPack } = configuration;
    const named = [linux?.icon, mac?.icon, mac?.entitlements, win?.icon, afterPack].map(String);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('sets all nine fuses', () => {
    expect(namedFuses).toEqual(wantedFuses);
  });

  it('is built on an Electron at most one major version behind the newest (skipped if npm cannot be queried)', async (context) => {
    const answer = await promisify(execFile)('npm', ['view', 'electron', 'version'], { timeout: 30_000 }).catch(
      () => null,
    );
    if (!answer) {
      context.skip(`npm cannot be asked; Electron here is ${versionOf('electron')}`);
      return;
    }
    const electron = { used: versionOf('electron'), latest: answer.stdout.trim() };
    expect(checkBuild({ ...build, electron })).toEqual([]);
  });
});
