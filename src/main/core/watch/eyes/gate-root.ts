import type { Signature } from './eyes.ts';

/** What the gate has to know of a root. */
export interface GateRoot {
  readonly id: string;
  readonly path: string;
  /** Only this machine writes to its disk, and the system tells of it. */
  readonly isOurs: () => boolean;
  /** Other machines write to its disk. */
  readonly isShared: () => boolean;
  /** It is still the folder that is watched. */
  readonly isThere: () => Promise<boolean>;
  /** Nothing is at that path any more; if the root agrees, it drops the file. */
  readonly onMissing: (path: string) => void;
  /** The file has left the gate in this shape; any other one is news. */
  readonly onSettled: (path: string, signature: Signature) => void;
}
