import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSound } from '../sound/decode-sound.ts';
import { medianF0 } from '../sound/median-f0.ts';
import { outputFormats } from '../sound/sound-format.ts';
import { hasFfmpeg } from '../sound/sound.fixture.ts';
import type { EngineVoice } from './voice.ts';
import { catalogue, findVoice } from './catalogue.ts';
import { startTestEngine, type TestEngine } from './engine.fixture.ts';

const human = '/usr/share/sounds/alsa/Front_Center.wav';
const hasHuman = existsSync(human);
const sample = fileURLToPath(new URL('../../samples/lantern.mp3', import.meta.url));
const hasFfprobe = (() => {
  try {
    execFileSync('ffprobe', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

interface Sound {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  readonly channels: number;
  readonly seconds: number;
  readonly peak: number;
}

async function decode(path: string): Promise<Sound> {
  const parts: Float32Array[] = [];
  let sampleRate = 0;
  let channels = 0;
  for await (const block of decodeSound(path)) {
    parts.push(block.channels[0] ?? new Float32Array(0));
    sampleRate = block.sampleRate;
    channels = block.channels.length;
  }
  const samples = Float32Array.from(parts.flatMap((part) => [...part]));
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { samples, sampleRate, channels, seconds: samples.length / sampleRate, peak };
}

const audioUrlOf = ({ body }: { readonly body: unknown }): string => {
  const { data } = body as { readonly data?: { readonly audioUrl?: string } };
  if (data?.audioUrl === undefined) throw new Error(`no audioUrl in ${JSON.stringify(body)}`);
  return data.audioUrl;
};

let engine: TestEngine;
let folder: string;

beforeAll(async () => {
  engine = await startTestEngine();
  folder = await mkdtemp(join(tmpdir(), 'timbre-results-'));
});
afterAll(async () => {
  await engine.remove();
  await rm(folder, { recursive: true, force: true });
});

async function convert(taskId: string, options: Readonly<Record<string, string | number | boolean>>): Promise<string> {
  const reply = await engine.call('POST', '/api/changeaudiofile', { uuid: taskId, ...options });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const response = await engine.download(audioUrlOf(reply));
  const path = join(folder, `${crypto.randomUUID()}${String(options['outputFormat'] ?? '.wav')}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes.length).toBe(Number(response.headers.get('content-length')));
  await writeFile(path, bytes);
  return path;
}

describe.skipIf(!hasHuman)('a real voice (alsa-utils Front_Center.wav, skipped if it is not installed)', () => {
  const voices = catalogue.filter(({ effects }) => !effects.length);

  it.each(['low-bronze', 'open-field', 'quiet-harbour', 'clear-glass', 'lotus-thread'])(
    'gets the F0 of %s within five percent, keeps its length, sample rate and channels, and does not clip',
    async (voice) => {
      const before = await decode(human);
      const after = await decode(await convert(await engine.prepare(voice, human), { outputFormat: '.wav' }));
      const target = findVoice(voice)?.targetF0Hz ?? 0;
      expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / target - 1)).toBeLessThan(0.05);
      expect(Math.abs(after.seconds / before.seconds - 1)).toBeLessThan(0.01);
      expect(after.sampleRate).toBe(before.sampleRate);
      expect(after.channels).toBe(before.channels);
      expect(after.peak).toBeLessThan(1);
    },
  );

  it.each(['troll-cellar', '50%-brass'])(
    'gets the F0 of %s within five percent, although its effect makes other parts of the word audible',
    async (voice) => {
      const after = await decode(await convert(await engine.prepare(voice, human), { outputFormat: '.wav' }));
      const target = findVoice(voice)?.targetF0Hz ?? 0;
      expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / target - 1)).toBeLessThan(0.05);
    },
  );

  it('sounds different even in the most similar voices', async () => {
    const distance = (one: EngineVoice, other: EngineVoice) =>
      Math.abs(12 * Math.log2(one.targetF0Hz / other.targetF0Hz)) +
      Math.abs(one.formantSemitones - other.formantSemitones) +
      Math.abs(one.tiltDb - other.tiltDb);
    const pairs = catalogue.flatMap((one, at) => catalogue.slice(at + 1).map((other) => [one, other] as const));
    const nearest = pairs
      .filter(([one, other]) => JSON.stringify(one.effects) === JSON.stringify(other.effects))
      .sort(([a, b], [c, d]) => distance(a, b) - distance(c, d))
      .slice(0, 12);
    const id = await engine.prepare(voices[0]?.id ?? '', human);
    const samplesOf = async (voice: string) => (await decode(await convert(id, { voice, engine: 'v5' }))).samples;
    for (const [one, other] of nearest) {
      const [first, second] = [await samplesOf(one.id), await samplesOf(other.id)];
      const difference = first.reduce((sum, value, k) => sum + Math.abs(value - (second[k] ?? 0)), 0) / first.length;
      expect(difference, `${one.id}, ${other.id}`).toBeGreaterThan(0.001);
    }
  });

  it('multiplies the F0 of the source by pitch without automatic adjustment', async () => {
    const before = await decode(human);
    const path = await convert(await engine.prepare('open-field', human), { auto_f0_adjust: false, pitch: 0.75 });
    const after = await decode(path);
    const ratio = (medianF0(after.samples, after.sampleRate) ?? 0) / (medianF0(before.samples, before.sampleRate) ?? 1);
    expect(Math.abs(ratio / 0.75 - 1)).toBeLessThan(0.05);
  });

  it('divides the length by speed and leaves F0 unchanged', async () => {
    const before = await decode(human);
    const after = await decode(await convert(await engine.prepare('quiet-harbour', human), { speed: 1.6 }));
    expect(Math.abs(after.seconds / (before.seconds / 1.6) - 1)).toBeLessThan(0.01);
    expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / 182 - 1)).toBeLessThan(0.05);
  });

  it('moves the formants with pitch only if requested', async () => {
    const id = await engine.prepare('open-field', human);
    const kept = await decode(await convert(id, { pitch: 1.5, pitch_control: '' }));
    const moved = await decode(await convert(id, { pitch: 1.5, pitch_control: 'shift-formants' }));
    const brightness = ({ samples }: Sound) => {
      let change = 0;
      let energy = 0;
      for (let at = 1; at < samples.length; at++) {
        change += ((samples[at] ?? 0) - (samples[at - 1] ?? 0)) ** 2;
        energy += (samples[at] ?? 0) ** 2;
      }
      return change / energy;
    };
    expect(brightness(moved) / brightness(kept)).toBeGreaterThan(1.2);
    for (const { samples, sampleRate } of [kept, moved]) {
      expect(Math.abs((medianF0(samples, sampleRate) ?? 0) / (1.5 * 112) - 1)).toBeLessThan(0.05);
    }
  });

  it.each(outputFormats)('is written as %s with its length', async (format) => {
    const path = await convert(await engine.prepare('dark-walnut', human), { outputFormat: `.${format}` });
    const [before, after] = [await decode(human), await decode(path)];
    expect(Math.abs(after.seconds / before.seconds - 1)).toBeLessThan(0.01);
    expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / 102 - 1)).toBeLessThan(0.05);
  });

  it.skipIf(!hasFfprobe)('is a file that ffprobe reads in each format (skipped without ffprobe)', async () => {
    const codecs = { wav: 'pcm_s16le', mp3: 'mp3', flac: 'flac', ogg: 'vorbis' } as const;
    const id = await engine.prepare('dark-walnut', human);
    for (const format of outputFormats) {
      const path = await convert(id, { outputFormat: `.${format}` });
      const args = ['-v', 'error', '-show_entries', 'stream=codec_name,sample_rate,channels', '-of', 'csv=p=0', path];
      expect(execFileSync('ffprobe', args, { encoding: 'utf8' }).trim()).toBe(`${codecs[format]},48000,1`);
    }
  });
});

it('gives the sample lantern.mp3 another voice of the same length', async () => {
  const before = await decode(sample);
  const path = await convert(await engine.prepare('low-bronze', sample), { outputFormat: '.mp3' });
  const after = await decode(path);
  expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / 88 - 1)).toBeLessThan(0.05);
  expect(Math.abs(after.seconds / before.seconds - 1)).toBeLessThan(0.01);
  expect(after.sampleRate).toBe(before.sampleRate);
});

it.skipIf(!hasFfmpeg)('converts 32-bit and 64-bit WAV files written by ffmpeg (skipped without ffmpeg)', async () => {
  for (const codec of ['pcm_s32le', 'pcm_f32le', 'pcm_f64le']) {
    const path = join(folder, `${codec}.wav`);
    execFileSync('ffmpeg', ['-v', 'error', '-i', sample, '-t', '2', '-c:a', codec, path]);
    const after = await decode(await convert(await engine.prepare('low-bronze', path), { outputFormat: '.wav' }));
    expect(Math.abs((medianF0(after.samples, after.sampleRate) ?? 0) / 88 - 1), codec).toBeLessThan(0.05);
    expect(after.seconds, codec).toBeCloseTo(2, 2);
  }
});
