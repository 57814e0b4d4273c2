import { describe, expect, test } from 'vitest';
import { parseWaveformColumns, resample, type WaveformColumns } from './waveform-columns.ts';
import type { WaveformPalette } from '../../lib/theme.svelte.ts';
import { drawWaveform, type WaveformDrawing, type WaveformPen } from './draw-waveform.ts';

const palette: WaveformPalette = {
  tones: ['t1', 't2', 't3', 't4', 't5'],
  rest: 'rest',
  line: 'line',
  ink: 'ink',
  peakPower: 0.4,
};
const even = (count: number, bright = 0): WaveformColumns => ({
  peak: new Float32Array(count).fill(1),
  rms: new Float32Array(count).fill(0.5),
  bright: new Float32Array(count).fill(bright),
});
const whole: WaveformDrawing = {
  source: even(8),
  result: even(8),
  sentShare: 1,
  resultShare: 1,
  playhead: null,
  side: 'result',
  isSingle: false,
  isMuted: false,
};

interface Bar {
  readonly colour: string;
  readonly alpha: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

function drawn(drawing: Partial<WaveformDrawing>, width = 10, height = 21): readonly Bar[] {
  const bars: Bar[] = [];
  const pen: WaveformPen = {
    fillStyle: '',
    globalAlpha: 1,
    clearRect: () => undefined,
    fillRect(x, y, _width, tall) {
      bars.push({
        colour: typeof this.fillStyle === 'string' ? this.fillStyle : '',
        alpha: this.globalAlpha,
        x,
        y,
        height: tall,
      });
    },
  };
  drawWaveform(pen, width, height, { ...whole, ...drawing }, palette);
  return bars;
}

const coloured = (bars: readonly Bar[]) => bars.filter(({ colour }) => colour.startsWith('t'));
const grey = (bars: readonly Bar[]) => bars.filter(({ colour }) => colour === 'rest');

describe('a waveform', () => {
  test('is only the axis without sound', () => {
    expect(drawn({ source: null, result: null }).map(({ colour }) => colour)).toEqual(['line']);
  });

  test('draws the source in grey above the axis and the result in colour below it', () => {
    const bars = drawn({});
    const axis = bars.find(({ colour }) => colour === 'line')?.y ?? 0;
    expect(grey(bars).every(({ y, height }) => y + height <= axis)).toBe(true);
    expect(coloured(bars).every(({ y }) => y === axis + 1)).toBe(true);
  });

  test('grows below the axis with the finished share', () => {
    expect(coloured(drawn({ resultShare: 0 }))).toHaveLength(0);
    expect(coloured(drawn({ resultShare: 0.5 }))).toHaveLength(10);
    expect(coloured(drawn({ resultShare: 1 }))).toHaveLength(20);
  });

  test('has the shape of the source below the axis while the result is unknown', () => {
    expect(coloured(drawn({ result: null, resultShare: 1 }))).toHaveLength(20);
  });

  test('is faint where the source was not sent yet', () => {
    const body = grey(drawn({ sentShare: 0.5 })).filter(({ height }) => height < 9);
    expect(body.filter(({ alpha }) => alpha === 1).map(({ x }) => x)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(body.filter(({ alpha }) => alpha < 0.5)).toHaveLength(4);
  });

  test('is dimmed on the silent side and ahead of the playhead', () => {
    const bars = drawn({ playhead: 0.5, side: 'result' });
    expect(grey(bars).every(({ alpha }) => alpha <= 0.75)).toBe(true);
    expect(coloured(bars).some(({ alpha }) => alpha === 1)).toBe(true);
    expect(bars.at(-1)).toMatchObject({ colour: 'ink', x: 5 });
  });

  test('is coloured by brightness', () => {
    const tones = [0, 0.3, 0.5, 0.7, 1].map((bright) => coloured(drawn({ result: even(8, bright) }))[0]?.colour);
    expect(tones).toEqual(['t1', 't2', 't3', 't4', 't5']);
  });
});

describe('waveform columns', () => {
  test('are parsed from three bytes each', () => {
    const columns = parseWaveformColumns(btoa(String.fromCharCode(255, 51, 0, 0, 0, 255)));
    expect(Array.from(columns?.peak ?? [])).toEqual([1, 0]);
    expect(columns?.rms[0]).toBeCloseTo(0.2);
    expect(columns?.bright[1]).toBe(1);
  });

  test('are null for invalid base64 or incomplete columns', () => {
    expect(parseWaveformColumns('%%%')).toBeNull();
    expect(parseWaveformColumns(btoa('ab'))).toBeNull();
    expect(parseWaveformColumns('')).toBeNull();
  });

  test('keep the highest peak when they are merged', () => {
    const columns = { ...even(4), peak: Float32Array.from([0.1, 0.9, 0.2, 0.3]) };
    expect(Array.from(resample(columns, 2).peak)).toEqual([Math.fround(0.9), Math.fround(0.3)]);
  });

  test('are repeated when they are stretched', () => {
    expect(resample(even(2), 6).rms).toHaveLength(6);
    expect(resample(even(2), 6).rms[5]).toBe(0.5);
  });
});
