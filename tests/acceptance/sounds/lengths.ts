// Fails when the duration from inspection differs from that of the decoded audio.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { inspectSound } from '../../../src/sound/inspect-sound.ts';
import { must, type Scenario } from '../support/scenario.ts';
import {
  ffmpeg,
  ffmpegSeconds,
  isSameLength,
  mapSome,
  realRecordings,
  someOf,
  type Recording,
} from '../support/sounds/real-recordings.ts';

const leastRight = 0.995;
const tag = Buffer.from('ID3\x04\0\0\0\0\x07\x68', 'latin1');
const tagged = (bytes: Buffer) =>
  Buffer.concat([tag, Buffer.alloc(1000), tag, Buffer.alloc(1000), Buffer.alloc(600, 0x55), bytes]);

/** Where the numbers of frames and of bytes stand in a file that LAME's way is written in. */
function changedXing(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  const at = Math.max(bytes.indexOf('Xing'), bytes.indexOf('Info'));
  const changed = Buffer.from(bytes);
  if (at >= 0) change(changed.subarray(at + 8));
  return changed;
}

type Make = (from: string, to: string) => Promise<unknown>;
const viaMp3 =
  (change: (bytes: Buffer) => Buffer): Make =>
  async (from, to) => {
    await ffmpeg('-i', from, '-ar', '44100', `${to}.whole.mp3`);
    await writeFile(to, change(await readFile(`${to}.whole.mp3`)));
  };

/** Files with the oddities that real ones have, by name and ending. */
const oddities: readonly (readonly [string, Make])[] = [
  [
    'ten times the frames.mp3',
    viaMp3((bytes) => changedXing(bytes, (xing) => xing.writeUInt32BE(xing.readUInt32BE(0) * 10, 0))),
  ],
  ['too many bytes.mp3', viaMp3((bytes) => changedXing(bytes, (xing) => xing.writeUInt32BE(bytes.length + 3000, 4)))],
  ['tags and junk.mp3', viaMp3(tagged)],
  [
    'without a header.mp3',
    (from, to) => ffmpeg('-i', from, '-ar', '44100', '-write_xing', '0', '-id3v2_version', '0', to),
  ],
  ['variable.mp3', (from, to) => ffmpeg('-i', from, '-ar', '44100', '-q:a', '6', to)],
  [
    'late.ogg',
    async (from, to) => {
      await ffmpeg('-i', from, '-c:a', 'libvorbis', `${to}.whole.ogg`);
      await ffmpeg('-copyts', '-i', `${to}.whole.ogg`, '-c', 'copy', '-output_ts_offset', '10', to);
    },
  ],
  [
    'late.opus',
    async (from, to) => {
      await ffmpeg('-i', from, '-c:a', 'libopus', `${to}.whole.opus`);
      await ffmpeg('-copyts', '-i', `${to}.whole.opus`, '-c', 'copy', '-output_ts_offset', '10', to);
    },
  ],
  [
    'chained.ogg',
    async (from, to) => {
      await ffmpeg('-i', from, '-c:a', 'libvorbis', `${to}.whole.ogg`);
      const bytes = await readFile(`${to}.whole.ogg`);
      await writeFile(to, Buffer.concat([bytes, bytes]));
    },
  ],
  [
    'video longer.mp4',
    (from, to) =>
      ffmpeg(
        '-f',
        'lavfi',
        '-i',
        'testsrc=d=20:r=5:s=64x64',
        '-i',
        from,
        '-c:v',
        'mpeg4',
        '-c:a',
        'aac',
        '-ar',
        '44100',
        to,
      ),
  ],
  [
    'video shorter.mp4',
    (from, to) =>
      ffmpeg(
        '-f',
        'lavfi',
        '-i',
        'testsrc=d=0.4:r=5:s=64x64',
        '-i',
        from,
        '-c:v',
        'mpeg4',
        '-c:a',
        'aac',
        '-ar',
        '44100',
        to,
      ),
  ],
  ['edit list.m4a', (from, to) => ffmpeg('-i', from, '-c:a', 'aac', '-ar', '44100', to)],
  ['index first.m4a', (from, to) => ffmpeg('-i', from, '-c:a', 'alac', '-movflags', '+faststart', to)],
  [
    'fragments.mp4',
    (from, to) => ffmpeg('-i', from, '-c:a', 'aac', '-ar', '44100', '-movflags', '+frag_keyframe+empty_moov', to),
  ],
  [
    'length open.flac',
    async (from, to) => {
      await ffmpeg('-i', from, '-sample_fmt', 's16', `${to}.whole.flac`);
      const bytes = await readFile(`${to}.whole.flac`);
      bytes[21] = (bytes[21] ?? 0) & 0xf0;
      bytes.fill(0, 22, 26);
      await writeFile(to, bytes);
    },
  ],
  [
    'length open.wav',
    async (from, to) => {
      await ffmpeg('-i', from, '-bitexact', '-map_metadata', '-1', `${to}.whole.wav`);
      const bytes = await readFile(`${to}.whole.wav`);
      bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
      bytes.writeUInt32LE(0xff_ff_ff_ff, bytes.indexOf('data') + 4);
      await writeFile(to, bytes);
    },
  ],
  ['stream.aac', (from, to) => ffmpeg('-i', from, '-ar', '44100', to)],
];

export const scenario: Scenario = {
  id: 'R2',
  title: 'the inspected length of real and unusual recordings is that of the decoded audio',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const real = await realRecordings(context, 520);
    if ('skipped' in real) return real.skipped;
    const folder = join(context.folder, 'odd');
    await mkdir(folder);
    const sources = someOf(
      real.files.filter(({ seconds }) => seconds > 0.5 && seconds < 10),
      oddities.length * context.size(1, 6),
    );
    context.note('making odd ones');
    const odd = await mapSome([...sources.entries()], async ([at, { path }]): Promise<Recording | string> => {
      const [name, make] = oddities[at % oddities.length] ?? ['', () => Promise.resolve()];
      const to = join(folder, `${at} ${name}`);
      await make(path, to);
      const seconds = await ffmpegSeconds(to);
      return seconds === null ? name : { name, path: to, package: 'odd', seconds };
    });
    const files = [...real.files, ...odd.filter((one) => typeof one !== 'string')];
    const wrong: string[] = [];
    let untold = 0;
    for (const { name, path, seconds } of files) {
      const found = await inspectSound(path);
      if (found.kind === 'problem') wrong.push(`${name}: ${found.code}`);
      else if (found.durationSeconds === undefined) untold += 1;
      else if (!isSameLength(found.durationSeconds, seconds))
        wrong.push(`${name}: ${found.durationSeconds} for ${seconds}`);
    }
    must(
      wrong.length <= (1 - leastRight) * files.length,
      `${wrong.length} of ${files.length} are wrong: ${wrong.join(', ')}`,
    );
    const wrongOdd = wrong.filter((line) => extname(line.split(':')[0] ?? '') !== '' && !line.includes('/'));
    must(wrongOdd.length === 0, `odd ones are wrong: ${wrongOdd.join(', ')}`);
    return {
      files: files.length,
      odd: files.length - real.files.length,
      wrong: wrong.join(', ') || 'none',
      'not told': untold,
    };
  },
};
