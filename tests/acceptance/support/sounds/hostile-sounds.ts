import { writeFile } from 'node:fs/promises';
import { buzz, encoded } from '../../../../src/sound/sound.fixture.ts';

/** A file built to be expensive to inspect. */
export interface HostileSound {
  readonly name: string;
  write(path: string): Promise<void>;
}

const latin = (text: string) => Buffer.from(text, 'latin1');

/** `head`, and then `pattern` again and again, `bytes` in all. */
const repeated = (head: Uint8Array, pattern: Uint8Array, bytes: number): Buffer => {
  const out = Buffer.alloc(bytes, Buffer.from(pattern));
  out.set(head);
  return out;
};

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), latin(type), ...content]);
  bytes.writeUInt32BE(bytes.length);
  return bytes;
}

/** A box of a version and 32-bit numbers. */
function table(type: string, numbers: readonly number[], more = 0): Buffer {
  const content = Buffer.alloc(4 + numbers.length * 4 + more, 1);
  content.writeUInt32BE(0);
  numbers.forEach((number, at) => content.writeUInt32BE(number, 4 + at * 4));
  return box(type, content);
}

const ftyp = box('ftyp', latin('M4A \0\0\0\0'));
const mdat = box('mdat', Buffer.alloc(1000, 7));
const mediaHeader = table('mdhd', [0, 0, 44_100, 44_100, 0]);
const handler = box('hdlr', latin('\0\0\0\0\0\0\0\0soun\0\0\0\0\0\0\0\0\0\0\0\0'));
const movie = (...tables: readonly Uint8Array[]) =>
  box('moov', box('trak', box('mdia', mediaHeader, handler, box('minf', box('stbl', ...tables)))));

function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 7) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x8005) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** STREAMINFO of 44.1 kHz, 16 bits, frames of up to 16 MB and a number of samples. */
function flacHead(channels: number, samples: number): Buffer {
  const head = Buffer.alloc(42);
  head.write('fLaC');
  head[4] = 0x80;
  head[7] = 34;
  head.writeUInt16BE(65_535, 8);
  head.writeUInt16BE(65_535, 10);
  head.fill(0xff, 15, 18);
  head.writeUInt32BE(((44_100 << 12) | ((channels - 1) << 9) | (15 << 4)) >>> 0, 18);
  head.writeUInt32BE(samples, 22);
  return head;
}

/** The header of a frame of 65,535 samples. */
function flacHeader(channels: number): Buffer {
  const header = Buffer.from([0xff, 0xf8, 0x79, ((channels - 1) << 4) | 8, 0, 0xff, 0xfe, 0]);
  header[7] = crc8(header.subarray(0, 7));
  return header;
}

/** A second and a half of silence in a few bytes. */
function silentFrame(channels: number): Buffer {
  const frame = Buffer.concat([flacHeader(channels), Buffer.alloc(3 * channels)]);
  return Buffer.concat([frame, Buffer.from([crc16(frame) >> 8, crc16(frame) & 0xff])]);
}

const silentFlac = (channels: number, frames: number) =>
  repeated(flacHead(channels, frames * 65_535), silentFrame(channels), 42 + frames * silentFrame(channels).length);

const megabyte = 1024 * 1024;
const sizes = [8 * megabyte, 24 * megabyte];

