import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findEntry, readAppPackage } from './entry.mts';

const directory = mkdtempSync(join(tmpdir(), 'host-entry-'));
const app = join(directory, 'app');
mkdirSync(join(app, 'out'), { recursive: true });
writeFileSync(
  join(app, 'package.json'),
  '{"name":"timbre","productName":"Timbre","version":"1.2.3","main":"out/main.js"}',
);
afterAll(() => rmSync(directory, { recursive: true }));

test('a directory that is not built is reported with the missing file', () => {
  expect(findEntry([app], '/')).toBe(`there is no ${app}/out/main.js: build the app first.`);
});

test('the app is the first argument that is not a switch; the others keep their order', () => {
  writeFileSync(join(app, 'out/main.js'), '');
  const main = join(app, 'out/main.js');
  const args = ['--user-data-dir=x', 'app', '--flag', '/music'];
  expect(findEntry(args, directory)).toEqual({ given: app, main, rest: ['--user-data-dir=x', '--flag', '/music'] });
  expect(findEntry([main], '/')).toEqual({ given: main, main, rest: [] });
});

test('no app, a missing app and an app without a package are each explained in a sentence', () => {
  expect(findEntry(['--flag'], '/')).toBe('name an app directory or its main file.');
  expect(findEntry(['/nonexistent'], '/')).toBe('there is no app at /nonexistent.');
  expect(findEntry([join(app, 'out')], '/')).toBe(`there is no package.json in ${app}/out.`);
});

test('the package is in the nearest parent directory that has one', () => {
  const expected = { directory: app, name: 'Timbre', version: '1.2.3' };
  expect(readAppPackage(join(app, 'out/main.js'))).toEqual(expected);
  expect(readAppPackage(app)).toEqual(expected);
});
