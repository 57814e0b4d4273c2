// `node scripts/sign-releases.mts --new-key`: prints a new pair of keys, for the lists of releases and for the packages.
// `node scripts/sign-releases.mts FOLDER --channel stable --page URL [--notes FILE] [--previous releases.jws]`: lists the packages of this
// version, which lie in FOLDER, as the newest release of a channel. Writes FOLDER/releases.jws, signed with TIMBRE_RELEASE_KEY.
import { CompactSign, compactVerify, exportJWK, generateKeyPair, importJWK } from 'jose';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import gt from 'semver/functions/gt.js';
import prerelease from 'semver/functions/prerelease.js';
import * as v from 'valibot';
import configuration from '../build/electron-builder.js';
import { listName } from '../build/updates.js';
import {
  maxNotesLength,
  type PackageArch,
  packageArchs,
  type PackageKind,
  packageKinds,
  type Release,
  type ReleaseFile,
  type ReleaseList,
  releaseList,
} from '../src/shared/schemas/release-list.ts';
import { updateChannels } from '../src/shared/schemas/settings.ts';
import { root } from './root.mts';

/** Why no list is written, in a sentence for the person who makes the release. */
class Refusal extends Error {}

const alg = 'EdDSA';

const usage =
  'Usage: node scripts/sign-releases.mts FOLDER --channel stable|beta --page URL [--notes FILE] [--previous FILE]\n' +
  '       node scripts/sign-releases.mts --new-key';

interface Format {
  readonly os: 'linux' | 'mac' | 'win';
  readonly ext: string;
  /** Each format has its own names of processors. */
  readonly archs: Readonly<Record<PackageArch, string>>;
  /** Pattern of the name, if it has its own. */
  readonly artifactName?: string;
}

const plain = { x64: 'x64', arm64: 'arm64' };
/** What electron-builder puts into `artifactName`. */
const formats: Readonly<Record<PackageKind, Format>> = {
  appimage: { os: 'linux', ext: 'AppImage', archs: { x64: 'x86_64', arm64: 'arm64' } },
  deb: { os: 'linux', ext: 'deb', archs: { x64: 'amd64', arm64: 'arm64' } },
  rpm: { os: 'linux', ext: 'rpm', archs: { x64: 'x86_64', arm64: 'aarch64' } },
  dmg: { os: 'mac', ext: 'dmg', archs: plain },
  zip: { os: 'mac', ext: 'zip', archs: plain },
  nsis: { os: 'win', ext: 'exe', archs: plain, artifactName: configuration.nsis.artifactName },
  portable: { os: 'win', ext: 'exe', archs: plain, artifactName: configuration.portable.artifactName },
};

interface PackageName {
  readonly package: PackageKind;
  readonly arch: PackageArch;
  readonly name: string;
}

/** The packages of a version, as `npm run package` names them on the six systems. */
export function packageNames(version: string): readonly PackageName[] {
  return packageKinds.flatMap((kind) =>
    packageArchs.map((arch) => {
      const { os, ext, archs, artifactName = configuration.artifactName } = formats[kind];
      const values = new Map(Object.entries({ version, os, ext, arch: archs[arch] }));
      const name = artifactName.replace(/\$\{(\w+)\}/g, (macro, word: string) => values.get(word) ?? macro);
      return { package: kind, arch, name };
    }),
  );
}

