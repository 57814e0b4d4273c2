import type { SeenFile } from './eyes/eyes.ts';
import type { FileLine } from './file-line.ts';
import type { ExistingStage } from './watch-folder.ts';

/** What is to be done about a file that the eyes saw. `known`: nothing; `touch`: only its signature is news. */
export type SeenJudgement = 'known' | 'touch' | 'before' | 'link' | 'placeholder' | 'consider';

interface Circumstances {
  readonly existing: ExistingStage;
  /** A file that was left alone has this inode, size and time. */
  readonly wasBefore: boolean;
}

/** The same recording at the same path? Inodes change where a disk makes them up: for a file that was left alone they do not count. */
function isUnchanged({ signature, verdict }: FileLine, seen: SeenFile): boolean {
  const { inode, sizeBytes, modifiedNs } = seen.signature;
  if (signature.sizeBytes !== sizeBytes || signature.modifiedNs !== modifiedNs) return false;
  return verdict === 'before' || signature.inode === inode;
}

const isAtGate = ({ verdict }: FileLine) => verdict === 'waiting' || verdict === 'budget';

/** Its content is elsewhere just now: nothing can be said of it but whether it is the file that is known. */
function judgePlaceholder(
  seen: SeenFile,
  line: FileLine | undefined,
  { existing, wasBefore }: Circumstances,
): SeenJudgement {
  if (!line) return existing === 'scanning' || wasBefore ? 'before' : 'placeholder';
  const isKnown = line.isThere || line.verdict === 'before';
  return isKnown && !isAtGate(line) && isUnchanged(line, seen) ? 'known' : 'placeholder';
}

/**
 * Decides from names and times whether a file is worth a closer look. To look once too often costs a reading; to look once too rarely
 * loses a recording; only a file that was left alone must not be taken for a new one, because nobody knows its content.
 */
export function judgeSeen(seen: SeenFile, line: FileLine | undefined, circumstances: Circumstances): SeenJudgement {
  const { existing, wasBefore } = circumstances;
  if (seen.kind === 'link') return line?.isThere && line.verdict === 'link' ? 'known' : 'link';
  if (seen.kind === 'placeholder') return judgePlaceholder(seen, line, circumstances);
  if (!line) return existing === 'scanning' || wasBefore ? 'before' : 'consider';
  // What is a file now was none when it was last seen, or nobody has read it yet.
  if (isAtGate(line) || line.verdict === 'placeholder' || line.verdict === 'link') return 'consider';
  if (isUnchanged(line, seen)) {
    const isMetadata = line.signature.changedNs !== seen.signature.changedNs;
    // A file that could not be read may have got other permissions.
    if (isMetadata && line.verdict === 'refused') return 'consider';
    return isMetadata || !line.isThere ? 'touch' : 'known';
  }
  return line.verdict === 'before' && existing === 'scanning' ? 'before' : 'consider';
}
