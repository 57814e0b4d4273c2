// P12: ten minutes of sound drawn in the thread, beside decoding alone; what a drawing takes on the disk; and a cached one from its
// bytes to its pixels in a real Chromium, beside the sound's own first drawing.
//   npm run bench waveform
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { build } from 'vite';
import { chromiumPath } from '../scripts/chromium-path.mts';
import { root } from '../scripts/root.mts';
import { createWaveformCache } from '../src/main/core/waveforms.ts';
import { decodeSound } from '../src/sound/decode-sound.ts';
import { createSoundReader } from '../src/sound/sound-reader.ts';
import { writeSineWav } from './waveform/sine-wav.mts';
import { median } from './median.mts';

const seconds = 600;
const rounds = 7;
const entries = 2000;
const drawings = 60;
const goals = { drawnMs: 150, bytes: 8000, cachedMs: 16 };

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    build: {
      write: false,
      lib: { entry: resolve(root, 'bench/waveform/draw.ts'), formats: ['iife'], name: 'bench' },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const [chunk] = outputs.flatMap((output) => ('output' in output ? output.output : []));
  if (chunk?.type !== 'chunk') throw new Error('it was not built');
  return chunk.code;
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-waveform-'));
const soundReader = createSoundReader({ workerUrl: new URL('../src/sound/sound-worker.ts', import.meta.url) });
try {
  const wav = join(folder, 'ten.wav');
  await writeSineWav(wav, seconds);
  const mp3 = join(folder, 'ten.mp3');
  const hasMp3 = spawnSync('ffmpeg', ['-v', 'error', '-i', wav, '-b:a', '128k', mp3]).status === 0;
  for (const path of [wav, ...(hasMp3 ? [mp3] : [])]) {
    const [drawn, decoded]: [number[], number[]] = [[], []];
    let firstMs = NaN;
    for (let round = 0; round < rounds; round += 1) {
      let begun = performance.now();
      await soundReader.readWaveform(path);
      if (round === 0) firstMs = performance.now() - begun;
      else drawn.push(performance.now() - begun);
      begun = performance.now();
      for await (const block of decodeSound(path)) void block;
      if (round > 0) decoded.push(performance.now() - begun);
    }
    const [drawnMs, decodedMs] = [median(drawn), median(decoded)];
    console.log(
      `${seconds / 60} min of ${path.slice(-3)} drawn in ${drawnMs.toFixed()} ms in the thread (goal ${goals.drawnMs}), the first of a ` +
        `start ${firstMs.toFixed()} ms; decoding alone ${decodedMs.toFixed()} ms: ratio ${(drawnMs / decodedMs).toFixed(2)}`,
    );
  }
  const fold = await soundReader.readWaveform(wav);
  const cacheFolder = join(folder, 'cache');
  const cache = createWaveformCache({ folder: cacheFolder });
  for (let k = 0; k < entries; k += 1) cache.put(`${k}`.padStart(64, '0'), fold);
  const begun = performance.now();
  for (let k = 0; k < entries; k += 1) cache.get(`${k}`.padStart(64, '0'));
  const readMs = (performance.now() - begun) / entries;
  cache.stop();
  let bytes = 0;
  for (const name of await readdir(cacheFolder)) bytes += (await stat(join(cacheFolder, name))).size;
  console.log(
    `a cached drawing takes ${(bytes / entries).toFixed()} bytes (goal ${goals.bytes}) and ${readMs.toFixed(3)} ms to read`,
  );

  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle() });
  const base64 = Buffer.from(fold.columns).toString('base64');
  const times = await page.evaluate<number[]>(
    `Array.from({ length: ${drawings} }, () => bench.drawOnce(${JSON.stringify(base64)}, 720, 56))`,
  );
  await browser.close();
  console.log(
    `a cached drawing on screen: the first after ${times[0]?.toFixed(1) ?? ''} ms (goal ${goals.cachedMs}), then ${median(times).toFixed(1)} ms`,
  );
} finally {
  await soundReader.stop();
  await rm(folder, { recursive: true });
}
