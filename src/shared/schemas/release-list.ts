import * as v from 'valibot';

/** As electron-builder names its targets: `nsis` is the setup for Windows; `dmg` and `zip` are for macOS. */
export const packageKinds = ['appimage', 'deb', 'rpm', 'dmg', 'zip', 'nsis', 'portable'] as const;
export type PackageKind = (typeof packageKinds)[number];

export const packageArchs = ['x64', 'arm64'] as const;
export type PackageArch = (typeof packageArchs)[number];

const maxFileBytes = 2_000_000_000;
const maxFiles = 100;
export const maxNotesLength = 20_000;

/** A version of https://semver.org without build metadata, whose order would be undefined. */
const identifier = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)`;
const number = String.raw`(?:0|[1-9]\d{0,8})`;
const versionPattern = new RegExp(String.raw`^${number}(?:\.${number}){2}(?:-${identifier}(?:\.${identifier})*)?$`);

/** ISO 8601, in UTC. */
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/),
  v.check((text) => Number.isFinite(Date.parse(text)), 'must be a date'),
);

const isHttps = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

/** True if no two entries have the same key. */
const areDistinct = <Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): boolean =>
  new Set(entries.map(keyOf)).size === entries.length;

/** A Timbre of today ignores what only later ones know, or it could not be updated to one of those. */
const word = v.pipe(v.string(), v.maxLength(32), v.regex(/^[a-z][a-z\d-]*$/));

const releaseFile = v.object({
  /** One of `packageKinds`, or of later ones. */
  package: word,
  /** One of `packageArchs`, or of later ones. */
  arch: word,
  /** Relative to the list. A slash, a colon or a leading dot would lead elsewhere. */
  name: v.pipe(v.string(), v.maxLength(200), v.regex(/^[\dA-Za-z][\w.-]*$/)),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxFileBytes)),
  /** In base64, as electron-updater compares it. */
  sha512: v.pipe(v.string(), v.regex(/^[\dA-Za-z+/]{85}[AQgw]==$/)),
});

const release = v.object({
  /** One of `updateChannels`, or of later ones. */
  channel: word,
  version: v.pipe(v.string(), v.maxLength(64), v.regex(versionPattern)),
  date: time,
  /** Plain text; may be empty. */
  notes: v.pipe(v.string(), v.maxLength(maxNotesLength)),
  /** Where a person downloads it. */
  page: v.pipe(v.string(), v.maxLength(2048), v.check(isHttps, 'must be an https address')),
  files: v.pipe(
    v.array(releaseFile),
    v.maxLength(maxFiles),
    v.check((files) => areDistinct(files, (file) => `${file.package} ${file.arch}`), 'must have one file of a kind'),
  ),
});

/**
 * The payload of `releases.jws`: the newest release of each channel. What is unknown in it is ignored.
 */
export const releaseList = v.object({
  /** A list never replaces one that was issued later. */
  issuedAt: time,
  releases: v.pipe(
    v.array(release),
    v.check((releases) => areDistinct(releases, ({ channel }) => channel), 'must have one release of a channel'),
  ),
});

export type ReleaseFile = Readonly<v.InferOutput<typeof releaseFile>>;
export type Release = Readonly<v.InferOutput<typeof release>>;
export type ReleaseList = Readonly<v.InferOutput<typeof releaseList>>;
