// Which engine speaks a language better: Flite against eSpeak NG, each in voices of the catalogue, as the app gives them.
//   npm run bench speech-engines [-- FOLDER]
// FOLDER is where Debian's pocketsphinx, pocketsphinx-en-us and pocketsphinx-testdata are unpacked; `/` if they are installed. Without the
// first two, no word error rate; without the last, no comparison with people.
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../src/engine/catalogue.ts';
import { convertFile } from '../src/engine/convert-file.ts';
import { espeakSpeaker } from '../src/engine/speech/espeak.ts';
import { fliteSpeaker } from '../src/engine/speech/flite.ts';
import type { Speaker, SpeakerOptions } from '../src/engine/speech/speaker.ts';
import type { EngineVoice } from '../src/engine/voice.ts';
import { createResampler } from '../src/sound/resample-sound.ts';
import { readSound, writeSound, type Sound } from './accuracy/sound-file.mts';
import { trackF0 } from './accuracy/track-f0.mts';
import { findRecogniser, wordErrors } from './speech/recognise.mts';
import { sentences } from './speech/sentences.mts';
import { cepstraOf, frechetDistance } from './speech/timbre-distance.mts';

const root = process.argv[2] ?? '/';
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const rate = 16_000;
const recogniser = findRecogniser(root);
const say = (text: string) => console.log(text);

const engines: Readonly<Record<string, (options: SpeakerOptions) => Promise<Speaker>>> = {
  'eSpeak NG': (options) => espeakSpeaker('en-US', options),
  Flite: fliteSpeaker,
};
const voices = catalogue.filter(({ language, effects }) => language === 'en-US' && effects.length === 0);

const resampled = ({ samples, sampleRate }: Sound): Sound => {
  const resampler = createResampler(1, sampleRate, rate);
  const parts = [resampler.push([samples]), resampler.end()].map(([part]) => Array.from(part ?? []));
  return { samples: Float32Array.from(parts.flat()), sampleRate: rate };
};

/** In the voice, as 16 kHz. */
async function inVoice(inputPath: string, voice: EngineVoice): Promise<Sound> {
  const outputPath = join(folder, 'converted.wav');
  const change = { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false };
  await convertFile({ inputPath, outputPath, format: 'wav', voice, change, quality: 'fine' });
  return resampled(await readSound(outputPath));
}

interface Figures {
  readonly cepstra: readonly Float64Array[];
  /** Semitones: the middle half of F0 over all that is voiced. */
  readonly range: number;
}

function figuresOf(sounds: readonly Sound[]): Figures {
  const semitones = sounds
    .flatMap((sound) => trackF0(sound, 0.8))
    .filter(({ hz }) => !Number.isNaN(hz))
    .map(({ hz }) => 12 * Math.log2(hz))
    .sort((a, b) => a - b);
  const at = (share: number) => semitones[Math.floor(share * semitones.length)] ?? NaN;
  return { cepstra: sounds.flatMap(cepstraOf), range: at(0.75) - at(0.25) };
}

const readings = join(root, 'usr/share/pocketsphinx/test/data/librivox');
const people = existsSync(readings)
  ? readdirSync(readings)
      .filter((name) => name.endsWith('.wav'))
      .map((name) => join(readings, name))
  : [];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const results = new Map<
  string,
  { wrong: number; words: number; distances: number[]; ranges: number[]; seconds: number; took: number }
>();
for (const name of Object.keys(engines))
  results.set(name, { wrong: 0, words: 0, distances: [], ranges: [], seconds: 0, took: 0 });
const humanRanges: number[] = [];

for (const voice of voices) {
  const human: Sound[] = [];
  for (const path of people) human.push(await inVoice(path, voice));
  const humanFigures = human.length > 0 ? figuresOf(human) : null;
  if (humanFigures) humanRanges.push(humanFigures.range);
  for (const [name, createSpeaker] of Object.entries(engines)) {
    const result = results.get(name);
    if (!result) continue;
    const speaker = await createSpeaker({ gender: voice.gender, speed: 1 });
    const sounds: Sound[] = [];
    for (const [at, sentence] of sentences.entries()) {
      const startedAt = performance.now();
      const samples = Float32Array.from((speaker.speak(sentence) ?? []).flatMap((block) => Array.from(block)));
      result.took += (performance.now() - startedAt) / 1000;
      result.seconds += samples.length / speaker.sampleRate;
      const sound = await inVoice(await writeSound(folder, 'raw', { samples, sampleRate: speaker.sampleRate }), voice);
      await writeSound(folder, `sentence-${at}`, sound);
      sounds.push(sound);
    }
    const figures = figuresOf(sounds);
    result.ranges.push(figures.range);
    if (humanFigures) result.distances.push(frechetDistance(humanFigures.cepstra, figures.cepstra));
    const names = sentences.map((_, at) => `sentence-${at}`);
    const understood = recogniser?.recognise(folder, names);
    sentences.forEach((sentence, at) => {
      const { errors, words } = wordErrors(sentence, understood?.get(`sentence-${at}`) ?? '');
      result.wrong += errors;
      result.words += words;
    });
  }
}

const baseline = results.get('eSpeak NG');
const ratioTo = (value: number, base: number | undefined) =>
  `${value.toFixed(2)} (${(value / (base ?? NaN)).toFixed(2)} x)`;
say(
  `en-US, ${sentences.length} sentences in ${voices.length} voices (${voices.map(({ id }) => id).join(', ')}); in brackets the ratio to eSpeak NG`,
);
for (const [name, { wrong, words, distances, ranges, seconds, took }] of results) {
  const baseRate = (baseline?.wrong ?? NaN) / (baseline?.words ?? NaN);
  say(
    `${name}: ` +
      (recogniser ? `word error rate ${ratioTo((100 * wrong) / words, 100 * baseRate)} % of ${words}, ` : '') +
      (people.length > 0
        ? `distance of its mel cepstra from a person's ${ratioTo(mean(distances), baseline && mean(baseline.distances))}, `
        : '') +
      `middle half of F0 ${mean(ranges).toFixed(2)} semitones, ${(seconds / took).toFixed(0)} x real time`,
  );
}
if (people.length > 0)
  say(
    `a person (${people.length} recordings of one reader): middle half of F0 ${mean(humanRanges).toFixed(2)} semitones`,
  );
if (!recogniser) say('no word error rate: pocketsphinx is not installed');
await rm(folder, { recursive: true });
