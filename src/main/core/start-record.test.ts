import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordStart } from './start-record.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'timbre-starts-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('starts that never came to rest are counted, and the first that does ends the count', () => {
  expect([1, 2, 3].map(() => recordStart(folder).failed)).toEqual([0, 1, 2]);
  recordStart(folder).settle();
  expect(recordStart(folder).failed).toBe(0);
});

it.each(['', 'null', '{"failed":"many"}', '{"failed":-1}', '{"failed":1.5}'])(
  'a file with %j counts none',
  (content) => {
    writeFileSync(join(folder, 'starts.json'), content);
    expect(recordStart(folder).failed).toBe(0);
  },
);

it('a folder that cannot be written counts none', () => {
  rmSync(folder, { recursive: true });
  recordStart(folder).settle();
  expect(recordStart(folder).failed).toBe(0);
});
