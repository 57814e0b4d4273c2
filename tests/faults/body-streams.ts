import { setTimeout as sleep } from 'node:timers/promises';

type Chunks = AsyncIterable<Buffer>;

/** Passes all chunks on and reports their bytes. */
export async function* countBytes(chunks: Chunks, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** The first `bytes` of a body. */
export async function* firstBytes(chunks: Chunks, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  if (left <= 0) return;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

const piecesPerSecond = 20;

/** Passes on at most `bytesPerSecond`, in twenty pieces a second to avoid long pauses. */
export async function* throttle(chunks: Chunks, bytesPerSecond: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const pieceBytes = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
  const startedMs = performance.now();
  let passed = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      passed += piece.length;
      const dueMs = startedMs + (passed / bytesPerSecond) * 1000;
      await sleep(Math.max(0, Math.ceil(dueMs - performance.now())), undefined, { signal });
      yield piece;
    }
  }
}
