import { getArtifactArchName } from 'builder-util/out/arch.js';
import { Arch } from 'electron-builder';
import { compactVerify, CompactSign, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listName } from '../build/updates.js';
import { type ReleaseList, releaseList } from '../src/shared/schemas/release-list.ts';
import { root } from './root.mts';
import { newKeys, type NewRelease, packageNames, signReleases } from './sign-releases.mts';

const page = 'https://timbre.example/download';
const now = new Date('2026-11-26T10:00:00.000Z');
const later = new Date('2026-12-01T10:00:00.000Z');

type Keys = Readonly<Record<'TIMBRE_RELEASE_KEY' | 'TIMBRE_UPDATE_KEY', string>>;
const createKeys = async (): Promise<Keys> =>
  Object.fromEntries((await newKeys()).split('\n').map((line) => line.split(/=(.*)/, 2))) as Keys;
const keys = await createKeys();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-releases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder with a small file for each package of a version. */
function folderOf(version: string): string {
  const folder = newFolder();
  for (const { name } of packageNames(version)) writeFileSync(join(folder, name), `content of ${name}`);
  return folder;
}

const sign = (change: Partial<NewRelease>, env: NodeJS.ProcessEnv = keys, at = now): Promise<string> => {
  const version = change.version ?? '0.2.0';
  const folder = change.folder ?? folderOf(version);
  return signReleases({ channel: 'stable', page, notes: '', previous: null, ...change, folder, version }, env, at);
};

/** Reads a list as an app does, which has only the public key. */
async function read(signed: string, { TIMBRE_UPDATE_KEY: x }: Keys = keys): Promise<ReleaseList> {
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
  const { payload } = await compactVerify(signed, key, { algorithms: ['EdDSA'] });
  return v.parse(releaseList, JSON.parse(new TextDecoder().decode(payload)));
}

describe('the packages of a version', () => {
  it('are those of the six systems', () =>
    expect(packageNames('0.2.0').map((one) => `${one.package} ${one.arch} ${one.name}`)).toEqual([
      'appimage x64 timbre-0.2.0-linux-x86_64.AppImage',
      'appimage arm64 timbre-0.2.0-linux-arm64.AppImage',
      'deb x64 timbre-0.2.0-linux-amd64.deb',
      'deb arm64 timbre-0.2.0-linux-arm64.deb',
      'rpm x64 timbre-0.2.0-linux-x86_64.rpm',
      'rpm arm64 timbre-0.2.0-linux-aarch64.rpm',
      'dmg x64 timbre-0.2.0-mac-x64.dmg',
      'dmg arm64 timbre-0.2.0-mac-arm64.dmg',
      'zip x64 timbre-0.2.0-mac-x64.zip',
      'zip arm64 timbre-0.2.0-mac-arm64.zip',
      'nsis x64 timbre-0.2.0-win-x64-setup.exe',
      'nsis arm64 timbre-0.2.0-win-arm64-setup.exe',
      'portable x64 timbre-0.2.0-win-x64-portable.exe',
      'portable arm64 timbre-0.2.0-win-arm64-portable.exe',
    ]));

  it('have the names of processors that electron-builder gives to each format', () => {
    for (const { arch, name } of packageNames('0.2.0')) {
      const ext = name.slice(name.lastIndexOf('.') + 1);
      expect(name).toMatch(new RegExp(`-${getArtifactArchName(Arch[arch], ext)}[-.]`));
    }
  });
});

