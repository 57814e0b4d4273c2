import { ownVoiceCategory, type Voice, type VoiceFeatures } from '../../../../shared/schemas/voice.ts';

/**
 * The voice glyph: a bell-shaped picture of a voice, one bar per harmonic with the fundamental at the bottom. F0 sets the number of bars,
 * brightness their widths and tones, language the formants, gender the vocal tract, category the shape of the bars, and id small
 * variations. Pure: the same voice has the same bars.
 */
export interface GlyphVoice extends Pick<Voice, 'id' | 'language' | 'gender' | 'category'> {
  /** Hz; estimated from gender and id if it was not measured. */
  readonly f0Hz?: number;
  /** 0 dark to 1 bright. */
  readonly brightness?: number;
}

/** A voice as it sounds, if that was measured. */
export const withFeatures = (voice: Voice, features: VoiceFeatures | undefined): GlyphVoice =>
  typeof features?.f0Hz === 'number' ? { ...voice, f0Hz: features.f0Hz, brightness: features.brightness } : voice;

type Tone = 1 | 2 | 3 | 4 | 5;

/** One harmonic, centred, in units of `box`; `y` is its upper edge. */
export interface GlyphBar {
  readonly y: number;
  readonly height: number;
  readonly width: number;
  readonly tone: Tone;
}

export interface VoiceGlyph {
  /** Side of the square that contains the bars. */
  readonly box: number;
  readonly bars: readonly GlyphBar[];
}

/** Shape of the bars. */
export type GlyphFamily = 'round' | 'square' | 'split' | 'curved';

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let h = 2_166_136_261;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 16_777_619);
  }
  return h >>> 0;
}

/** Hashes a text to 0..1 (FNV-1a, then the finaliser of MurmurHash3). */
function unit(text: string): number {
  let h = hash(text);
  h ^= h >>> 15;
  h = Math.imul(h, 2_246_822_519);
  h ^= h >>> 13;
  h = Math.imul(h, 3_266_489_917);
  h ^= h >>> 16;
  return (h >>> 0) / 4_294_967_296;
}

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

type Hint = readonly [count: number, height: number, gap: number];

/** Below 40 px, bars and gaps are whole pixels. The rows of a size run from deep to high voices. */
// prettier-ignore
const hints: readonly (readonly [size: number, rows: readonly Hint[]])[] = [
  [32, [[10, 2, 1], [8, 2, 2], [6, 3, 2], [5, 4, 2], [4, 5, 3]]],
  [24, [[8, 2, 1], [7, 2, 1], [6, 2, 2], [5, 3, 2], [4, 4, 2]]],
  [20, [[9, 1, 1], [6, 2, 1], [5, 2, 2], [4, 3, 2]]],
  [16, [[7, 1, 1], [5, 2, 1], [4, 2, 2], [3, 3, 2]]],
];

const lowestHz = 65;
const highestHz = 380;
/** The bars divide this band. */
const bandHz = 1500;

/** Box, count and sizes of the bars; `high` is the pitch of the voice, 0 (deep) to 1. */
function barLayout(size: number, high: number): { box: number; count: number; height: number; gap: number } {
  if (size >= 40) {
    const count = Math.round(15 - 10 * high);
    const height = (size / count) * (0.5 + 0.08 * high);
    return { box: size, count, height, gap: (size - count * height) / (count - 1 || 1) };
  }
  const [box, rows] = hints.find(([hinted]) => size >= hinted) ?? hints[hints.length - 1] ?? [16, []];
  const [count, height, gap] = rows[Math.round(high * (rows.length - 1))] ?? [4, 2, 2];
  return { box, count, height, gap };
}

