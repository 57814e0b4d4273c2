// How clean a changed pitch is: roughness and the noise between the harmonics, of sung notes and of speech, beside ffmpeg's rubberband filter.
//   npm run bench sung-notes [-- FOLDER]
// FOLDER is where Debian's sonic-pi-samples, which has a choir, is unpacked; `/` if it is installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { medianF0 } from '../src/sound/median-f0.ts';
import { createStretcher } from '../src/sound/stretch-sound.ts';
import { noiseOf, roughnessOf } from './accuracy/roughness.mts';
import { readSound, writeSound, type Sound } from './accuracy/sound-file.mts';
import { mansVowels, syntheticVowel, womansTract } from './accuracy/synthetic-vowel.mts';
import { median } from './median.mts';

const root = process.argv[2] ?? '/';
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const intervals = [-5, -3, 3, 5];

async function stretched({ samples, sampleRate }: Sound, semitones: number): Promise<Sound> {
  const sourceF0Hz = medianF0(samples, sampleRate) ?? 0;
  const stretcher = await createStretcher({ channels: 1, sampleRate, semitones, sourceF0Hz, quality: 'finest' });
  const blocks = [...stretcher.push([samples]), ...stretcher.end()];
  return { samples: Float32Array.from(blocks.flatMap(([block]) => Array.from(block ?? []))), sampleRate };
}

async function rubberband(inputPath: string, semitones: number): Promise<Sound> {
  const outputPath = join(folder, 'theirs.wav');
  const filter = `rubberband=pitch=${2 ** (semitones / 12)}:formant=preserved`;
  const { status } = spawnSync('ffmpeg', ['-v', 'error', '-y', '-i', inputPath, '-af', filter, outputPath]);
  if (status !== 0) throw new Error('ffmpeg failed: is it installed, and with rubberband?');
  return readSound(outputPath);
}

const paths = [join(root, 'usr/share/sonic-pi/samples/ambi_choir.flac')];
paths.push(...['Front_Center', 'Rear_Left', 'Side_Right'].map((name) => `/usr/share/sounds/alsa/${name}.wav`));
const vibrato = { semitones: 0.5, hz: 5.5 };
for (const [name, f0Hz, tract] of [
  ['a', 110, 1],
  ['e', 220, womansTract],
  ['u', 330, womansTract],
] as const) {
  const formants = (mansVowels[name] ?? []).map((hz) => hz * tract);
  paths.push(await writeSound(folder, `sung ${name} at ${f0Hz} Hz`, syntheticVowel(formants, f0Hz, 3, vibrato)));
}

const ratios: number[] = [];
const gains: number[] = [];
const isNumber = (value: number) => !Number.isNaN(value);
for (const path of paths.filter((one) => existsSync(one))) {
  const original = await readSound(path);
  const [ours, theirs, ourNoise, theirNoise] = [[], [], [], []] as [number[], number[], number[], number[]];
  for (const semitones of intervals) {
    const [one, two] = [await stretched(original, semitones), await rubberband(path, semitones)];
    ours.push(roughnessOf(one));
    theirs.push(roughnessOf(two));
    ourNoise.push(noiseOf(one));
    theirNoise.push(noiseOf(two));
  }
  ratios.push(...ours.map((value, at) => value / (theirs[at] ?? NaN)));
  gains.push(...ourNoise.map((value) => value - noiseOf(original)).filter(isNumber));
  console.log(
    `${basename(path)}: roughness ${median(ours).toFixed(3)}, rubberband ${median(theirs).toFixed(3)}, original ` +
      `${roughnessOf(original).toFixed(3)}; noise ${median(ourNoise).toFixed(1)} dB, rubberband ${median(theirNoise).toFixed(1)}, ` +
      `original ${noiseOf(original).toFixed(1)}`,
  );
}
const count = (values: readonly number[], most: number) =>
  `${values.filter((value) => value <= most).length} of ${values.length}`;
console.log(
  `roughness ${median(ratios).toFixed(2)} x rubberband's (goal <= 1), worst ${Math.max(...ratios).toFixed(2)}, ${count(ratios, 1)} within it; ` +
    `noise between harmonics ${median(gains).toFixed(1)} dB above the original's (goal <= 0), worst ${Math.max(...gains).toFixed(1)}, ` +
    `${count(gains, 0)} within it`,
);
await rm(folder, { recursive: true });
