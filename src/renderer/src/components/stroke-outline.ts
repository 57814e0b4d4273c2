import type { GlyphFamily, Stroke } from './voice-glyph.ts';

/** Below this size strokes stand on whole pixels, and so does the gap of a split one. */
const smallPx = 40;

function bar(x: number, { y, height }: Stroke, width: number, radius: number): string {
  if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const turn = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return (
    `M${x + radius} ${y}h${across}${turn(radius, radius)}v${down}${turn(-radius, radius)}` +
    `h${-across}${turn(-radius, -radius)}v${-down}${turn(radius, -radius)}z`
  );
}

/** The outline of a stroke in a box of this side, as the `d` of a path that is filled: one, because lists draw hundreds of them at once. */
export function strokeOutline(stroke: Stroke, box: number, family: GlyphFamily): string {
  const { width, height } = stroke;
  const radius = (wide: number) => (family === 'square' ? 0 : Math.min(height, wide) / 2);
  const start = (box - width) / 2;
  if (family !== 'split' || width <= box * 0.34) return bar(start, stroke, width, radius(width));
  const slit = Math.max(box < smallPx ? 2 : 0, box * 0.07);
  const half = (width - slit) / 2;
  return bar(start, stroke, half, radius(half)) + bar(start + half + slit, stroke, half, radius(half));
}

/** A stroke that hangs: a line through its ends, lower in the middle, as wide as the stroke is high. */
export function strokeBow({ y, height, width }: Stroke, box: number): string {
  const depth = Math.min(height * 1.5, box * 0.07) * (width / box);
  const from = (box - width) / 2 + height / 2;
  const middle = y + height / 2;
  return `M${from} ${middle - depth / 2}Q${box / 2} ${middle + depth * 1.5} ${box - from} ${middle - depth / 2}`;
}
