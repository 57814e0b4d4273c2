// Fails when a format that Timbre says it takes is refused, has another length, or is not converted.
import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createFfmpeg } from '../../../src/main/core/find-ffmpeg.ts';
import { decodeSound } from '../../../src/sound/decode-sound.ts';
import { inspectSound } from '../../../src/sound/inspect-sound.ts';
import { frameCount } from '../../../src/sound/pcm-block.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { ffmpeg, ffmpegSeconds, mapSome, realRecordings, someOf } from '../support/sounds/real-recordings.ts';

const leastFormats = 12;
const picture = ['-f', 'lavfi', '-i', 'testsrc=d=30:r=5:s=64x64', '-map', '0:a:0', '-map', '1:v:0', '-shortest'];
/** MP3 and AAC know no more than 48 kHz. */
const usual = ['-ar', '48000', '-ac', '2'];

/** Ways to write a recording, by the name of the file; `true` if only ffmpeg decodes it. */
const ways: readonly (readonly [name: string, needsFfmpeg: boolean, ...coding: readonly string[]])[] = [
  ['16 bit.aiff', false, ...usual, '-c:a', 'pcm_s16be'],
  ['24 bit.aif', false, ...usual, '-c:a', 'pcm_s24be'],
  ['float.aifc', false, ...usual, '-c:a', 'pcm_f32be', '-f', 'aiff'],
  ['law.aifc', false, ...usual, '-c:a', 'pcm_mulaw', '-f', 'aiff'],
  ['16 bit.caf', false, ...usual, '-c:a', 'pcm_s16le'],
  ['float.caf', false, ...usual, '-c:a', 'pcm_f32be'],
  ['ima.caf', false, ...usual, '-c:a', 'adpcm_ima_qt'],
  ['lossless.caf', true, ...usual, '-c:a', 'alac'],
  ['opus.caf', true, ...usual, '-c:a', 'libopus'],
  ['voice memo.m4a', false, ...usual, '-c:a', 'aac'],
  ['voice memo, lossless.m4a', false, ...usual, '-c:a', 'alac'],
  ['phone.3gp', false, ...usual, '-c:a', 'aac'],
  ['film.mp4', false, ...picture, ...usual, '-c:v', 'mpeg4', '-c:a', 'aac'],
  ['film.mov', false, ...picture, ...usual, '-c:v', 'mpeg4', '-c:a', 'aac'],
  ['camera.mov', false, ...picture, ...usual, '-c:v', 'mpeg4', '-c:a', 'pcm_s16be'],
  ['film.mkv', false, ...picture, ...usual, '-c:v', 'mpeg4', '-c:a', 'aac'],
  ['vorbis.mka', false, ...usual, '-c:a', 'libvorbis'],
  ['opus.mka', false, ...usual, '-c:a', 'libopus'],
  ['flac.mka', false, ...usual, '-c:a', 'flac'],
  ['1.wma', false, ...usual, '-c:a', 'wmav1'],
  ['2.wma', false, ...usual, '-c:a', 'wmav2'],
  ['wide.spx', true, '-ar', '16000', '-ac', '1', '-c:a', 'libspeex'],
];

const isSame = (seconds: number, other: number) => Math.abs(seconds - other) <= 0.06 + 0.02 * other;

async function decodedSeconds(path: string, program: string | null): Promise<number> {
  let seconds = 0;
  for await (const { channels, sampleRate } of decodeSound(path, { ffmpeg: program }))
    seconds += frameCount(channels) / sampleRate;
  return seconds;
}

export const scenario: Scenario = {
  id: 'R6',
  title: 'recordings of phones, cameras and other programs are taken in all their formats, with their length',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const real = await realRecordings(context, 520);
    if ('skipped' in real) return real.skipped;
    const { env, platform } = process;
    const program = await createFfmpeg({ selected: () => null, platform, env, now: () => performance.now() }).find();
    must(program !== null, 'ffmpeg is not found on the PATH');
    const folder = join(context.folder, 'more');
    await mkdir(folder);
    const sources = someOf(
      real.files.filter(({ seconds }) => seconds > 0.5 && seconds < 20),
      context.size(2, 30),
    );
    const wrong: string[] = [];
    const endings = new Set<string>();
    const jobs = sources.flatMap((source, at) => ways.map((way) => ({ source, at, way })));
    await mapSome(jobs, async ({ source, at, way: [name, needsFfmpeg, ...coding] }) => {
      const path = join(folder, `${at} ${name}`);
      const inputs = coding[0] === '-f' ? coding.slice(0, 4) : [];
      await ffmpeg('-i', source.path, ...inputs, ...coding.slice(inputs.length), path);
      const say = (text: string) => wrong.push(`${basename(path)} of ${source.name}: ${text}`);
      const expected = await ffmpegSeconds(path);
      // ffmpeg says something about its own file.
      if (expected === null) return;
      const found = await inspectSound(path);
      if (found.kind === 'problem') return void say(found.code);
      if ((found.unsupportedCodec !== undefined) !== needsFfmpeg) say(`coding ${found.unsupportedCodec ?? 'known'}`);
      const { durationSeconds } = found;
      if (durationSeconds !== undefined && !isSame(durationSeconds, expected))
        say(`${durationSeconds} for ${expected}`);
      const decoded = await decodedSeconds(path, program);
      if (!isSame(decoded, expected)) say(`decoded ${decoded} for ${expected}`);
      if (needsFfmpeg) {
        const code = await decodedSeconds(path, null).catch((error: unknown) => (error as { code?: string }).code);
        if (code !== 'input/needs-ffmpeg') say(`without ffmpeg: ${code}`);
      }
      endings.add(extname(name));
    });
    must(wrong.length === 0, `${wrong.length} of ${jobs.length} are wrong: ${wrong.slice(0, 20).join(', ')}`);
    must(endings.size + 1 >= leastFormats, `only ${[...endings].join(' ')}`);
    return { files: jobs.length, endings: [...endings].sort().join(' '), wrong: wrong.length };
  },
};