/** The bars of a voice for a size in CSS pixels, from the fundamental up. */
export function glyphBars(voice: GlyphVoice, size: number): VoiceGlyph {
  const f0 = clamp(voice.f0Hz ?? (voice.gender === 'female' ? 205 : 115), lowestHz, highestHz);
  const high = Math.log(f0 / lowestHz) / Math.log(highestHz / lowestHz);
  const bright = clamp(voice.brightness ?? 0.45, 0, 1);
  const { box, count, height, gap } = barLayout(size, high);
  const used = count * height + (count - 1) * gap;
  const top = size < 40 ? Math.floor((box - used) / 2) : 0;

  const { id, language } = voice;
  const tract = (voice.gender === 'female' ? 1.17 : 1) * (0.92 + 0.16 * unit(`${id}t`));
  const f1 = (330 + 330 * unit(`${language}1`)) * tract * (0.85 + 0.3 * unit(`${id}1`));
  const f2 = (850 + 450 * unit(`${language}2`)) * tract * (0.9 + 0.2 * unit(`${id}2`));
  const g1 = 0.5 + 0.5 * unit(`${id}g`);
  const g2 = 0.25 + 0.75 * unit(`${id}h`) * (0.5 + bright);

  const loud = Array.from({ length: count }, (_, k) => {
    const f = (bandHz / count) * (k + 0.6);
    const tilt = Math.exp(-(f / bandHz) * (2.5 - 2.1 * bright));
    const bulges = g1 * Math.exp(-(((f - f1) / 170) ** 2)) + g2 * Math.exp(-(((f - f2) / 210) ** 2));
    return tilt * 0.75 + bulges * (0.35 + 0.65 * tilt) + 0.07 * (unit(`${id}j${k}`) - 0.5);
  });
  const max = Math.max(...loud);

  const bars = loud.map((value, k): GlyphBar => {
    const wide = (0.2 + 0.8 * clamp(value / max, 0, 1)) * box;
    const tone = (k / Math.max(1, count - 1)) * 1.7 + bright * 4.4 - 1.2;
    return {
      y: top + used - (k + 1) * height - k * gap,
      height,
      // Even widths stay centred on the pixel grid.
      width: size < 40 ? Math.max(2, Math.round(wide / 2) * 2) : wide,
      tone: clamp(Math.round(tone) + 1, 1, 5) as Tone,
    };
  });
  return { box, bars };
}

/** Categories are free text of the service; unknown ones count as natural voices, which are round. */
export function glyphFamily(category: string): GlyphFamily {
  if (/sing|song|music|choir/i.test(category)) return 'curved';
  if (/robot|synth|machine|effect/i.test(category)) return 'square';
  if (/character|cartoon|game|creature|fantasy/i.test(category)) return 'split';
  return 'round';
}

/** The user's own voices have a dot below the bars. */
export const hasDot = ({ category }: Pick<Voice, 'category'>): boolean => category === ownVoiceCategory;

/** Estimates F0 and brightness of a voice that was not measured from gender and id: always the same for a voice. */
export function estimateVoice(voice: GlyphVoice): GlyphVoice {
  const female = voice.gender === 'female';
  const f0Hz = Math.round((female ? 165 : 82) * Math.pow(female ? 1.55 : 1.85, unit(`${voice.id}f`)));
  const brightness = Number((0.2 + 0.55 * unit(`${voice.id}b`)).toFixed(2));
  return { ...voice, f0Hz: voice.f0Hz ?? f0Hz, brightness: voice.brightness ?? brightness };
}

/** Below this size bars are aligned to whole pixels, and so is the gap of a split bar. */
const smallPx = 40;

function barPath(x: number, { y, height }: GlyphBar, width: number, radius: number): string {
  if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const turn = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return (
    `M${x + radius} ${y}h${across}${turn(radius, radius)}v${down}${turn(-radius, radius)}` +
    `h${-across}${turn(-radius, -radius)}v${-down}${turn(radius, -radius)}z`
  );
}

/** The outline of a bar as path data: one path per bar, because lists draw hundreds of glyphs. */
export function barOutline(bar: GlyphBar, box: number, family: GlyphFamily): string {
  const { width, height } = bar;
  const radius = (wide: number) => (family === 'square' ? 0 : Math.min(height, wide) / 2);
  const start = (box - width) / 2;
  if (family !== 'split' || width <= box * 0.34) return barPath(start, bar, width, radius(width));
  const slit = Math.max(box < smallPx ? 2 : 0, box * 0.07);
  const half = (width - slit) / 2;
  return barPath(start, bar, half, radius(half)) + barPath(start + half + slit, bar, half, radius(half));
}

/** The centre line of a curved bar, lower in its middle, to be stroked with the height of the bar. */
export function curvedBarPath({ y, height, width }: GlyphBar, box: number): string {
  const depth = Math.min(height * 1.5, box * 0.07) * (width / box);
  const from = (box - width) / 2 + height / 2;
  const middle = y + height / 2;
  return `M${from} ${middle - depth / 2}Q${box / 2} ${middle + depth * 1.5} ${box - from} ${middle - depth / 2}`;
}
