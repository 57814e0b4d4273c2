// P13: 60 s of speech, mono, 44.1 kHz, mp3 to mp3, through the engine's pipeline beside ffmpeg's rubberband filter, in turn.
//   npm run bench engine-speed [runs]
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/root.mts';
import { catalogue } from '../src/engine/catalogue.ts';
import { createVoiceChanger } from '../src/engine/voice-changer.ts';
import { median } from './median.mts';

const runs = Number(process.argv[2] ?? 7);
const goal = 3;
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const input = join(folder, 'speech.mp3');

function ffmpeg(args: readonly string[]): void {
  const { status, error } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error('ffmpeg failed: is it installed, and with rubberband?');
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

const [voice] = catalogue;
if (!voice) throw new Error('the engine has no voice');
// The bundle, as the app runs it.
const workerUrl = pathToFileURL(join(root, 'out/main/voice-worker.js'));
const voiceChanger = createVoiceChanger({ workerUrl, workers: 1 });
const convert = () =>
  voiceChanger.convert({
    inputPath: input,
    outputPath: join(folder, 'ours.mp3'),
    format: 'mp3',
    voice,
    change: { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false },
    quality: 'fine',
  });
const rubberband = () => {
  const filter = 'rubberband=pitch=0.75:formant=preserved';
  ffmpeg(['-i', input, '-af', filter, '-b:a', '128k', join(folder, 'theirs.mp3')]);
  return Promise.resolve();
};

// Our own recording, over and over, until it is long enough.
ffmpeg([
  '-stream_loop',
  '-1',
  '-i',
  join(root, 'samples/harbour.wav'),
  '-t',
  '60',
  '-ar',
  '44100',
  '-b:a',
  '128k',
  input,
]);
const ours: number[] = [];
const theirs: number[] = [];
// The first of each loads code and warms the disk's cache; it is not counted.
for (let run = -1; run < runs; run += 1) {
  const [a, b] = [await time(convert), await time(rubberband)];
  if (run < 0) continue;
  ours.push(a);
  theirs.push(b);
}
await voiceChanger.stop();
await rm(folder, { recursive: true });
console.log(
  `P13 engine: ${median(ours).toFixed(2)} s, ffmpeg rubberband ${median(theirs).toFixed(2)} s, ` +
    `${(median(theirs) / median(ours)).toFixed(2)} times as fast (goal ${goal}), median of ${runs}`,
);
