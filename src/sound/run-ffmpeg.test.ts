import { execFileSync } from 'node:child_process';
import { chmod, copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { inspectSound } from './inspect-sound.ts';
import { frameCount } from './pcm-block.ts';
import { hasFfmpeg, withFolder } from './sound.fixture.ts';

const program = hasFfmpeg ? execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim() : '';

/** Makes a file of four seconds in stereo that no decoder of ours reads, and whose name is the last argument. */
async function make(folder: string, name: string, ...coding: readonly string[]): Promise<string> {
  const sine = ['-f', 'lavfi', '-i', 'sine=f=220:d=4:r=16000', '-ac', '2'];
  const made = join(folder, `made.${coding.includes('libspeex') ? 'spx' : 'caf'}`);
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...sine, ...coding, made]);
  const path = join(folder, name);
  await rename(made, path);
  return path;
}

async function secondsOf(path: string, options: DecodeOptions): Promise<number> {
  let seconds = 0;
  for await (const { channels, sampleRate } of decodeSound(path, options)) seconds += frameCount(channels) / sampleRate;
  return seconds;
}

describe.skipIf(!hasFfmpeg)('a recording that only ffmpeg decodes (skipped if it is not installed)', () => {
  it.each([
    ['Speex', 'a.spx', ['-c:a', 'libspeex'], 'Speex'],
    ['ALAC in CAF', 'a.caf', ['-c:a', 'alac'], 'alac'],
    ['Opus in CAF', 'a.caf', ['-ar', '48000', '-c:a', 'libopus'], 'opus'],
  ])('is decoded to its end: %s', async (_, name, coding, unsupportedCodec) => {
    await withFolder(async (folder) => {
      const path = await make(folder, name, ...coding);
      const found = await inspectSound(path);
      expect(found).toMatchObject({ kind: 'sound', unsupportedCodec });
      const seconds = found.kind === 'sound' ? (found.durationSeconds ?? 0) : 0;
      expect(Math.abs(seconds - 4)).toBeLessThan(0.1);
      expect(Math.abs((await secondsOf(path, { ffmpeg: program })) - 4)).toBeLessThan(0.1);
    });
  });

  it('is refused with its format if there is no ffmpeg, or it cannot be started', async () => {
    await withFolder(async (folder) => {
      const path = await make(folder, 'a.caf', '-c:a', 'alac');
      const problem = { code: 'input/needs-ffmpeg', facts: { format: 'caf/alac' } };
      for (const ffmpeg of [null, join(folder, 'none')])
        await expect(secondsOf(path, { ffmpeg })).rejects.toMatchObject({ problem });
    });
  });

  it.each(['-i.caf', 'concat:a|b.caf', 'a%03d.caf', 'http:x.caf', 'näme "q" \'s\' $(x) `y`.caf', '@a,b;c.caf'])(
    'is read as the file %j, whatever its name looks like',
    async (name) => {
      await withFolder(async (folder) => {
        const path = await make(folder, name, '-c:a', 'alac');
        expect(await secondsOf(path, { ffmpeg: program })).toBeGreaterThan(3.9);
      });
    },
  );

  it('is not audio if ffmpeg says so, in its words', async () => {
    await withFolder(async (folder) => {
      const path = await make(folder, 'a.caf', '-c:a', 'alac');
      const bytes = await readFile(path);
      // Another coding in the description.
      bytes.write('qqqq', bytes.indexOf('alac'), 'latin1');
      await writeFile(path, bytes);
      await expect(secondsOf(path, { ffmpeg: program })).rejects.toMatchObject({ code: 'input/not-audio' });
    });
  });
});

describe('the process that decodes', () => {
  /** A program in the place of ffmpeg, and a recording for it. */
  async function stand(folder: string, lines: string) {
    const ffmpeg = join(folder, 'ffmpeg');
    await writeFile(ffmpeg, `#!/bin/sh\n${lines}\n`);
    await chmod(ffmpeg, 0o755);
    const path = join(folder, 'a.caf');
    const head = Buffer.alloc(8 + 12 + 32 + 16 + 1000);
    head.write('caff\0\u0001\0\0desc', 0, 'latin1');
    head.writeBigInt64BE(32n, 12);
    head.writeDoubleBE(16_000, 20);
    head.write('alac', 28, 'latin1');
    head.writeUInt32BE(1, 44);
    head.write('data', 52, 'latin1');
    head.writeBigInt64BE(-1n, 56);
    await writeFile(path, head);
    return { ffmpeg, path };
  }

  it('gets one forced demuxer, no protocol but files and pipes, and neither token nor log file', async () => {
    await withFolder(async (folder) => {
      vi.stubEnv('TIMBRE_TOKEN', 'secret');
      vi.stubEnv('FFREPORT', 'file=x.log');
      const { ffmpeg, path } = await stand(folder, `printf '%s\\n' "$@" > "$0.args"; env > "$0.env"; exit 1`);
      await expect(secondsOf(path, { ffmpeg })).rejects.toThrow();
      vi.unstubAllEnvs();
      const args = (await readFile(`${ffmpeg}.args`, 'utf8')).split('\n');
      const input = args.indexOf('-i');
      expect(args.slice(input - 4, input + 2)).toEqual(['-threads', '1', '-f', 'caf', '-i', `file:${path}`]);
      expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file,pipe');
      expect(args).toContain('-nostdin');
      expect(await readFile(`${ffmpeg}.env`, 'utf8')).not.toMatch(/secret|FFREPORT/);
    });
  });

  it.each(['the signal aborts', 'nobody reads on'])('is ended when %s', async (when) => {
    await withFolder(async (folder) => {
      // A WAV of endless silence.
      const head = Buffer.alloc(44 + 65_536);
      head.write('RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x03\0\x01\0', 'latin1');
      for (const [at, value] of [
        [24, 16_000],
        [28, 64_000],
        [40, 0xff_ff_ff_ff],
      ] as const)
        head.writeUInt32LE(value, at);
      head.writeUInt16LE(4, 32);
      head.writeUInt16LE(32, 34);
      head.write('data', 36);
      await writeFile(join(folder, 'head.wav'), head);
      const { ffmpeg, path } = await stand(
        folder,
        `echo $$ > "$0.pid"; cat "$(dirname "$0")/head.wav"; exec cat /dev/zero`,
      );
      const stop = new AbortController();
      let blocks = 0;
      const read = async () => {
        for await (const { channels } of decodeSound(path, { ffmpeg, signal: stop.signal })) {
          expect(channels).toHaveLength(1);
          blocks += 1;
          if (blocks < 3) continue;
          if (when === 'nobody reads on') return;
          stop.abort(new Error('enough'));
        }
      };
      await read().catch((error: unknown) => expect(error).toMatchObject({ message: 'enough' }));
      expect(blocks).toBe(3);
      const pid = Number(await readFile(`${ffmpeg}.pid`, 'utf8'));
      await expect.poll(() => isRunning(pid)).toBe(false);
    });
  });

  it('is not started at all for a list of other files, whatever its name says', async () => {
    await withFolder(async (folder) => {
      const { ffmpeg } = await stand(folder, `touch "$0.ran"`);
      for (const text of [
        '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n',
        'ffconcat version 1.0\nfile /etc/passwd\n',
        '<MPD></MPD>',
      ]) {
        const path = join(folder, 'list.caf');
        await writeFile(path, text);
        await expect(secondsOf(path, { ffmpeg })).rejects.toMatchObject({ code: 'input/not-audio' });
      }
      await expect(copyFile(`${ffmpeg}.ran`, join(folder, 'x'))).rejects.toThrow('ENOENT');
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
