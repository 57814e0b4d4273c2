import { decodeSound } from '../../../../src/sound/decode-sound.ts';
import { inspectSound } from '../../../../src/sound/inspect-sound.ts';

/**
 * Looks at the files that it is given, or decodes them, each for so long at most. Tells of each by how much the most memory grew that
 * this process ever had.
 */
const [what = '', milliseconds = '0', ...paths] = process.argv.slice(2);
const peak = () => process.resourceUsage().maxRSS * 1024;
for (const path of paths) {
  const before = peak();
  try {
    if (what === 'look') await inspectSound(path);
    else for await (const block of decodeSound(path, { signal: AbortSignal.timeout(Number(milliseconds)) })) void block;
  } catch {
    // What cannot be decoded is refused; only what it costs counts here.
  }
  process.send?.({ path, bytes: what === 'look' ? peak() - before : peak() });
}
