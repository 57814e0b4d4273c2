import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { defaultSettings, type Settings } from '../../shared/schemas/settings.ts';
import { calls, canDisturb } from './files/disturbed-publish.fixture.ts';
import { openPortableData } from './portable.ts';
import { readSettingsFile } from './settings.ts';

let root: string;
let stick: string;
let computer: string;
let other: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'timbre-portable-'));
  [stick, computer, other] = ['stick', 'computer', 'other'].map((name) => join(root, name)) as [string, string, string];
  mkdirSync(stick);
});
afterEach(() => rmSync(root, { recursive: true }));

const open = (on = computer, folder = stick) => openPortableData({ folder, computerFolder: on });
const hook = { isOn: true, program: '/home/anna/upload.sh', args: ['{result}'], timeoutSeconds: 60 };
const store = (change: Partial<Settings>) =>
  writeFileSync(join(stick, 'settings.json'), JSON.stringify({ ...defaultSettings, ...change }));
const settings = () => readSettingsFile(join(stick, 'settings.json'));

it('is not there for data that is not portable', () => {
  expect(openPortableData({ folder: stick, computerFolder: null })).toBeNull();
  expect(readdirSync(stick)).toEqual([]);
});

it('an empty folder, as a user makes it, is not new, and neither is what comes of it', () => {
  expect(open()?.isNew()).toBe(false);
  store({ hook });
  expect([open()?.isNew(), settings()?.hook.isOn]).toEqual([false, true]);
});

it('data that this computer has never seen starts no program and chooses no folder, until the user does', () => {
  store({ hook, ffmpegPath: '/media/stick/ffmpeg', outputFolder: '/home/anna/out', theme: 'dark' });
  expect(open()?.isNew()).toBe(true);
  expect(settings()).toMatchObject({
    hook: { ...hook, isOn: false },
    ffmpegPath: null,
    outputFolder: null,
    theme: 'dark',
  });
});

it('data stays new until what acts by itself is held, also after a crash', () => {
  store({ hook });
  open();
  expect(open()?.isNew()).toBe(true);
  open()?.remember();
  store({ hook });
  expect([open()?.isNew(), settings()?.hook.isOn]).toEqual([false, true]);
});

it('data is new on each computer once, and stays known where it was', () => {
  store({ hook });
  open()?.remember();
  expect(open(other)?.isNew()).toBe(true);
  open(other)?.remember();
  expect([open()?.isNew(), open(other)?.isNew()]).toEqual([false, false]);
});

it('data is known under another path, as after the stick got another letter', () => {
  store({});
  open()?.remember();
  const moved = join(root, 'moved');
  cpSync(stick, moved, { recursive: true });
  expect(open(computer, moved)?.isNew()).toBe(false);
});

it.each(['"not-an-id"', '{}', '', '"11111111-1111-4111-8111-111111111111"'])(
  'planted data with the id %s is new',
  (id) => {
    open();
    writeFileSync(join(stick, 'portable.json'), id);
    store({ hook });
    expect([open()?.isNew(), settings()?.hook.isOn]).toEqual([true, false]);
  },
);

it('damaged settings stay as they are for the app to report, which then uses none of them', () => {
  writeFileSync(join(stick, 'settings.json'), '{ "hook": oops');
  expect(open()?.isNew()).toBe(true);
  expect(readFileSync(join(stick, 'settings.json'), 'utf8')).toBe('{ "hook": oops');
});

it('says which folder cannot be written, and touches no other', () => {
  // Also for root, whom permissions do not stop.
  mkdirSync(join(stick, 'portable.json'));
  const failed = (): unknown => {
    try {
      return open();
    } catch (error) {
      return error instanceof AppError ? error.problem : error;
    }
  };
  expect(failed()).toEqual({ code: 'data/portable-not-writable', facts: { name: stick } });
  expect(existsSync(join(computer, 'portable-data.json'))).toBe(false);
});

it('a computer on which nothing can be kept uses the data, and asks again at the next start', () => {
  store({ hook });
  writeFileSync(computer, '');
  chmodSync(computer, 0o400);
  const data = open();
  data?.remember();
  expect(data?.isNew()).toBe(false);
  expect(open()?.isNew()).toBe(true);
});

it('starts at once, as for several files that are opened together, do not disturb each other', async () => {
  open();
  const program = `
    import { openPortableData } from ${JSON.stringify(import.meta.resolve('./portable.ts'))};
    const place = ${JSON.stringify({ folder: stick, computerFolder: computer })};
    for (let k = 0; k < 200; k += 1) if (openPortableData(place).isNew()) throw new Error('new');`;
  const run = promisify(execFile);
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program])));
  expect(readdirSync(stick)).toEqual(['portable.json']);
});

it('the session is beside the data where links are possible', () => expect(open()?.sessionFolder).toBe(stick));

describe.skipIf(!canDisturb)('a stick (needs strace)', () => {
  /** Opens the data in a child whose system calls fail as on that stick. */
  function openOn(inject: string): unknown {
    const program = `
      import { openPortableData } from ${JSON.stringify(import.meta.resolve('./portable.ts'))};
      const place = ${JSON.stringify({ folder: stick, computerFolder: computer })};
      try {
        console.log(JSON.stringify(openPortableData(place).sessionFolder));
      } catch (error) {
        console.log(JSON.stringify(error.problem));
      }`;
    const { stdout, stderr } = spawnSync(
      'strace',
      [
        ...['-f', '-qq', '-o', '/dev/null', '-e', `inject=${inject}`],
        ...[process.execPath, '--input-type=module', '-e', program],
      ],
      { encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  }

  it('without links, such as FAT, leaves the session, whose lock is a link, to the computer', () => {
    expect(openOn('?symlink,symlinkat:error=EPERM')).toMatch(join(computer, 'portable-sessions'));
    expect(openOn('?chmod,?fchmodat,fchmod:error=EPERM')).toBe(stick);
  });

  it.each(['EROFS', 'ENOSPC', 'EIO'])('that cannot be written (%s) is named', (error) => {
    const unwritable = { code: 'data/portable-not-writable', facts: { name: stick } };
    expect(openOn(`${calls.rename}:error=${error}`)).toEqual(unwritable);
    open(other);
    expect(openOn(`?unlink,unlinkat,${calls.rename}:error=${error}`)).toEqual(unwritable);
    expect(existsSync(join(computer, 'portable-data.json'))).toBe(false);
  });
});
