// How clean a changed pitch is: roughness and the noise between the harmonics, of sung notes and of words, beside ffmpeg's rubberband filter.
// Both grow with the length of a period, whoever sings; so a change is compared with the ideal: the same vowel made at that pitch, or, for
// recordings, the original.
//   npm run bench sung-notes [-- FOLDER]
// FOLDER is where Debian's sonic-pi-samples, which has a choir, is unpacked; `/` if it is installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { measureF0 } from '../src/sound/median-f0.ts';
import { createStretcher } from '../src/sound/stretch-sound.ts';
import { noiseOf, roughnessOf } from './accuracy/roughness.mts';
import { readSound, writeSound, type Sound } from './accuracy/sound-file.mts';
import { mansVowels, syntheticVowel, womansTract } from './accuracy/synthetic-vowel.mts';
import { median } from './median.mts';

const root = process.argv[2] ?? '/';
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const intervals = [-5, -3, 3, 5];

async function stretched({ samples, sampleRate }: Sound, semitones: number): Promise<Sound> {
  const sourceF0 = measureF0(samples, sampleRate);
  const stretcher = await createStretcher({ channels: 1, sampleRate, semitones, sourceF0, quality: 'finest' });
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

interface Recording {
  readonly path: string;
  readonly isSung: boolean;
  /** What a perfect change by so many semitones gives. */
  readonly ideal: (semitones: number) => Sound;
}

async function recorded(path: string, isSung: boolean): Promise<Recording> {
  const original = await readSound(path);
  return { path, isSung, ideal: () => original };
}

const recordings: Recording[] = [];
const choir = join(root, 'usr/share/sonic-pi/samples/ambi_choir.flac');
if (existsSync(choir)) recordings.push(await recorded(choir, true));
const vibrato = { semitones: 0.5, hz: 5.5 };
for (const [name, f0Hz, tract] of [
  ['a', 110, 1],
  ['e', 220, womansTract],
  ['u', 330, womansTract],
] as const) {
  const formants = (mansVowels[name] ?? []).map((hz) => hz * tract);
  const ideal = (semitones: number) => syntheticVowel(formants, f0Hz * 2 ** (semitones / 12), 3, vibrato);
  const path = await writeSound(folder, `sung ${name} at ${f0Hz} Hz`, ideal(0));
  recordings.push({ path, isSung: true, ideal });
}
for (const name of ['Front_Center', 'Rear_Left', 'Side_Right']) {
  const path = `/usr/share/sounds/alsa/${name}.wav`;
  if (existsSync(path)) recordings.push(await recorded(path, false));
}

interface Change {
  readonly isSung: boolean;
  readonly roughness: { readonly ours: number; readonly theirs: number; readonly ideal: number };
  readonly noise: { readonly ours: number; readonly theirs: number; readonly ideal: number };
}
const changes: Change[] = [];
for (const { path, isSung, ideal } of recordings) {
  const original = await readSound(path);
  const ofThis: Change[] = [];
  for (const semitones of intervals) {
    const sounds = {
      ours: await stretched(original, semitones),
      theirs: await rubberband(path, semitones),
      ideal: ideal(semitones),
    };
    const each = (measure: (sound: Sound) => number) => ({
      ours: measure(sounds.ours),
      theirs: measure(sounds.theirs),
      ideal: measure(sounds.ideal),
    });
    ofThis.push({ isSung, roughness: each(roughnessOf), noise: each(noiseOf) });
  }
  changes.push(...ofThis);
  const show = (of: 'roughness' | 'noise', who: keyof Change['noise'], digits: number) =>
    median(ofThis.map((change) => change[of][who])).toFixed(digits);
  console.log(
    `${basename(path)}: roughness ${show('roughness', 'ours', 3)}, rubberband ${show('roughness', 'theirs', 3)}, ` +
      `ideal ${show('roughness', 'ideal', 3)}; noise ${show('noise', 'ours', 1)} dB, rubberband ${show('noise', 'theirs', 1)}, ` +
      `ideal ${show('noise', 'ideal', 1)}`,
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
for (const [name, of] of [
  ['sung notes', changes.filter(({ isSung }) => isSung)],
  ['words', changes.filter(({ isSung }) => !isSung)],
] as const) {
  const added = of.map(({ roughness: { ours, theirs, ideal } }) => ({
    ours: Math.max(0, ours - ideal),
    theirs: Math.max(0, theirs - ideal),
  }));
  const gains = of.map(({ noise }) => noise.ours - noise.ideal);
  const theirGains = of.map(({ noise }) => noise.theirs - noise.ideal);
  console.log(
    `${name}: added roughness ${(sum(added.map(({ ours }) => ours)) / sum(added.map(({ theirs }) => theirs))).toFixed(2)} x ` +
      `rubberband's (goal <= 1), ${added.filter(({ ours, theirs }) => ours <= theirs).length} of ${of.length} not above it; ` +
      `noise between harmonics ${median(gains).toFixed(1)} dB above the ideal (goal <= 0), rubberband ${median(theirGains).toFixed(1)}, ` +
      `${gains.filter((gain) => gain <= 0).length} of ${of.length} not above it`,
  );
}
await rm(folder, { recursive: true });
