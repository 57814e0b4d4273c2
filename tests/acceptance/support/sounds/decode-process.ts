import { readFileSync } from 'node:fs';
import { decodeSound } from '../../../../src/sound/decode-sound.ts';
import { inspectSound } from '../../../../src/sound/inspect-sound.ts';

/**
 * The most memory in bytes that this process has had since it was executed. `process.resourceUsage().maxRSS` would not do: on Linux
 * a process inherits that of its parent (getrusage(2)), which has built all the sounds.
 */
function peakBytes(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/**
 * Inspects or decodes the given files, each for at most the given time, and reports for each the bytes by which the peak grew
 * (inspection) or the peak itself (decoding).
 */
const [what = '', milliseconds = '0', ...paths] = process.argv.slice(2);
for (const path of paths) {
  const before = peakBytes();
  try {
    if (what === 'look') await inspectSound(path);
    else for await (const block of decodeSound(path, { signal: AbortSignal.timeout(Number(milliseconds)) })) void block;
  } catch {
    // What cannot be decoded is refused; only its cost counts here.
  }
  process.send?.({ path, bytes: what === 'look' ? peakBytes() - before : peakBytes() });
}
