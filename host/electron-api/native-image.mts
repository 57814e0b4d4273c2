import { existsSync, readFileSync } from 'node:fs';
import type Electron from 'electron';
import { notImplemented, strict } from '../strict.mts';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Creates an image from a PNG or from no bytes; the host decodes no other format. */
export function createImage(png: Buffer): Electron.NativeImage {
  if (png.length > 0 && !png.subarray(0, 8).equals(pngSignature)) {
    throw notImplemented('nativeImage of anything but PNG');
  }
  const members = {
    isEmpty: () => png.length === 0,
    toPNG: () => png,
    // Every PNG starts with an IHDR chunk, which has width and height in 4 bytes each.
    getSize: () => ({
      width: png.length === 0 ? 0 : png.readUInt32BE(16),
      height: png.length === 0 ? 0 : png.readUInt32BE(20),
    }),
  } satisfies Partial<Electron.NativeImage>;
  return strict('NativeImage', members) as unknown as Electron.NativeImage;
}

/** As in Electron, an unreadable path gives an empty image. */
export const nativeImage = strict('nativeImage', {
  createEmpty: () => createImage(Buffer.alloc(0)),
  createFromPath: (path: string) => createImage(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
} satisfies Partial<typeof Electron.nativeImage>) as unknown as typeof Electron.nativeImage;
