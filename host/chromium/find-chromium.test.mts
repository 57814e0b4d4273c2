import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { appWindowArguments, chromiumArguments, findChromium } from './find-chromium.mts';

const directory = mkdtempSync(join(tmpdir(), 'host-chromium-'));
afterAll(() => rmSync(directory, { recursive: true }));
const nowhere = join(directory, 'nowhere');

function program(name: string): string {
  const path = join(directory, name);
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return path;
}

test('HOST_CHROMIUM is used if it is a program, and is an error otherwise', () => {
  const path = program('my-chromium');
  expect(findChromium({ HOST_CHROMIUM: path, PATH: directory })).toEqual({ path });
  expect(findChromium({ HOST_CHROMIUM: nowhere, PATH: directory })).toEqual({
    problem: `HOST_CHROMIUM names ${nowhere}, which is no program.`,
  });
});

test("Debian's own binary takes precedence over PATH", () => {
  const debian = program('debian-chromium');
  program('google-chrome');
  expect(findChromium({ PATH: directory }, debian)).toEqual({ path: debian });
  expect(findChromium({ PATH: directory }, nowhere)).toEqual({ path: join(directory, 'google-chrome') });
  program('chromium');
  expect(findChromium({ PATH: directory }, nowhere)).toEqual({ path: join(directory, 'chromium') });
});

test('without any Chromium it says what to install', () => {
  const found = findChromium({ PATH: '' }, nowhere);
  expect('problem' in found ? found.problem : found.path).toContain('apt install chromium');
});

const options = { profile: '/p', schemePort: 1234, debuggingPort: undefined, hasDisplay: true, isRoot: false };

test('the DevTools port is open only on request', () => {
  expect(chromiumArguments(options).join(' ')).not.toContain('--remote-debugging-port');
  expect(chromiumArguments({ ...options, debuggingPort: 0 })).toContain('--remote-debugging-port=0');
});

test('only root runs without the sandbox, and only a machine without a display runs headless', () => {
  expect(chromiumArguments(options)).not.toContain('--no-sandbox');
  expect(chromiumArguments(options)).not.toContain('--headless');
  expect(chromiumArguments({ ...options, isRoot: true })).toContain('--no-sandbox');
  expect(chromiumArguments({ ...options, hasDisplay: false })).toContain('--headless');
});

test('a second start requests a window with all arguments of the first', () => {
  const first = chromiumArguments(options);
  const second = appWindowArguments(first, 'data:,');
  expect(first).toContain('--no-startup-window');
  expect(second).toEqual([...first.filter((argument) => argument !== '--no-startup-window'), '--app=data:,']);
});
