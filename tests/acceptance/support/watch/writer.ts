import { open, rename, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a writer behaves. */
export interface Writing {
  readonly path: string;
  readonly bytes: Buffer;
  /** So many pieces, in order. */
  readonly pieces: number;
  /** Between two pieces. */
  readonly pauseMs: number;
  /** Once, in the middle. */
  readonly stallMs: number;
  /** `growing`: each piece makes it longer. `preallocated`: it has its size and holes from the start. `reopening`: it is closed between pieces. */
  readonly way: 'growing' | 'preallocated' | 'reopening';
  /** Where it goes when it is finished; null: it stays. */
  readonly finalPath: string | null;
  /** The modification time is put back to an old one with each piece, as programs do that keep times. */
  readonly keepsTimes: boolean;
}

const longAgo = 1_700_000_000;

/** Writes a file as ordered. `onStart` is called once the file exists. */
export async function write(writing: Writing, onStart: () => void = () => undefined): Promise<void> {
  const { path, bytes, pieces, pauseMs, stallMs, way, finalPath, keepsTimes } = writing;
  let file: FileHandle | null = await open(path, 'w');
  if (way === 'preallocated') await file.truncate(bytes.length);
  onStart();
  const pieceBytes = Math.ceil(bytes.length / pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    const start = piece * pieceBytes;
    file ??= await open(path, 'r+');
    await file.write(bytes, start, Math.min(pieceBytes, bytes.length - start), start);
    if (keepsTimes) await file.utimes(longAgo, longAgo);
    if (way === 'reopening') {
      await file.close();
      file = null;
    }
    if (piece + 1 < pieces) await sleep(piece + 1 === Math.floor(pieces / 2) ? stallMs : pauseMs);
  }
  await file?.close();
  if (finalPath !== null) await rename(path, finalPath);
}
