// How true the engine is: F0, length, `auto_f0_adjust` and formants of what it gives, each beside its goal, and where ffmpeg's
// rubberband filter can do the same, beside that. It measures with estimators of its own, not with the engine's.
//   npm run bench engine-accuracy
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';
import { catalogue, findVoice } from '../src/engine/catalogue.ts';
import { convertFile } from '../src/engine/convert-file.ts';
import { planVoice, type VoiceChange } from '../src/engine/plan-voice.ts';
import type { EngineVoice } from '../src/engine/voice.ts';
import { envelopeShift, formantOffset, resonancesOf } from './accuracy/measure-formants.mts';
import { readSound, writeSound } from './accuracy/sound-file.mts';
import { mansVowels, syntheticVowel, womansTract } from './accuracy/synthetic-vowel.mts';
import { heardF0, pitchErrorCents, trackF0 } from './accuracy/track-f0.mts';
import { median } from './median.mts';

const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const plain = findVoice('open-field');
if (!plain) throw new Error('open-field');
const unchanged: VoiceChange = { pitch: 1, speed: 1, autoF0: false, formantsFollowPitch: false };
// Eight human utterances of 1.4 s from Debian's alsa-utils; our samples are synthetic.
const alsa = '/usr/share/sounds/alsa';
const utterances = ['Front', 'Rear', 'Side']
  .flatMap((row) => ['Left', 'Center', 'Right'].map((place) => `${alsa}/${row}_${place}.wav`))
  .filter((path) => existsSync(path));
const recordings = ['harbour.wav', 'lantern.mp3'].map((name) => join(root, 'samples', name));
if (utterances.length > 0) recordings.push(await joined(utterances));
const semitones = [-5, -3, -1, 1, 3, 5];
const ratioOf = (interval: number) => 2 ** (interval / 12);
const worst = (values: readonly number[]) => Math.max(...values);
const say = (text: string) => console.log(text);

async function joined(paths: readonly string[]): Promise<string> {
  const sounds = await Promise.all(paths.map(readSound));
  const samples = Float32Array.from(sounds.flatMap((sound) => Array.from(sound.samples)));
  return writeSound(folder, 'a person', { samples, sampleRate: sounds[0]?.sampleRate ?? NaN });
}

async function convert(inputPath: string, change: Partial<VoiceChange>, voice: EngineVoice = plain as EngineVoice) {
  const outputPath = join(folder, 'out.wav');
  const request = { inputPath, outputPath, format: 'wav', voice, change: { ...unchanged, ...change } } as const;
  const result = await convertFile({ ...request, quality: 'fine' });
  return { ...result, sound: await readSound(outputPath) };
}

/** The voice that has the tract which the engine presumes in a source of this F0: given to it, only the pitch moves. */
function likeSource(sourceF0Hz: number | null): EngineVoice {
  const neutral = { ...(plain as EngineVoice), formantSemitones: 0, tiltDb: 0 };
  return { ...neutral, formantSemitones: -planVoice(neutral, unchanged, sourceF0Hz).formantSemitones };
}

async function rubberband(inputPath: string, pitch: number) {
  const outputPath = join(folder, 'theirs.wav');
  const filter = `rubberband=pitch=${pitch}:formant=preserved`;
  const { status } = spawnSync('ffmpeg', ['-v', 'error', '-y', '-i', inputPath, '-af', filter, outputPath]);
  if (status !== 0) throw new Error('ffmpeg failed: is it installed, and with rubberband?');
  return readSound(outputPath);
}

// --- F0 and length ---

const ours: number[] = [];
const theirs: number[] = [];
const lengths: number[] = [];
for (const path of recordings) {
  const before = trackF0(await readSound(path), 0.9);
  for (const interval of [-12, ...semitones, 12]) {
    const pitch = ratioOf(interval);
    ours.push(pitchErrorCents(before, trackF0((await convert(path, { pitch })).sound, 0.9), interval));
    theirs.push(pitchErrorCents(before, trackF0(await rubberband(path, pitch), 0.9), interval));
  }
  for (const speed of [0.5, 0.8, 1, 1.25, 1.7, 2]) {
    const { inputSeconds, sound } = await convert(path, { speed, pitch: 1.2 });
    lengths.push(Math.abs((sound.samples.length / sound.sampleRate / inputSeconds) * speed - 1));
  }
}
say(
  `F0 of a change: off by ${median(ours).toFixed(1)} cents, worst of ${ours.length} changes of ${recordings.length} recordings ` +
    `${worst(ours).toFixed(1)} (goal <= 10); rubberband ${median(theirs).toFixed(1)}, worst ${worst(theirs).toFixed(1)}`,
);
say(`length: off by at most ${(worst(lengths) * 100).toFixed(4)} % in ${lengths.length} conversions (goal <= 0.1 %)`);

// --- auto_f0_adjust ---

