import { expect, it } from 'vitest';
import { detectFormat } from './detect-format.ts';
import { outputFormats } from './sound-format.ts';
import { buzz, encoded } from './sound.fixture.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each(outputFormats)('recognizes what our own encoder writes as %s', async (format) => {
  expect(detectFormat(await encoded(format, [buzz(120, 0.3, 44_100)], 44_100))).toBe(format);
});

it('distinguishes Opus, Vorbis and FLAC in Ogg', () => {
  const page = (codec: string) => bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x13${codec}${'\0'.repeat(40)}`);
  expect(detectFormat(page('OpusHead'))).toBe('opus');
  expect(detectFormat(page('\x01vorbis'))).toBe('ogg');
  expect(detectFormat(page('\x7fFLAC'))).toBe('flac');
});

it('recognizes MP4 and AIFF', () => {
  expect(detectFormat(bytes('\0\0\0\x18ftypM4A \0\0\0\0'))).toBe('m4a');
  expect(detectFormat(bytes('FORM\0\0\0\x20AIFFCOMM'))).toBe('aiff');
});

it.each(['', 'R', 'hello world, this is a letter', '<!doctype html><html></html>', '{"error":"x"}', '%PDF-1.7'])(
  'recognizes no audio in %j',
  (text) => {
    expect(detectFormat(bytes(text))).toBeNull();
  },
);

it('reads only the given view, not the buffer behind it', () => {
  const pool = bytes('RIFF\0\0\0\0WAVEhello hello hello');
  expect(detectFormat(pool.subarray(12))).toBeNull();
});
