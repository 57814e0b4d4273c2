import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesSource } from './container-check.ts';
import { inspectSound, inspectSource } from './inspect-sound.ts';
import { outputFormats } from './sound-format.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

const rate = 44_100;
const files = new Map<string, Uint8Array>();
for (const format of outputFormats) files.set(format, await encoded(format, [buzz(140, 1, rate)], rate));

/** A CAF of 16-bit samples; 200 unless told. */
function caf(sampleRate: number, frames = 200): Uint8Array {
  const chunk = (tag: string, body: Buffer) => {
    const head = Buffer.alloc(12);
    head.write(tag, 0, 'latin1');
    head.writeBigInt64BE(BigInt(body.length), 4);
    return Buffer.concat([head, body]);
  };
  const description = Buffer.alloc(32);
  description.writeDoubleBE(sampleRate, 0);
  description.write('lpcm', 8, 'latin1');
  for (const [k, value] of [0, 2, 1, 1, 16].entries()) description.writeUInt32BE(value, 12 + 4 * k);
  const head = Buffer.from('caff\0\u0001\0\0', 'latin1');
  return Buffer.concat([head, chunk('desc', description), chunk('data', Buffer.alloc(4 + 2 * frames))]);
}

const kinds = new Set(['sound', 'problem']);

describe('a file', () => {
  it.each(outputFormats)('that we wrote as %s is audio of its duration', async (format) => {
    await withFolder(async (folder) => {
      const path = join(folder, 'name without a hint');
      await writeFile(path, files.get(format) ?? '');
      const found = await inspectSound(path);
      expect(found).toMatchObject({ kind: 'sound', format });
      if (found.kind === 'sound') expect(Math.abs((found.durationSeconds ?? 0) - 1)).toBeLessThan(0.06);
    });
  });

  it('that is missing, a folder, empty or a text gives a problem with its code', async () => {
    await withFolder(async (folder) => {
      await mkdir(join(folder, 'folder.wav'));
      await writeFile(join(folder, 'empty.wav'), '');
      await writeFile(join(folder, 'letter.wav'), 'Dear all,');
      const code = async (name: string) => {
        const found = await inspectSound(join(folder, name));
        return found.kind === 'problem' ? found.code : null;
      };
      expect(await code('none.wav')).toBe('input/missing');
      expect(await code('folder.wav')).toBe('input/not-a-file');
      expect(await code('empty.wav')).toBe('input/empty');
      expect(await code('letter.wav')).toBe('input/not-audio');
      expect(await code('letter.wav/inside.wav')).toBe('input/missing');
    });
  });

  it.skipIf(process.getuid?.() === 0)(
    'without permission is unreadable (skipped for root, who can read everything)',
    async () => {
      await withFolder(async (folder) => {
        const path = join(folder, 'secret.wav');
        await writeFile(path, files.get('wav') ?? '');
        await chmod(path, 0);
        expect(await inspectSound(path)).toMatchObject({ kind: 'problem', code: 'input/unreadable' });
      });
    },
  );

  it.each([
    [8000, { kind: 'sound', format: 'caf', durationSeconds: 0.025 }],
    [1e-300, { kind: 'problem', code: 'input/not-audio' }],
    [NaN, { kind: 'problem', code: 'input/not-audio' }],
    [Infinity, { kind: 'problem', code: 'input/not-audio' }],
  ])('with a sample rate of %d Hz is audio only if such a rate can be', async (sampleRate, expected) => {
    expect(await inspectSource(bytesSource(caf(sampleRate)))).toMatchObject(expected);
  });

  it('whose header states more than a year has no known length', async () => {
    const found = await inspectSource(bytesSource(caf(1, 40_000_000)));
    expect(found).toMatchObject({ kind: 'sound', format: 'caf' });
    expect(found).not.toHaveProperty('durationSeconds');
  });

  it('is not read once its signal is aborted', async () => {
    await expect(inspectSound('/', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
  });
});

describe('bytes', () => {
  const magic = [
    'RIFF....WAVE',
    'ID3\x04\0\0\0\0\0\x05',
    '\xff\xfb\x90\x64',
    'fLaC',
    'OggS\0\x02',
    '\0\0\0\x18ftypM4A ',
    'FORM....AIFF',
  ];

  it('of any kind give a value, never an error', async () => {
    const start = fc.constantFrom('', ...magic).map((text) => Uint8Array.from(text, (c) => c.charCodeAt(0)));
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 600 }), async (head, tail) => {
        const found = await inspectSource(bytesSource(Uint8Array.from([...head, ...tail])));
        expect(kinds.has(found.kind)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('of a real file with damage anywhere give a value, never an error', async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...outputFormats), damage, fc.nat(), async (format, changes, cut) => {
        const bytes = Uint8Array.from(files.get(format) ?? []);
        // Half of the damage is in the first 200 bytes, where the sizes are.
        changes.forEach(([at, value], index) => (bytes[at % (index % 2 ? bytes.length : 200)] = value));
        const found = await inspectSource(bytesSource(bytes.subarray(0, cut % (bytes.length + 1))));
        expect(kinds.has(found.kind)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