// Every tenth voice, and all that do more than pitch and formants; a whisper has no F0.
const voices = catalogue.filter(
  ({ effects }, at) => (at % 10 === 0 || effects.length > 0) && !effects.some(({ kind }) => kind === 'whisper'),
);
/** How far F0 is from the voice's, in percent, for each of `voices`. */
async function distances(path: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const voice of voices) {
    const { sound } = await convert(path, { autoF0: true }, voice);
    found.push(Math.abs(heardF0(sound) / voice.targetF0Hz - 1) * 100);
  }
  return found;
}
const near = (values: readonly number[]) => `${values.filter((percent) => percent <= 5).length} of ${values.length}`;
const ofSpeech: number[] = [];
for (const path of recordings) ofSpeech.push(...(await distances(path)));
const ofWords: number[] = [];
for (const path of utterances) ofWords.push(...(await distances(path)));
say(
  `auto_f0_adjust: ${median(ofSpeech).toFixed(1)} % from the F0 of ${voices.length} voices, ${near(ofSpeech)} within the goal of 5 %, ` +
    `worst ${worst(ofSpeech).toFixed(1)} %; of single words ${median(ofWords).toFixed(1)} %, ${near(ofWords)} within it, ` +
    `worst ${worst(ofWords).toFixed(1)} %`,
);

// --- formants ---

/**
 * A formant counts if the estimator finds it within this many semitones in the unchanged vowel, and if it is above the second
 * harmonic: below, the harmonics are too sparse to show the envelope.
 */
const readable = { semitones: 0.5, harmonics: 2 };
const offsets: number[] = [];
const rubberbandOffsets: number[] = [];
const nearF0: number[] = [];
const rubberbandNearF0: number[] = [];
for (const [f0Hz, tract] of [
  [100, 1],
  [140, 1],
  [200, womansTract],
] as const) {
  for (const [name, mans] of Object.entries(mansVowels)) {
    const formants = mans.map((hz) => hz * tract);
    const input = await writeSound(folder, name, syntheticVowel(formants, f0Hz, 2));
    const voice = likeSource((await convert(input, {})).sourceF0Hz);
    for (const interval of semitones) {
      const pitch = ratioOf(interval);
      // The same mouth, speaking higher or lower: what comes out should be like this.
      const ideal = resonancesOf(syntheticVowel(formants, f0Hz * pitch, 2));
      const found = resonancesOf((await convert(input, { pitch }, voice)).sound);
      const baseline = resonancesOf(await rubberband(input, pitch));
      for (const hz of formants.slice(0, 3)) {
        const bias = formantOffset(ideal, hz);
        const offset = Math.abs(formantOffset(found, hz) - bias);
        if (Math.abs(bias) > readable.semitones || hz < readable.harmonics * f0Hz * Math.max(1, pitch)) {
          nearF0.push(offset);
          rubberbandNearF0.push(Math.abs(formantOffset(baseline, hz) - bias));
          continue;
        }
        offsets.push(offset);
        rubberbandOffsets.push(Math.abs(formantOffset(baseline, hz) - bias));
      }
    }
  }
}
const within = (values: readonly number[]) => values.filter((value) => value <= 1).length;
say(
  `formants of synthetic vowels, pitch moved by up to 5 semitones: off by ${median(offsets).toFixed(2)} semitones, ` +
    `${within(offsets)} of ${offsets.length} within the goal of 1, worst ${worst(offsets).toFixed(1)}; rubberband ` +
    `${median(rubberbandOffsets).toFixed(2)}, ${within(rubberbandOffsets)} within 1 (${nearF0.length} more, next to F0, ` +
    `cannot be read well: off by ${median(nearF0).toFixed(2)}, ${within(nearF0)} within 1; rubberband ` +
    `${median(rubberbandNearF0).toFixed(2)}, ${within(rubberbandNearF0)} within 1)`,
);
const shifts: number[] = [];
const controls: number[] = [];
for (const path of recordings) {
  const before = await readSound(path);
  const voice = likeSource((await convert(path, {})).sourceF0Hz);
  for (const interval of semitones) {
    const pitch = ratioOf(interval);
    shifts.push(Math.abs(envelopeShift(before, (await convert(path, { pitch }, voice)).sound)));
    const moved = await convert(path, { pitch, formantsFollowPitch: true }, voice);
    controls.push(Math.abs(envelopeShift(before, moved.sound) - interval));
  }
}
say(
  `formants of ${recordings.length} recordings: off by ${median(shifts).toFixed(2)} semitones, ${within(shifts)} of ${shifts.length} ` +
    `within the goal of 1, worst ${worst(shifts).toFixed(1)}; control, moved with the pitch: ${median(controls).toFixed(2)} from it, ` +
    `worst ${worst(controls).toFixed(1)}`,
);
await rm(folder, { recursive: true });
