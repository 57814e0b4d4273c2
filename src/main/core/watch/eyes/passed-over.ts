import { extname } from 'node:path';

/** The rule by which a name is passed over. */
export type PassedOver =
  | { readonly kind: 'hidden' }
  /** `pattern` as people write it: `*.part`. */
  | { readonly kind: 'temporary'; readonly pattern: string }
  /** `ending` in lower case with the dot; empty where there is none. */
  | { readonly kind: 'ending'; readonly ending: string };

interface TemporaryName {
  readonly pattern: string;
  /** On the lower-case name. */
  readonly matches: (name: string) => boolean;
}

const endsOn = (ending: string): TemporaryName => ({
  pattern: `*${ending}`,
  matches: (name) => name.endsWith(ending),
});

const beginsWith = (start: string, shown = start): TemporaryName => ({
  pattern: `${shown}*`,
  matches: (name) => name.startsWith(start),
});

const isCalled = (name: string): TemporaryName => ({
  pattern: name,
  matches: (other) => other === name.toLowerCase(),
});

/** What browsers, office programs, synchronizers, unpackers and file servers leave while they work, or for themselves. */
const temporaryNames: readonly TemporaryName[] = [
  ...['.part', '.partial', '.crdownload', '.filepart', '.tmp', '~'].map(endsOn),
  beginsWith('~$'),
  beginsWith('._'),
  beginsWith('.syncthing.'),
  beginsWith('~syncthing~'),
  beginsWith('_unpack_', '_UNPACK_'),
  beginsWith('.~lock.'),
  ...['.DS_Store', 'Thumbs.db', '@eaDir'].map(isCalled),
];

const isPlain = (name: string) => !/^[.~_@]|^thumbs\.db$|~$|\.(part|partial|crdownload|filepart|tmp)$/.test(name);

/**
 * The rule that keeps a name from being looked at, of a file or of a folder; null where none does. The temporary names come before
 * the hidden ones, because they tell a person more.
 */
export function passedOverName(name: string): PassedOver | null {
  const lower = name.toLowerCase();
  // Nearly all of a hundred thousand names: one look instead of fourteen.
  if (isPlain(lower)) return null;
  const temporary = temporaryNames.find(({ matches }) => matches(lower));
  if (temporary) return { kind: 'temporary', pattern: temporary.pattern };
  return name.startsWith('.') ? { kind: 'hidden' } : null;
}

/** As `passedOverName`, of a file that also needs one of the chosen endings (lower case with the dot). */
export function passedOverFile(name: string, endings: readonly string[]): PassedOver | null {
  const byName = passedOverName(name);
  if (byName) return byName;
  const ending = extname(name).toLowerCase();
  return endings.includes(ending) ? null : { kind: 'ending', ending };
}
