import type { WaveformPalette } from '../../lib/theme.svelte.ts';
import { resample, type WaveformColumns } from './waveform-columns.ts';

/**
 * The fold: one drawing for two recordings. The original stands above the line in grey; the result hangs below it in bell metal,
 * column by column in the tone of its brightness. Silence is the line itself. Progress is the lower half growing. Time always
 * runs left to right.
 */
export interface WaveformDrawing {
  readonly source: WaveformColumns | null;
  /** Null while there is no result: what is made so far then hangs in the shape of its source. */
  readonly result: WaveformColumns | null;
  /** How much of the original has been sent, 0..1: the rest is faint. */
  readonly sent: number;
  /** How much of the result is here, 0..1. */
  readonly made: number;
  /** Where the sound is being heard, 0..1; null when it is not. */
  readonly at: number | null;
  /** Which half is heard: the other one steps back. */
  readonly heard: 'source' | 'result';
  /** One half only, standing on the lower edge in metal: a sound without a counterpart. */
  readonly single: boolean;
  /** No metal: a row of a long list, whose sound rests. */
  readonly still: boolean;
}

export type WaveformPen = Pick<CanvasRenderingContext2D, 'clearRect' | 'fillRect' | 'fillStyle' | 'globalAlpha'>;

const unsentPower = 0.42;
const aheadPower = 0.5;
const unheardPower = 0.75;
const headroom = 0.97;

/** Paints a fold into `width` x `height` CSS pixels. Touches nothing but the pen. */
export function drawWaveform(
  pen: WaveformPen,
  width: number,
  height: number,
  drawing: WaveformDrawing,
  palette: WaveformPalette,
): void {
  pen.clearRect(0, 0, width, height);
  const { single, at } = drawing;
  const axis = single ? height : Math.round(height / 2);
  const room = { above: axis - 1, below: height - axis - 1 };

  const half = (columns: WaveformColumns, side: 'above' | 'below', upTo: number): void => {
    const { peak, rms, bright } = resample(columns, width);
    const isHeard = single || (drawing.heard === 'source') === (side === 'above');
    const isMetal = (side === 'below' || single) && !drawing.still;
    const isSent = (x: number) => side === 'below' || single || x / width <= drawing.sent;
    const colourAt = (x: number) =>
      (isMetal && palette.tones[Math.min(4, Math.floor((bright[x] ?? 0) * 5))]) || palette.rest;
    const powerAt = (x: number) =>
      (at === null ? 1 : (x / width <= at ? 1 : aheadPower) * (isHeard ? 1 : unheardPower)) *
      (isSent(x) ? 1 : unsentPower);

    /** The pen is told what changes only: its colour and its opacity cost more than the bar. */
    const bars = (shares: Float32Array, shortest: number, opacity: number): void => {
      let colour = '';
      let power = NaN;
      for (let x = 0; x < width * upTo; x++) {
        const nextColour = colourAt(x);
        const nextPower = powerAt(x);
        if (nextColour !== colour) pen.fillStyle = colour = nextColour;
        if (nextPower !== power) {
          power = nextPower;
          pen.globalAlpha = opacity * power;
        }
        const length = Math.max(shortest, Math.min(1, (shares[x] ?? 0) * headroom) * room[side]);
        pen.fillRect(x, side === 'above' ? axis - length : axis + 1, 1, length);
      }
    };
    bars(peak, 0.5, palette.peakPower);
    bars(rms, 0, 1);
  };

  if (drawing.source) half(drawing.source, 'above', 1);
  const below = drawing.result ?? drawing.source;
  if (!single && below && drawing.made > 0) half(below, 'below', drawing.made);

  pen.globalAlpha = single ? 0.35 : 0.55;
  pen.fillStyle = palette.line;
  pen.fillRect(0, single ? height - 1 : axis, width, 1);
  pen.globalAlpha = 1;
  if (at !== null) {
    pen.fillStyle = palette.ink;
    pen.fillRect(Math.min(width - 2, Math.round(at * width)), 0, 1.5, height);
  }
}
