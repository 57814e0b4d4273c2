import { createHash } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { wavBytes } from '../../../../src/main/core/scanner/scanner.fixture.ts';

const headBytes = 44;
const longAgo = 1_700_000_000;
let puts = 0;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A whole WAV; no two numbers have one content. */
export function recording(number: number, seconds = 0.3): Buffer {
  const bytes = wavBytes(seconds, 1 + (number % 100));
  bytes.writeUInt32LE(number, headBytes);
  return bytes;
}

/** Writes a finished file into a folder, old enough to be taken at once. Returns where it lies. */
export async function putFile(root: string, path: string, bytes: Uint8Array): Promise<string> {
  const whole = join(root, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, bytes);
  puts += 1;
  await utimes(whole, longAgo, longAgo + puts);
  return whole;
}
