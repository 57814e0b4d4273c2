// Which engine speaks a language better: Flite against eSpeak NG, each in voices of the catalogue, as the app gives them.
//   npm run bench speech-engines [-- FOLDER]
// FOLDER is where Debian's pocketsphinx, pocketsphinx-en-us and pocketsphinx-testdata are unpacked; `/` if they are installed. Without the
// first two, no word error rate; without the last, no comparison with people.
import { existsSync, readFileSync } from 'node:fs';
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

/** Recordings of one reader, and what is read. */
const readings = join(root, 'usr/share/pocketsphinx/test/data/librivox');
const people = existsSync(readings)
  ? readFileSync(join(readings, 'transcription'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => /<s>(?<text>.*)<\/s> \((?<name>.*)\)/.exec(line)?.groups ?? {})
      .map(({ text = '', name = '' }) => ({ text, path: join(readings, `${name}.wav`) }))
  : [];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const createResult = () => ({
  wrong: 0,
  words: 0,
  whole: [] as number[],
  spread: [] as number[],
  ranges: [] as number[],
});
const results = new Map([...Object.keys(engines), 'a person'].map((name) => [name, createResult()]));
const rates = new Map<string, { seconds: number; took: number }>();

async function recogniseAll(name: string, said: readonly string[], sounds: readonly Sound[]) {
  const result = results.get(name);
  if (!recogniser || !result) return;
  for (const [at, sound] of sounds.entries()) await writeSound(folder, `sentence-${at}`, sound);
  const understood = recogniser.recognise(
    folder,
    said.map((_, at) => `sentence-${at}`),
  );
  said.forEach((sentence, at) => {
    const { errors, words } = wordErrors(sentence, understood.get(`sentence-${at}`) ?? '');
    result.wrong += errors;
    result.words += words;
  });
}

for (const voice of voices) {
  const human: Sound[] = [];
  for (const { path } of people) human.push(await inVoice(path, voice));
  const humanFigures = human.length > 0 ? figuresOf(human) : null;
  if (humanFigures) results.get('a person')?.ranges.push(humanFigures.range);
  await recogniseAll(
    'a person',
    people.map(({ text }) => text),
    human,
  );
  for (const [name, createSpeaker] of Object.entries(engines)) {
    const speaker = await createSpeaker({ gender: voice.gender, speed: 1 });
    const rateOf = rates.get(name) ?? { seconds: 0, took: 0 };
    rates.set(name, rateOf);
    const sounds: Sound[] = [];
    for (const sentence of sentences) {
      const startedAt = process.cpuUsage();
      const samples = Float32Array.from((speaker.speak(sentence) ?? []).flatMap((block) => Array.from(block)));
      rateOf.took += process.cpuUsage(startedAt).user / 1e6;
      rateOf.seconds += samples.length / speaker.sampleRate;
      sounds.push(await inVoice(await writeSound(folder, 'raw', { samples, sampleRate: speaker.sampleRate }), voice));
    }
    const figures = figuresOf(sounds);
    const result = results.get(name);
    result?.ranges.push(figures.range);
    if (humanFigures) {
      const { whole, spread } = frechetDistance(humanFigures.cepstra, figures.cepstra);
      result?.whole.push(whole);
      result?.spread.push(spread);
    }
    await recogniseAll(name, sentences, sounds);
  }
}

const baseline = results.get('eSpeak NG') ?? createResult();
const withRatio = (value: number, base: number) => `${value.toFixed(2)} (${(value / base).toFixed(2)} x)`;
say(
  `en-US, ${sentences.length} sentences in ${voices.length} voices (${voices.map(({ id }) => id).join(', ')}); ` +
    'in brackets the ratio to eSpeak NG',
);
for (const [name, { wrong, words, whole, spread, ranges }] of results) {
  if (ranges.length === 0) continue;
  const parts = [`middle half of F0 ${withRatio(mean(ranges), mean(baseline.ranges))} semitones`];
  if (words > 0) {
    parts.push(
      `word error rate ${withRatio((100 * wrong) / words, (100 * baseline.wrong) / baseline.words)} % of ${words}`,
    );
  }
  if (whole.length > 0) {
    parts.push(
      `distance of its mel cepstra from a person's ${withRatio(mean(whole), mean(baseline.whole))}, ` +
        `of their spread alone ${withRatio(mean(spread), mean(baseline.spread))}`,
    );
  }
  const rateOf = rates.get(name);
  if (rateOf) parts.push(`${(rateOf.seconds / rateOf.took).toFixed(0)} x real time`);
  say(`${name}: ${parts.join(', ')}`);
}
if (!recogniser) say('no word error rate: pocketsphinx is not there');
if (people.length === 0) say('no comparison with a person: pocketsphinx-testdata is not there');
await rm(folder, { recursive: true });
