import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from './interface-table.ts';
import { errorRows, limitRows, versionNotes, versionRows } from './interface-rules.ts';

const root = join(import.meta.dirname, '../..');

/** Every row of the tables, as `docs/interface.md` calls it. The sample's error has a shape of its own, and is no row of the table. */
const rows = [
  ...endpoints.flatMap(({ id, request, reply }) => [
    id,
    ...request.map(({ name }) => `${id} request ${name}`),
    ...reply.map(({ name }) => `${id} reply ${name}`),
    `${id} authorization`,
  ]),
  ...errorRows.map(({ id }) => `${id} error`),
  'plant error',
  ...limitRows.map(({ id }) => `limit ${id}`),
  ...[...versionRows, ...versionNotes].map(({ id }) => `version ${id}`),
];

interface Line {
  readonly row: string;
  readonly tests: readonly string[];
}

let headings: readonly string[];
let lines: readonly Line[];
let existing: ReadonlySet<string>;

/** The names of all tests of this folder, also of those that are made from tables: vitest is asked, because no file holds them. */
async function listTests(): Promise<ReadonlySet<string>> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, 'list', 'tests/conformance', '--json', '--no-static-parse'],
    { cwd: root, maxBuffer: 16 * 1024 ** 2 },
  );
  const listed = JSON.parse(stdout.slice(stdout.indexOf('['))) as readonly { readonly name: string }[];
  return new Set(listed.map(({ name }) => name));
}

beforeAll(async () => {
  const document = await readFile(join(root, 'docs/interface.md'), 'utf8');
  headings = [...document.matchAll(/^`([A-Z]+ \{\w+_url\}\S+)`$/gm)].map(([, heading = '']) => heading);
  lines = [...document.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, row = '', text = '']) => ({
    row,
    tests: [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }));
  existing = await listTests();
});

describe('docs/interface.md', () => {
  it('has one line for every row of the tables, and none for what is no row', () => {
    const documented = lines.map(({ row }) => row).filter((row) => !row.startsWith('hole '));
    expect(documented.toSorted()).toEqual(rows.toSorted());
  });

  it('has a heading for every operation, with its method, host and path', () => {
    expect(headings).toEqual(endpoints.map(({ method, host, path }) => `${method} {${host}_url}${path}`));
  });

  it('names only tests that exist', () => {
    const missing = lines.flatMap(({ row, tests }) =>
      tests.filter((name) => !existing.has(name)).map((name) => `${row}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names a test of the engine and one of the client for every row, and of the client for every hole', () => {
    const unproven = lines.filter(({ row, tests }) => {
      const [ofEngine, ofClient] = ['engine, ', 'client, '].map((side) => tests.some((name) => name.startsWith(side)));
      // The interface leaves open whether the detail of a voice needs a token: a service cannot be wrong there.
      const isOpen = row.startsWith('hole ') || row === 'voice-detail authorization';
      return !ofClient || (!ofEngine && !isOpen);
    });
    expect(unproven.map(({ row }) => row)).toEqual([]);
  });

  it('names a test for every field that has the field in its name', () => {
    const vague = lines.filter(({ row, tests }) => {
      const [, id = '', field = ''] = /^(\S+) (?:request|reply) (.+)$/.exec(row) ?? [];
      const isAbout = (name: string) => name.includes(`, ${id} > `) && name.includes(` ${field}`);
      return field !== '' && !tests.some(isAbout);
    });
    expect(vague.map(({ row }) => row)).toEqual([]);
  });
});