const sentences = (issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'list'}: ${issue.message}`).join('; ');

const octets = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const privateKeySchema = v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: octets, d: octets });
type PrivateKey = v.InferOutput<typeof privateKeySchema>;

/** Makes a pair of keys: the lines of an environment. */
export async function newKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const { kty, crv, x, d } = v.parse(privateKeySchema, await exportJWK(privateKey));
  return `TIMBRE_RELEASE_KEY=${JSON.stringify({ kty, crv, x, d })}\nTIMBRE_UPDATE_KEY=${x}`;
}

function readKey({ TIMBRE_RELEASE_KEY: text, TIMBRE_UPDATE_KEY: publicKey }: NodeJS.ProcessEnv): PrivateKey {
  if (!text) throw new Refusal('TIMBRE_RELEASE_KEY is not set. It is the private key that --new-key prints.');
  let key: PrivateKey;
  try {
    key = v.parse(privateKeySchema, JSON.parse(text));
  } catch {
    // The reason would quote the secret.
    throw new Refusal('TIMBRE_RELEASE_KEY is not a private Ed25519 key in the form of a JWK, as --new-key prints it.');
  }
  if (publicKey && publicKey !== key.x) {
    throw new Refusal('TIMBRE_RELEASE_KEY does not belong to TIMBRE_UPDATE_KEY: no package would accept the list.');
  }
  return key;
}

async function verify(signed: string, { kty, crv, x }: PrivateKey): Promise<unknown> {
  const { payload } = await compactVerify(signed, await importJWK({ kty, crv, x }, alg), { algorithms: [alg] });
  return JSON.parse(new TextDecoder().decode(payload));
}

async function readPrevious(signed: string, key: PrivateKey): Promise<ReleaseList> {
  const payload = await verify(signed.trim(), key).catch((cause: unknown) => {
    throw new Refusal('The previous list is not signed with TIMBRE_RELEASE_KEY.', { cause });
  });
  const { success, output, issues } = v.safeParse(releaseList, payload);
  if (!success) throw new Refusal(`The previous list is not valid: ${sentences(issues)}.`);
  return output;
}

async function sign(list: ReleaseList, key: PrivateKey): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(list));
  try {
    const signed = await new CompactSign(payload).setProtectedHeader({ alg }).sign(await importJWK(key, alg));
    await verify(signed, key);
    return signed;
  } catch (cause) {
    throw new Refusal('TIMBRE_RELEASE_KEY cannot be used: its two halves do not belong together.', { cause });
  }
}

async function listFiles(folder: string, version: string): Promise<readonly ReleaseFile[]> {
  const entries = readEntries(folder);
  const wanted = packageNames(version);
  const unknown = entries.filter((name) => name !== listName && !wanted.some((one) => one.name === name));
  const missing = wanted.map(({ name }) => name).filter((name) => !entries.includes(name));
  if (unknown.length > 0) throw new Refusal(`${folder} has what is no package of ${version}: ${unknown.join(', ')}.`);
  if (missing.length > 0) throw new Refusal(`${folder} lacks packages of ${version}: ${missing.join(', ')}.`);
  const files: ReleaseFile[] = [];
  for (const one of wanted) {
    const path = join(folder, one.name);
    const bytes = statSync(path).size;
    if (bytes === 0) throw new Refusal(`${one.name} is empty.`);
    const hash = createHash('sha512');
    await pipeline(createReadStream(path), hash);
    files.push({ ...one, bytes, sha512: hash.digest('base64') });
  }
  return files;
}

const because = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readEntries(folder: string): readonly string[] {
  try {
    // A folder or a link is none of the packages.
    return readdirSync(folder, { withFileTypes: true }).map((entry) => entry.name + (entry.isFile() ? '' : '/'));
  } catch (error) {
    throw new Refusal(`The folder of packages cannot be read: ${because(error)}.`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Refusal(`A file cannot be read: ${because(error)}.`);
  }
}

export interface NewRelease {
  /** Holds the packages of all systems, and nothing else but perhaps a list. */
  readonly folder: string;
  readonly channel: (typeof updateChannels)[number];
  readonly version: string;
  /** Where a person downloads the release. */
  readonly page: string;
  /** Plain text; may be empty. */
  readonly notes: string;
  /** The list that is published, whose release of the other channel stays. Null if there is none. */
  readonly previous: string | null;
}

/** Creates a signed list with a new release. Throws, with a sentence as message, for a release that must not be listed. */
export async function signReleases(
  { folder, channel, version, page, notes, previous }: NewRelease,
  env: NodeJS.ProcessEnv,
  now: Date,
): Promise<string> {
  const key = readKey(env);
  const last = previous === null ? null : await readPrevious(previous, key);
  const before = last?.releases.find((release) => release.channel === channel);
  if (before && !gt(version, before.version)) {
    throw new Refusal(`${version} is not newer than ${before.version}, the last release of the channel ${channel}.`);
  }
  if (channel === 'stable' && prerelease(version)) {
    throw new Refusal(`${version} is a prerelease, which belongs to the channel beta.`);
  }
  const issuedAt = now.toISOString();
  if (last && Date.parse(last.issuedAt) >= now.getTime()) {
    throw new Refusal(`The previous list was issued at ${last.issuedAt}, and by this clock it is ${issuedAt}.`);
  }
  const text = notes.replaceAll('\r\n', '\n').trim();
  if (text.length > maxNotesLength) {
    throw new Refusal(`The notes have ${text.length} characters, more than ${maxNotesLength}.`);
  }
  const files = await listFiles(folder, version);
  const release: Release = { channel, version, date: issuedAt, notes: text, page, files: [...files] };
  const releases = [release, ...(last?.releases.filter((one) => one.channel !== channel) ?? [])];
  const { success, output, issues } = v.safeParse(releaseList, { issuedAt, releases });
  if (!success) throw new Refusal(`No app would accept the list: ${sentences(issues)}.`);
  return sign(output, key);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'new-key': { type: 'boolean' },
        channel: { type: 'string' },
        page: { type: 'string' },
        notes: { type: 'string' },
        previous: { type: 'string' },
      },
    });
  } catch (error) {
    throw new Refusal(`${because(error)}\n${usage}`);
  }
}

async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args);
  if (values['new-key']) return newKeys();
  const [folder, ...others] = positionals;
  const { channel, page, notes, previous } = values;
  if (folder === undefined || others.length > 0) throw new Refusal(`Name one folder with the packages.\n${usage}`);
  if (!v.is(v.picklist(updateChannels), channel)) throw new Refusal(`--channel must be stable or beta.\n${usage}`);
  if (page === undefined) throw new Refusal(`--page must be the address where a person downloads Timbre.\n${usage}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const signed = await signReleases(
    {
      folder,
      channel,
      version,
      page,
      notes: notes === undefined ? '' : readText(notes),
      previous: previous === undefined ? null : readText(previous),
    },
    process.env,
    new Date(),
  );
  const path = join(folder, listName);
  writeFileSync(path, signed);
  return `${version} is the newest release of the channel ${channel} in ${path}`;
}

if (import.meta.main) {
  try {
    console.log(await run(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
