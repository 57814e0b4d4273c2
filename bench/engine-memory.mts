// What a long recording costs in memory: an hour of speech, mp3 to mp3, in a process of its own, beside a minute of it and beside
// ffmpeg's rubberband filter over the same hour. Peaks of resident memory, all threads counted.
//   npm run bench engine-memory
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';

const goalMb = 500;
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));

function makeSpeech(name: string, seconds: number): string {
  const path = join(folder, name);
  const harbour = join(root, 'samples/harbour.wav');
  const sound = ['-ar', '44100', '-b:a', '128k', path];
  const { status, error } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-y', '-stream_loop', '-1', '-i', harbour, '-t', String(seconds), ...sound],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) throw error ?? new Error('ffmpeg failed: is it installed?');
  return path;
}

/** VmHWM, the most that the process ever had, read until it is gone. */
async function peakMb(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  let peak = 0;
  const look = async () => {
    const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1000);
  };
  const timer = setInterval(() => void look(), 100);
  const [code] = (await exited) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
  return peak;
}

// The process of the engine loads more than its voice changer, but only this grows with a recording.
const convert = (input: string) =>
  peakMb(process.execPath, [join(import.meta.dirname, 'memory/convert-once.mts'), input, join(folder, 'ours.mp3')]);

const [minute, hour] = [makeSpeech('minute.mp3', 60), makeSpeech('hour.mp3', 3600)];
const minuteMb = await convert(minute);
const started = performance.now();
const hourMb = await convert(hour);
const seconds = (performance.now() - started) / 1000;
const filter = 'rubberband=pitch=0.75:formant=preserved';
const theirs = await peakMb('ffmpeg', [
  '-v',
  'error',
  '-y',
  '-i',
  hour,
  '-af',
  filter,
  '-b:a',
  '128k',
  join(folder, 'o.mp3'),
]);
await rm(folder, { recursive: true });
console.log(
  `an hour of mp3: peak ${Math.round(hourMb)} MB (goal <= ${goalMb}), a minute ${Math.round(minuteMb)} MB, ` +
    `ratio ${(hourMb / minuteMb).toFixed(2)}, in ${Math.round(seconds)} s; ffmpeg rubberband ${Math.round(theirs)} MB`,
);
