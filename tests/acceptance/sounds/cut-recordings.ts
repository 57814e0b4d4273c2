// Fails when a part of a recording is accepted with a length that it does not have, or although more was promised.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { decodeSound } from '../../../src/sound/decode-sound.ts';
import { frameCount } from '../../../src/sound/pcm-block.ts';
import { inspectAndVerify } from '../../../src/sound/sound-inspector.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { isSameLength, realRecordings, someOf } from '../support/sounds/real-recordings.ts';

/** These promise their length, or end where a page ends. */
const promising: ReadonlySet<string> = new Set(['.wav', '.flac', '.ogg', '.oga', '.m4a']);

async function decodedSeconds(path: string): Promise<number> {
  let seconds = 0;
  for await (const { channels, sampleRate } of decodeSound(path)) seconds += frameCount(channels) / sampleRate;
  return seconds;
}

/** Where it is cut: at 1 %, 50 % and 99 %, one byte short, and in an Ogg in front of a page in its middle. */
function cutsOf(bytes: Buffer): readonly { readonly at: number; readonly isBorder: boolean }[] {
  const inside = [0.01, 0.5, 0.99].map((part) => Math.max(1, Math.floor(bytes.length * part)));
  const border = bytes.indexOf('OggS\0', Math.floor(bytes.length / 2));
  return [
    ...[...inside, bytes.length - 1].map((at) => ({ at, isBorder: bytes.toString('latin1', at, at + 5) === 'OggS\0' })),
    ...(border > 0 ? [{ at: border, isBorder: true }] : []),
  ];
}

export const scenario: Scenario = {
  id: 'R4',
  title: 'cut recordings are rejected if their header claims more, and otherwise accepted with their own length',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const real = await realRecordings(context, 600);
    if ('skipped' in real) return real.skipped;
    const folder = join(context.folder, 'parts');
    await mkdir(folder);
    const counts = { refused: 0, accepted: 0 };
    for (const [number, { name, path, seconds }] of someOf(real.files, 100).entries()) {
      const bytes = await readFile(path);
      for (const { at, isBorder } of cutsOf(bytes)) {
        const part = join(folder, `${number} ${at}${extname(path)}`);
        await writeFile(part, bytes.subarray(0, at));
        const found = await inspectAndVerify(part);
        if (found.kind === 'problem') {
          counts.refused += 1;
          continue;
        }
        counts.accepted += 1;
        const decoded = await decodedSeconds(part);
        const what = `${name}, ${at} of ${bytes.length} bytes`;
        const told = found.durationSeconds;
        must(told === undefined || isSameLength(told, decoded), `${what}: ${told ?? 0} s for ${decoded} s`);
        // What was cut off stood behind the sound, or nothing promised it.
        const isWhole = decoded >= seconds - 0.001;
        must(isWhole || isBorder || !promising.has(extname(path)), `${what}: accepted, although more was promised`);
      }
    }
    must(counts.refused > 0 && counts.accepted > 0, 'not every kind of part was looked at');
    return { ...counts };
  },
};