describe('a list of releases', () => {
  it('has the size and the hash of each package, and is signed with the key of the packages', async () => {
    const folder = folderOf('0.2.0');
    const signed = await sign({ folder, notes: 'Faster.\r\nSmaller.\n' });
    expect(decodeProtectedHeader(signed)).toEqual({ alg: 'EdDSA' });
    const list = await read(signed);
    const at = now.toISOString();
    expect(list).toMatchObject({
      issuedAt: at,
      releases: [{ channel: 'stable', version: '0.2.0', date: at, notes: 'Faster.\nSmaller.', page }],
    });
    for (const { name, bytes, sha512 } of list.releases[0]?.files ?? []) {
      const content = readFileSync(join(folder, name));
      expect([bytes, sha512]).toEqual([content.length, createHash('sha512').update(content).digest('base64')]);
    }
    expect(list.releases[0]?.files).toHaveLength(14);
  });

  it('keeps the release of the other channel, and replaces that of its own', async () => {
    const stable = await sign({ version: '0.2.0' });
    const beta = await sign({ version: '0.3.0-beta.1', channel: 'beta', previous: `${stable}\n` }, keys, later);
    const releases = (await read(beta)).releases;
    expect(releases.map(({ channel, version }) => `${channel} ${version}`)).toEqual([
      'beta 0.3.0-beta.1',
      'stable 0.2.0',
    ]);
    expect(releases[1]).toEqual((await read(stable)).releases[0]);
    const again = await sign({ version: '0.2.1', previous: beta }, keys, new Date('2026-12-02'));
    expect((await read(again)).releases.map(({ version }) => version)).toEqual(['0.2.1', '0.3.0-beta.1']);
  });

  it.each([
    ['0.2.0', '0.2.0', 'stable'],
    ['0.10.0', '0.9.0', 'stable'],
    ['0.3.0-beta.10', '0.3.0-beta.9', 'beta'],
    ['0.3.0', '0.3.0-beta.1', 'beta'],
  ] as const)('that has %s gets no %s', async (before, version, channel) => {
    const previous = await sign({ version: before, channel });
    await expect(sign({ version, channel, previous }, keys, later)).rejects.toThrow(
      `${version} is not newer than ${before}, the last release of the channel ${channel}.`,
    );
  });

  it('offers no prerelease to those who did not ask for one', async () => {
    await expect(sign({ version: '0.3.0-beta.1' })).rejects.toThrow('0.3.0-beta.1 is a prerelease');
  });

  it('is not issued before the previous one, which apps would take for an attack', async () => {
    const previous = await sign({ version: '0.2.0' }, keys, later);
    await expect(sign({ version: '0.3.0', previous }, keys, now)).rejects.toThrow(
      'issued at 2026-12-01T10:00:00.000Z, and by this clock it is 2026-11-26T10:00:00.000Z',
    );
  });

  it('does not follow on a list that somebody else signed, or that is none', async () => {
    const foreign = await sign({}, await createKeys());
    const wrong = await new CompactSign(new TextEncoder().encode('{"releases":[]}'))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(await importJWK(JSON.parse(keys.TIMBRE_RELEASE_KEY) as JWK, 'EdDSA'));
    const [header, payload] = (await sign({})).split('.');
    const cases = [
      [foreign, 'The previous list is not signed with TIMBRE_RELEASE_KEY'],
      [`${header}.${payload}.`, 'The previous list is not signed with TIMBRE_RELEASE_KEY'],
      ['<!doctype html>', 'The previous list is not signed with TIMBRE_RELEASE_KEY'],
      [wrong, 'The previous list is not valid: issuedAt: '],
    ] as const;
    for (const [previous, words] of cases) {
      await expect(sign({ version: '0.3.0', previous }, keys, later)).rejects.toThrow(words);
    }
  });

  it('has no notes that are longer than apps accept', async () => {
    await expect(sign({ notes: 'x'.repeat(20_001) })).rejects.toThrow(
      'The notes have 20001 characters, more than 20000.',
    );
  });

  it.each([
    ['page', { page: 'http://timbre.example' }],
    ['version', { version: '0.2.0+build' }],
  ])('is not made if apps would refuse its %s', async (field, change) => {
    await expect(sign(change)).rejects.toThrow(`No app would accept the list: releases.0.${field}: `);
  });
});

describe('the packages are refused', () => {
  it.each([
    [
      'one is missing',
      (folder: string) => rmSync(join(folder, 'timbre-0.2.0-mac-arm64.zip')),
      'lacks packages of 0.2.0: timbre-0.2.0-mac-arm64.zip.',
    ],
    [
      'there is another file',
      (folder: string) => writeFileSync(join(folder, 'latest.yml'), 'x'),
      'has what is no package of 0.2.0: latest.yml.',
    ],
    [
      'one is of another version',
      (folder: string) => writeFileSync(join(folder, 'timbre-0.1.0-mac-x64.dmg'), 'x'),
      'no package of 0.2.0: timbre-0.1.0-mac-x64.dmg.',
    ],
    [
      'there is a folder',
      (folder: string) => mkdirSync(join(folder, 'linux-unpacked')),
      'no package of 0.2.0: linux-unpacked/.',
    ],
    [
      'one is empty',
      (folder: string) => writeFileSync(join(folder, 'timbre-0.2.0-linux-amd64.deb'), ''),
      'timbre-0.2.0-linux-amd64.deb is empty.',
    ],
  ])('if %s', async (_what, change, words) => {
    const folder = folderOf('0.2.0');
    change(folder);
    await expect(sign({ folder })).rejects.toThrow(words);
  });

  it('if there are none', async () => {
    await expect(sign({ folder: newFolder() })).rejects.toThrow(
      'lacks packages of 0.2.0: timbre-0.2.0-linux-x86_64.AppImage, ',
    );
  });

  it('if their folder cannot be read', async () => {
    await expect(sign({ folder: join(newFolder(), 'none') })).rejects.toThrow('The folder of packages cannot be read');
  });
});

