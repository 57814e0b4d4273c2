import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesSource } from './container-check.ts';
import { checkAiff } from './check-aiff.ts';
import { checkCaf } from './check-caf.ts';
import { decodeSound } from './decode-sound.ts';
import { inspectSound } from './inspect-sound.ts';
import { joinBlocks } from './pcm-block.ts';
import { withFolder } from './sound.fixture.ts';

const chunk = (tag: string, content: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from(tag), size, content, Buffer.alloc(content.length & 1)]);
};
const form = (type: string, ...chunks: readonly Buffer[]): Buffer =>
  chunk('FORM', Buffer.concat([Buffer.from(type), ...chunks]));

/** 8000 Hz as an 80-bit extended number. */
const rate = Buffer.from('400bfa00000000000000', 'hex');
const common = (frames: number, bits: number, coding = ''): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(2, 0);
  head.writeUInt32BE(frames, 2);
  head.writeUInt16BE(bits, 6);
  return chunk('COMM', Buffer.concat([head, rate, Buffer.from(coding), Buffer.alloc(coding === '' ? 0 : 2)]));
};
const sound = (bytes: Buffer): Buffer => chunk('SSND', Buffer.concat([Buffer.alloc(8), bytes]));
/** One second of 16-bit stereo that rises on the left and is still on the right. */
const samples = (write: (to: Buffer, value: number, at: number) => void): Buffer => {
  const bytes = Buffer.alloc(4 * 8000);
  for (let k = 0; k < 8000; k++) write(bytes, k, 4 * k);
  return bytes;
};
const bigEndian = samples((to, value, at) => void to.writeInt16BE(value, at));
const littleEndian = samples((to, value, at) => void to.writeInt16LE(value, at));

const caf = (size: bigint, bytes: Buffer, coding = 'lpcm'): Buffer => {
  const head = Buffer.alloc(8 + 12 + 32 + 16);
  head.write('caff\0\u0001\0\0desc', 0, 'latin1');
  head.writeBigInt64BE(32n, 12);
  head.writeDoubleBE(8000, 20);
  head.write(coding, 28, 'latin1');
  // Flag 2: little-endian.
  for (const [at, value] of [2, 4, 1, 2, 16].entries()) head.writeUInt32BE(value, 32 + 4 * at);
  head.write('data', 52, 'latin1');
  head.writeBigInt64BE(size, 56);
  return Buffer.concat([head, bytes]);
};

async function decoded(path: string) {
  const blocks = [];
  for await (const { channels } of decodeSound(path)) blocks.push(channels);
  return joinBlocks(blocks);
}
const rising = Float32Array.from({ length: 8000 }, (_, k) => k / 32_768);

describe('a recording of Apple’s programs', () => {
  const trailing = chunk('ID3 ', Buffer.alloc(4001, 7));
  const early = chunk('APPL', Buffer.alloc(300_001, 1));
  it.each([
    ['as AIFF', 'a.aiff', form('AIFF', common(8000, 16), sound(bigEndian), trailing)],
    ['as AIFF-C with chunks before it', 'a.aifc', form('AIFC', early, common(8000, 16, 'sowt'), sound(littleEndian))],
    ['as AIFF with an open length', 'a.aif', form('AIFF', common(0, 16), sound(bigEndian))],
    [
      'as CAF',
      'a.caf',
      Buffer.concat([caf(32_004n, littleEndian), Buffer.from('free\0\0\0\0\0\0\0\x05aaaaa', 'latin1')]),
    ],
    ['as CAF up to the end of the file', 'b.caf', caf(-1n, littleEndian)],
  ])('%s is decoded to the sample, without what follows it', async (_, name, bytes) => {
    await withFolder(async (folder) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      const [left, right] = await decoded(path);
      expect(left).toEqual(rising);
      expect(right).toEqual(new Float32Array(8000));
      expect(await inspectSound(path)).toMatchObject({ kind: 'sound', durationSeconds: 1 });
    });
  });

  it.each([
    ['a.aiff', form('AIFF', common(8000, 16), sound(bigEndian))],
    ['a.caf', caf(32_004n, littleEndian)],
  ])('is cut if its second half is missing (%s), and says how much there is', async (name, bytes) => {
    await withFolder(async (folder) => {
      const path = join(folder, name);
      await writeFile(path, bytes.subarray(0, bytes.length - 16_000));
      expect(await inspectSound(path)).toMatchObject({
        code: 'input/cut',
        facts: { promisedSeconds: 1, actualSeconds: 0.5 },
      });
      await appendFile(path, bytes.subarray(bytes.length - 16_000));
      expect((await readFile(path)).equals(bytes)).toBe(true);
      expect(await inspectSound(path)).toMatchObject({ kind: 'sound', durationSeconds: 1 });
    });
  });

  it('without any frame is empty, and without its header cut', async () => {
    expect(await checkAiff(bytesSource(form('AIFF', common(0, 16), sound(Buffer.alloc(0)))))).toEqual({
      kind: 'empty',
    });
    expect(await checkCaf(bytesSource(caf(4n, Buffer.alloc(0))))).toEqual({ kind: 'empty' });
    expect(await checkAiff(bytesSource(Buffer.from('FORM\0\0\x10\0AIFF')))).toMatchObject({ kind: 'cut' });
    expect(await checkCaf(bytesSource(caf(-1n, littleEndian).subarray(0, 40)))).toMatchObject({ kind: 'cut' });
  });

  it('in a coding that no decoder of ours reads says which', async () => {
    const aiff = form('AIFC', common(8000, 16, 'QDM2'), sound(bigEndian));
    expect(await checkAiff(bytesSource(aiff))).toEqual({
      kind: 'complete',
      durationSeconds: 1,
      unsupportedCodec: 'QDM2',
    });
    expect(await checkCaf(bytesSource(caf(32_004n, littleEndian, 'alac')))).toMatchObject({ unsupportedCodec: 'alac' });
  });
});
