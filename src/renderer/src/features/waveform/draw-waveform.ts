import type { WaveformPalette } from '../../lib/theme.svelte.ts';
import { resample, type WaveformColumns } from './waveform-columns.ts';

/**
 * One drawing of two sounds: the source above the axis in grey, its result below it, coloured by brightness. Silence is the axis itself,
 * progress is a growing lower half. Time always runs left to right.
 */
export interface WaveformDrawing {
  readonly source: WaveformColumns | null;
  /** Null while there is no result: the finished share is then drawn in the shape of the source. */
  readonly result: WaveformColumns | null;
  /** Share of the source that was sent, 0..1; the rest is faint. */
  readonly sentShare: number;
  /** Share of the result that is finished, 0..1. */
  readonly resultShare: number;
  /** Position of playback, 0..1; null while it is not loaded. */
  readonly playhead: number | null;
  /** The audible side; the other one is dimmed. */
  readonly side: 'source' | 'result';
  /** A sound without a counterpart, drawn in colour from the lower edge. */
  readonly isSingle: boolean;
  /** Drawn without colours, for rows of a long list that are not playing. */
  readonly isMuted: boolean;
}

export type WaveformPen = Pick<CanvasRenderingContext2D, 'clearRect' | 'fillRect' | 'fillStyle' | 'globalAlpha'>;

const unsentOpacity = 0.42;
const aheadOpacity = 0.5;
const silentSideOpacity = 0.75;
const headroom = 0.97;

/** Draws a waveform into `width` x `height` CSS pixels. Has no effect besides those on the pen. */
export function drawWaveform(
  pen: WaveformPen,
  width: number,
  height: number,
  drawing: WaveformDrawing,
  palette: WaveformPalette,
): void {
  pen.clearRect(0, 0, width, height);
  const { isSingle, playhead } = drawing;
  const axis = isSingle ? height : Math.round(height / 2);
  const room = { above: axis - 1, below: height - axis - 1 };

  const half = (columns: WaveformColumns, side: 'above' | 'below', upTo: number): void => {
    const { peak, rms, bright } = resample(columns, width);
    const isAudible = isSingle || (drawing.side === 'source') === (side === 'above');
    const isColoured = (side === 'below' || isSingle) && !drawing.isMuted;
    const isSent = (x: number) => side === 'below' || isSingle || x / width <= drawing.sentShare;
    const colourAt = (x: number) =>
      (isColoured && palette.tones[Math.min(4, Math.floor((bright[x] ?? 0) * 5))]) || palette.rest;
    const opacityAt = (x: number) =>
      (playhead === null ? 1 : (x / width <= playhead ? 1 : aheadOpacity) * (isAudible ? 1 : silentSideOpacity)) *
      (isSent(x) ? 1 : unsentOpacity);

    /** Sets colour and opacity only when they change, because that costs more than the bar itself. */
    const bars = (shares: Float32Array, minLength: number, opacity: number): void => {
      let colour = '';
      let sideOpacity = NaN;
      for (let x = 0; x < width * upTo; x++) {
        const nextColour = colourAt(x);
        const nextOpacity = opacityAt(x);
        if (nextColour !== colour) pen.fillStyle = colour = nextColour;
        if (nextOpacity !== sideOpacity) {
          sideOpacity = nextOpacity;
          pen.globalAlpha = opacity * sideOpacity;
        }
        const length = Math.max(minLength, Math.min(1, (shares[x] ?? 0) * headroom) * room[side]);
        pen.fillRect(x, side === 'above' ? axis - length : axis + 1, 1, length);
      }
    };
    bars(peak, 0.5, palette.peakPower);
    bars(rms, 0, 1);
  };

  if (drawing.source) half(drawing.source, 'above', 1);
  const below = drawing.result ?? drawing.source;
  if (!isSingle && below && drawing.resultShare > 0) half(below, 'below', drawing.resultShare);

  pen.globalAlpha = isSingle ? 0.35 : 0.55;
  pen.fillStyle = palette.line;
  pen.fillRect(0, isSingle ? height - 1 : axis, width, 1);
  pen.globalAlpha = 1;
  if (playhead !== null) {
    pen.fillStyle = palette.ink;
    pen.fillRect(Math.min(width - 2, Math.round(playhead * width)), 0, 1.5, height);
  }
}