describe('the key is refused', () => {
  it('if there is none', async () => {
    await expect(sign({}, {})).rejects.toThrow('TIMBRE_RELEASE_KEY is not set.');
  });

  it('if it is not a private key, without telling what it is', async () => {
    const publicKey = { ...(JSON.parse(keys.TIMBRE_RELEASE_KEY) as JWK), d: undefined };
    for (const TIMBRE_RELEASE_KEY of ['hunter2', '{"d":"hunter2"}', JSON.stringify(publicKey)]) {
      const refusal = sign({}, { TIMBRE_RELEASE_KEY });
      await expect(refusal).rejects.toThrow('TIMBRE_RELEASE_KEY is not a private Ed25519 key');
      await expect(refusal).rejects.not.toThrow('hunter2');
    }
  });

  it('if the packages carry another one', async () => {
    const { TIMBRE_UPDATE_KEY } = await createKeys();
    await expect(sign({}, { ...keys, TIMBRE_UPDATE_KEY })).rejects.toThrow('does not belong to TIMBRE_UPDATE_KEY');
  });

  it('only then: the last release of an old key may carry a new one', async () => {
    const { TIMBRE_RELEASE_KEY } = keys;
    expect((await read(await sign({}, { TIMBRE_RELEASE_KEY }))).releases).toHaveLength(1);
  });

  it('if its halves belong to two keys', async () => {
    const [one, other] = [keys, await createKeys()].map((pair) => JSON.parse(pair.TIMBRE_RELEASE_KEY) as JWK);
    const mixed = JSON.stringify({ ...one, d: other?.d });
    await expect(sign({}, { TIMBRE_RELEASE_KEY: mixed })).rejects.toThrow('its two halves do not belong together');
  });
});

describe('the program', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = keys) =>
    spawnSync(process.execPath, [join(root, 'scripts/sign-releases.mts'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    });

  it('prints new keys, and writes the list beside the packages of this version, again and again', async () => {
    const { stdout } = run(['--new-key'], {});
    expect(stdout).toMatch(/^TIMBRE_RELEASE_KEY=\{"kty":"OKP",.*\}\nTIMBRE_UPDATE_KEY=[\w-]{43}\n$/);
    const folder = folderOf(version);
    const notes = join(newFolder(), 'notes.txt');
    writeFileSync(notes, 'Faster.\n');
    const previous = join(newFolder(), listName);
    writeFileSync(previous, await sign({ version: '0.0.1-beta.1', channel: 'beta' }));
    for (let time = 0; time < 2; time++) {
      const ended = run([folder, '--channel', 'stable', '--page', page, '--notes', notes, '--previous', previous]);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      const { releases } = await read(readFileSync(join(folder, listName), 'utf8'));
      expect(releases).toMatchObject([
        { version, notes: 'Faster.' },
        { version: '0.0.1-beta.1', channel: 'beta' },
      ]);
    }
  });

  it.each([
    ['names no folder', ['--channel', 'stable', '--page', page], 'Name one folder'],
    ['names two folders', ['a', 'b', '--channel', 'stable', '--page', page], 'Name one folder'],
    ['names another channel', ['.', '--channel', 'nightly', '--page', page], '--channel must be stable or beta'],
    ['names no page', ['.', '--channel', 'stable'], '--page must be'],
    ['has another option', ['.', '--publish'], "Unknown option '--publish'"],
    [
      'names notes that are not there',
      ['.', '--channel', 'beta', '--page', page, '--notes', 'no/notes'],
      'A file cannot be read: ENOENT',
    ],
  ])('writes nothing if its call %s, and says so in a sentence', (_what, args, words) => {
    const ended = run(args);
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(words) as string });
    expect(ended.stderr).not.toContain('    at ');
    expect(existsSync(join(root, listName))).toBe(false);
  });
});
