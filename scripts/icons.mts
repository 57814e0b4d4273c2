// Renders build/icon.svg (and the small one, for up to 32 px) as PNG, ICO and ICNS. Run it after changing an SVG.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { root } from './root.mts';
import { chromiumPath } from './chromium-path.mts';

const sizes = [16, 32, 48, 64, 128, 256, 512, 1024];
const smallUpTo = 32;
const build = join(root, 'build');

/** Sizes of a tray icon by the suffix that Electron looks for, and what each state adds in the lower right corner of 16 x 16. */
const traySizes = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@3x': 48 };
const trayBadges = {
  idle: '',
  working: '<circle cx="12" cy="12" r="4" fill="#1f9d83"/><path d="M11 10l3 2-3 2z" fill="#fff"/>',
  paused: '<circle cx="12" cy="12" r="4" fill="#5d6b67"/><path d="M10.5 10h1v4h-1zM12.5 10h1v4h-1z" fill="#fff"/>',
  attention:
    '<circle cx="12" cy="12" r="4" fill="#c4501b"/><path d="M11.4 9.5h1.2v3h-1.2zM11.4 13.3h1.2v1.2h-1.2z" fill="#fff"/>',
};

const large = readFileSync(join(build, 'icon.svg'), 'utf8');
const small = readFileSync(join(build, 'icon-small.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
const page = await browser.newPage();

/** Returns an SVG as PNG with this side, in pixels. */
async function draw(svg: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

/** Windows icon: a directory of PNGs (since Vista). A side of 256 px is encoded as 0. */
function ico(images: readonly (readonly [number, Buffer])[]): Buffer {
  const entryBytes = 16;
  const header = Buffer.alloc(6 + images.length * entryBytes);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(([size, png], i) => {
    const at = 6 + i * entryBytes;
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...images.map(([, png]) => png)]);
}

/** Apple icon: for each size a four-letter type (also for its Retina variant), followed by the PNG. */
const icnsNames: readonly (readonly [string, number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}

const drawn = new Map<number, Buffer>();
for (const size of sizes) drawn.set(size, await draw(size <= smallUpTo ? small : large, size));
const png = (size: number): Buffer => drawn.get(size) ?? Buffer.alloc(0);
for (const folder of ['icons', 'tray']) mkdirSync(join(build, folder), { recursive: true });
for (const size of sizes.filter((side) => side <= 512))
  writeFileSync(join(build, `icons/${size}x${size}.png`), png(size));
writeFileSync(join(build, 'icon.ico'), ico([16, 32, 48, 64, 128, 256].map((size) => [size, png(size)] as const)));
writeFileSync(
  join(build, 'icon.icns'),
  chunk('icns', Buffer.concat(icnsNames.map(([name, size]) => chunk(name, png(size))))),
);
for (const [state, badge] of Object.entries(trayBadges)) {
  for (const [suffix, size] of Object.entries(traySizes))
    writeFileSync(
      join(build, `tray/${state}${suffix}.png`),
      await draw(small.replace('</svg>', `${badge}</svg>`), size),
    );
}
const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="8 8 8 8">${trayBadges.attention}</svg>`;
for (const [suffix, size] of Object.entries(traySizes))
  writeFileSync(join(build, `tray/attention-badge${suffix}.png`), await draw(badge, size));
await browser.close();