/** Sixty and more of all containers; none of them is a recording. */
export async function hostileSounds(): Promise<readonly HostileSound[]> {
  const ogg = Buffer.from(await encoded('ogg', [buzz(120, 1, 44_100)], 44_100));
  const firstPage = ogg.subarray(0, ogg.indexOf('OggS', 4));
  const emptyPage = Buffer.from(ogg.subarray(0, 27));
  emptyPage[5] = 0;
  emptyPage[26] = 0;
  const manyPackets = Buffer.concat([emptyPage, Buffer.alloc(510, 1)]);
  manyPackets[26] = 255;
  manyPackets[6] = 1;
  const smallFrame = Buffer.alloc(24);
  smallFrame.set([0xff, 0xf3, 0x14, 0xc0]);
  const fullFrame = Buffer.alloc(24, 0xff);
  fullFrame.set(smallFrame.subarray(0, 4));
  const adts = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x00, 0xe0, 0x00]);
  const free = box('free');
  const id3 = latin('ID3\x04\0\0\0\0\0\0');
  const most = 0xff_ff_ff_ff;

  const patterns: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
    ['empty pages.ogg', firstPage, emptyPage],
    ['first pages.ogg', firstPage, firstPage],
    ['letters of a page.ogg', firstPage, latin('O')],
    ['words of a page.ogg', firstPage, latin('OggS')],
    ['versions of a page.ogg', firstPage, latin('OggS\0')],
    ['pages of packets.ogg', firstPage, manyPackets],
    ['sync words.mp3', id3, Buffer.from([0xff, 0xfb])],
    ['small frames.mp3', smallFrame, smallFrame],
    ['frames of sync words.mp3', fullFrame, fullFrame],
    ['two frames and sync words.mp3', Buffer.concat([fullFrame, fullFrame]), Buffer.from([0xff])],
    ['tags.mp3', id3, id3],
    ['junk and tags.mp3', latin('xx'), latin('ID3\x04\0\0\0\0\0\x01')],
    ['small frames.aac', adts, adts],
    ['a frame and sync words.aac', adts, Buffer.from([0xff])],
    ['headers.flac', flacHead(2, 0), flacHeader(2)],
    ['sync words.flac', flacHead(2, 0), Buffer.from([0xff, 0xf8])],
    ['metadata.flac', latin('fLaC'), Buffer.from([1, 0, 0, 0])],
    ['chunks.wav', latin('RIFF\0\0\0\x10WAVE'), latin('junk\0\0\0\0')],
    ['boxes.m4a', ftyp, free],
    ['chunks.aiff', latin('FORM\0\xff\xff\xffAIFF'), latin('junk\0\0\0\0')],
    ['chunks.caf', latin('caff\0\x01\0\0'), latin('free\0\0\0\0\0\0\0\0')],
    ['elements.webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]), Buffer.from([0xec, 0x80])],
  ];
  const filled: readonly (readonly [string, Buffer])[] = [
    ['boxes in the index.m4a', Buffer.concat([ftyp, box('moov', repeated(free, free, 15 * megabyte)), mdat])],
    ['a large index.m4a', Buffer.concat([ftyp, box('moov', repeated(free, free, 20 * megabyte)), mdat])],
    ['endless sizes.m4a', Buffer.concat([ftyp, movie(table('stsz', [0, most])), mdat])],
    ['endless equal sizes.m4a', Buffer.concat([ftyp, movie(table('stsz', [1, most])), mdat])],
    ['endless chunks.m4a', Buffer.concat([ftyp, movie(table('stsz', [1, 100]), table('stco', [most])), mdat])],
    ['endless times.m4a', Buffer.concat([ftyp, movie(table('stts', [most])), mdat])],
    ['many times.m4a', Buffer.concat([ftyp, movie(table('stts', [megabyte], 8 * megabyte)), mdat])],
    ['many sizes.m4a', Buffer.concat([ftyp, movie(table('stsz', [0, 3 * megabyte], 12 * megabyte)), mdat])],
    [
      'one chunk again and again.m4a',
      Buffer.concat([ftyp, movie(table('stsz', [6, 100_000]), table('stco', [100_000], 400_000)), mdat]),
    ],
    [
      'nested boxes.m4a',
      Buffer.concat([ftyp, Array.from({ length: 5000 }).reduce<Buffer>((inner) => box('trak', inner), free), mdat]),
    ],
    ['an hour of silence.flac', silentFlac(2, 2423)],
    ['an hour of eight silent channels.flac', silentFlac(8, 2423)],
    ['a length of years.flac', Buffer.concat([flacHead(2, most), silentFrame(2)])],
    ['a frame without an end.flac', Buffer.concat([flacHead(2, 0), flacHeader(2), Buffer.alloc(24 * megabyte, 0x55)])],
    [
      'a data chunk of 4 GB.wav',
      Buffer.concat([
        latin('RIFF\xff\xff\xff\xffWAVEfmt '),
        Buffer.from([16, 0, 0, 0, 1, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255]),
        latin('data\xff\xff\xff\xff'),
        Buffer.alloc(1000),
      ]),
    ],
    [
      'a description of 4 GB.caf',
      Buffer.concat([latin('caff\0\x01\0\0desc\0\0\0\0\xff\xff\xff\xff'), Buffer.alloc(1000)]),
    ],
  ];
  return [
    ...sizes.flatMap((bytes) =>
      patterns.map(([name, head, pattern]): HostileSound => ({
        name: `${bytes / megabyte} MB of ${name}`,
        write: (path) => writeFile(path, repeated(head, pattern, bytes)),
      })),
    ),
    ...filled.map(([name, bytes]): HostileSound => ({ name, write: (path) => writeFile(path, bytes) })),
  ];
}
