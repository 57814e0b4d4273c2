import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { readMp3Waveform } from './mp3-waveform.ts';
import { parseMpegFrame } from './mpeg-frame.ts';
import { readWaveform } from './read-waveform.ts';
import { buzz, encoded, hiss, withFolder } from './sound.fixture.ts';
import { computeWaveform } from './waveform-columns.ts';
import { bytesPerColumn, type Waveform } from './waveform.ts';

const seconds = 64;

/** Words of a voice and hisses at changing levels, with pauses. */
function speech(hz: number, rate: number): Float32Array {
  const voice = buzz(hz, seconds, rate);
  const noise = hiss(seconds, rate);
  return voice.map((value, frame) => {
    const second = frame / rate;
    const word = Math.max(0, Math.sin(second * 4)) * (0.4 + 0.5 * Math.sin(second / 5) ** 2);
    return word * value + (Math.floor(second * 3) % 7 === 0 ? 0.3 * (noise[frame] ?? 0) : 0);
  });
}

const fromBytes = <T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> =>
  withFolder(async (folder) => {
    const path = join(folder, 'sound.mp3');
    await writeFile(path, bytes);
    return use(path);
  });
const drawn = (bytes: Uint8Array) => fromBytes(bytes, (path) => readMp3Waveform(path));
const decoded = (bytes: Uint8Array) => fromBytes(bytes, (path) => computeWaveform(decodeSound(path)));

/** Median difference of the columns' bytes: 0 is the peak, 1 the RMS, 2 the brightness. */
function difference(a: Waveform, b: Waveform, byte: 0 | 1 | 2): number {
  const differences = Array.from({ length: a.columns.length / bytesPerColumn }, (_, column) =>
    Math.abs((a.columns[column * bytesPerColumn + byte] ?? 0) - (b.columns[column * bytesPerColumn + byte] ?? 0)),
  ).sort((x, y) => x - y);
  return differences[Math.floor(differences.length / 2)] ?? NaN;
}

function expectAlike(waveform: Waveform | null, exact: Waveform): void {
  expect(waveform?.durationSeconds).toBe(exact.durationSeconds);
  if (!waveform) return;
  expect(Math.abs((waveform.levelDb ?? NaN) - (exact.levelDb ?? NaN))).toBeLessThan(0.5);
  expect(difference(waveform, exact, 0)).toBeLessThan(40);
  expect(difference(waveform, exact, 1)).toBeLessThan(10);
  expect(difference(waveform, exact, 2)).toBeLessThan(10);
}

describe.each([
  { rate: 48_000, channels: 2 },
  { rate: 44_100, channels: 1 },
  { rate: 22_050, channels: 2 },
  { rate: 11_025, channels: 1 },
  { rate: 8000, channels: 1 },
])('an MP3 of $rate Hz and $channels channels', ({ rate, channels }) => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await encoded(
      'mp3',
      Array.from({ length: channels }, (_, channel) => speech(120 + 90 * channel, rate)),
      rate,
    );
  });

  it('is drawn like its decoded sound', async () => {
    expectAlike(await drawn(bytes), await decoded(bytes));
  });

  it('is drawn the same without the header that states its length, but for the silence that it keeps', async () => {
    const sound = bytes.subarray(parseMpegFrame(bytes, 0)?.bytes);
    expectAlike(await drawn(sound), await decoded(sound));
  });
});

describe('a long MP3', () => {
  const rate = 8000;
  let bytes: Uint8Array;
  let frameBytes: number;
  beforeAll(async () => {
    bytes = await encoded('mp3', [speech(130, rate)], rate);
    frameBytes = parseMpegFrame(bytes, 0)?.bytes ?? 0;
  });

  it('is drawn the same between tags', async () => {
    const picture = new Uint8Array(10 + 70_000).fill(0xff);
    picture.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 70_000 >> 14, (70_000 >> 7) & 0x7f, 70_000 & 0x7f]);
    const end = new Uint8Array(128);
    end.set([0x54, 0x41, 0x47]);
    expect(await drawn(Buffer.concat([picture, bytes, end]))).toEqual(await drawn(bytes));
  });

  it('is left to the decoder if it is damaged, cut, or misses the frames that its first ones need', async () => {
    const damaged = Uint8Array.from(bytes);
    damaged.fill(0, bytes.length >> 1, (bytes.length >> 1) + 2000);
    expect(await drawn(damaged)).toBeNull();
    expect(await drawn(bytes.subarray(0, bytes.length - 10))).toBeNull();
    expect(await drawn(bytes.subarray(0, bytes.length - 20 * frameBytes))).toBeNull();
    const dependent = Uint8Array.from(bytes.subarray(frameBytes));
    dependent[4] = 0x40; // main_data_begin
    expect(await drawn(dependent)).toBeNull();
    await fromBytes(damaged, async (path) => {
      expect(await readWaveform(path)).toEqual(await computeWaveform(decodeSound(path)));
    });
  });

  it('is not drawn once its signal is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    await fromBytes(bytes, async (path) => {
      await expect(readMp3Waveform(path, aborted)).rejects.toThrow('enough');
    });
  });

  it('is drawn or left to the decoder in bounded time, whatever bytes change', async () => {
    let state = 1;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
    let longestMs = 0;
    let drawings = 0;
    for (let round = 0; round < 60; round++) {
      const mutated = Uint8Array.from(bytes);
      for (let change = 0; change <= round % 12; change++)
        mutated[change % 3 === 0 ? random(bytes.length) : frameBytes * random(900) + random(24)] = random(256);
      const since = process.cpuUsage();
      const waveform = await drawn(mutated);
      const { user, system } = process.cpuUsage(since);
      longestMs = Math.max(longestMs, (user + system) / 1000);
      if (!waveform) continue;
      drawings += 1;
      expect(waveform.durationSeconds).toBe((await decoded(mutated)).durationSeconds);
    }
    expect(drawings).toBeGreaterThan(3);
    expect(longestMs).toBeLessThan(1500);
  });
});

it('leaves short files, other formats and silence without a moment to the decoder or draws them as zeros', async () => {
  expect(await drawn(await encoded('mp3', [buzz(120, 5, 22_050)], 22_050))).toBeNull();
  expect(await drawn(await encoded('wav', [new Float32Array(70 * 8000)], 8000))).toBeNull();
  const silence = await drawn(await encoded('mp3', [new Float32Array(70 * 8000)], 8000));
  expect(silence?.levelDb).toBeNull();
  expect(silence?.columns.every((value) => value === 0)).toBe(true);
});
