import gt from 'semver/functions/gt.js';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Release, type ReleaseFile, releaseList } from './release-list.ts';

const file: ReleaseFile = {
  package: 'appimage',
  arch: 'x64',
  name: 'timbre-0.2.0-linux-x64.AppImage',
  bytes: 1,
  sha512: `${'A'.repeat(86)}==`,
};
const release: Release = {
  channel: 'stable',
  version: '0.2.0',
  date: '2026-11-20T10:00:00.000Z',
  notes: '',
  page: 'https://timbre.example/download',
  files: [file, { ...file, arch: 'arm64' }, { ...file, package: 'deb' }],
};
const beta: Release = { ...release, channel: 'beta', version: '0.3.0-beta.1' };
const issuedAt = '2026-11-21T10:00:00.000Z';

const faultIn = (list: unknown): string | null => {
  const { issues } = v.safeParse(releaseList, list);
  return issues ? v.getDotPath(issues[0]) : null;
};
const withRelease = (change: object) => ({ issuedAt, releases: [{ ...release, ...change }] });
const withFile = (change: object) => withRelease({ files: [{ ...file, ...change }] });

describe('a list of releases', () => {
  it.each([
    { issuedAt, releases: [] },
    { issuedAt, releases: [release, beta] },
    withRelease({ notes: 'x'.repeat(20_000), files: [], date: '2026-11-20T10:00:00Z' }),
  ])('is valid with at most one release of each channel, and one file of each kind: %#', (list) =>
    expect(v.parse(releaseList, list)).toEqual(list),
  );

  it('may have what only a later version knows', () => {
    expect(faultIn({ ...withFile({ signature: 'x' }), mirrors: [] })).toBeNull();
    expect(faultIn(withFile({ package: 'snap', arch: 'riscv64' }))).toBeNull();
    expect(faultIn(withRelease({ channel: 'nightly' }))).toBeNull();
  });

  it.each([
    ['issuedAt', { releases: [] }],
    ['issuedAt', { issuedAt: 'yesterday', releases: [] }],
    ['releases', { issuedAt, releases: [release, release] }],
    ['releases.0.channel', withRelease({ channel: '../x' })],
    ['releases.0.date', withRelease({ date: '2026-13-45T10:00:00Z' })],
    ['releases.0.date', withRelease({ date: '2026-11-20T10:00:00+01' })],
    ['releases.0.notes', withRelease({ notes: 'x'.repeat(20_001) })],
    ['releases.0.page', withRelease({ page: 'http://timbre.example' })],
    ['releases.0.page', withRelease({ page: 'javascript:alert(1)' })],
    ['releases.0.page', withRelease({ page: `https://timbre.example/${'x'.repeat(2048)}` })],
    ['releases.0.files', withRelease({ files: [file, { ...file, name: 'other' }] })],
    ['releases.0.files.0.package', withFile({ package: 'Snap' })],
    ['releases.0.files.0.arch', withFile({ arch: '' })],
    ['releases.0.files.0.bytes', withFile({ bytes: 0 })],
    ['releases.0.files.0.bytes', withFile({ bytes: 0.5 })],
    ['releases.0.files.0.bytes', withFile({ bytes: 2_000_000_001 })],
    ['releases.0.files.0.sha512', withFile({ sha512: `${'A'.repeat(85)}==` })],
    ['releases.0.files.0.sha512', withFile({ sha512: `${'A'.repeat(85)}B==` })],
    ['releases.0.files.0.sha512', withFile({ sha512: `${'-'.repeat(86)}==` })],
  ])('names the field that is wrong: %s', (field, list) => expect(faultIn(list)).toBe(field));

  it.each([
    '',
    '.',
    '..',
    '.hidden',
    '../x',
    'a/b',
    String.raw`a\b`,
    'https:x',
    'a b',
    'a%2fb',
    'a?b',
    'x'.repeat(201),
  ])('names files only beside it, not %j', (name) =>
    expect(faultIn(withFile({ name }))).toBe('releases.0.files.0.name'),
  );

  it.each(['0.0.1', '10.20.30', '1.0.0-alpha', '1.0.0-beta.11', '1.0.0-0.3.7', '1.0.0-x-y.0a', '999999999.0.0'])(
    'has versions that can be compared: %s',
    (version) => {
      expect(faultIn(withRelease({ version }))).toBeNull();
      expect(gt(version, '0.0.0')).toBe(true);
    },
  );

  it.each([
    '1',
    '1.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-01',
    '1.0.0-',
    '1.0.0-a..b',
    '1.0.0+build',
    '1.0.0 ',
    '9999999999.0.0',
  ])('has no version that is %j', (version) => expect(faultIn(withRelease({ version }))).toBe('releases.0.version'));
});
