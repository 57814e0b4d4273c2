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
  sent: 1,
  made: 1,
  at: null,
  heard: 'result',
  single: false,
  still: false,
};

interface Bar {
  readonly colour: string;
  readonly alpha: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

function painted(drawing: Partial<WaveformDrawing>, width = 10, height = 21): readonly Bar[] {
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

const metal = (bars: readonly Bar[]) => bars.filter(({ colour }) => colour.startsWith('t'));
const grey = (bars: readonly Bar[]) => bars.filter(({ colour }) => colour === 'rest');

describe('the fold', () => {
  test('is the bare line where there is no sound', () => {
    expect(painted({ source: null, result: null }).map(({ colour }) => colour)).toEqual(['line']);
  });

  test('stands in grey above the line and hangs in metal below it', () => {
    const bars = painted({});
    const axis = bars.find(({ colour }) => colour === 'line')?.y ?? 0;
    expect(grey(bars).every(({ y, height }) => y + height <= axis)).toBe(true);
    expect(metal(bars).every(({ y }) => y === axis + 1)).toBe(true);
  });

  test('grows below the line with what is made', () => {
    expect(metal(painted({ made: 0 }))).toHaveLength(0);
    expect(metal(painted({ made: 0.5 }))).toHaveLength(10);
    expect(metal(painted({ made: 1 }))).toHaveLength(20);
  });

  test('hangs in the shape of its source while the result is not known', () => {
    expect(metal(painted({ result: null, made: 1 }))).toHaveLength(20);
  });

  test('is faint where nothing was sent yet', () => {
    const body = grey(painted({ sent: 0.5 })).filter(({ height }) => height < 9);
    expect(body.filter(({ alpha }) => alpha === 1).map(({ x }) => x)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(body.filter(({ alpha }) => alpha < 0.5)).toHaveLength(4);
  });

  test('steps back on the half that is not heard and ahead of the playhead', () => {
    const bars = painted({ at: 0.5, heard: 'result' });
    expect(grey(bars).every(({ alpha }) => alpha <= 0.75)).toBe(true);
    expect(metal(bars).some(({ alpha }) => alpha === 1)).toBe(true);
    expect(bars.at(-1)).toMatchObject({ colour: 'ink', x: 5 });
  });

  test('takes its tone from brightness', () => {
    const tones = [0, 0.3, 0.5, 0.7, 1].map((bright) => metal(painted({ result: even(8, bright) }))[0]?.colour);
    expect(tones).toEqual(['t1', 't2', 't3', 't4', 't5']);
  });
});

describe('columns', () => {
  test('are read from three bytes each', () => {
    const columns = parseWaveformColumns(btoa(String.fromCharCode(255, 51, 0, 0, 0, 255)));
    expect(Array.from(columns?.peak ?? [])).toEqual([1, 0]);
    expect(columns?.rms[0]).toBeCloseTo(0.2);
    expect(columns?.bright[1]).toBe(1);
  });

  test('that are not base64 or not whole are refused', () => {
    expect(parseWaveformColumns('%%%')).toBeNull();
    expect(parseWaveformColumns(btoa('ab'))).toBeNull();
    expect(parseWaveformColumns('')).toBeNull();
  });

  test('keep the highest peak when many become one', () => {
    const columns = { ...even(4), peak: Float32Array.from([0.1, 0.9, 0.2, 0.3]) };
    expect(Array.from(resample(columns, 2).peak)).toEqual([Math.fround(0.9), Math.fround(0.3)]);
  });

  test('are repeated when one becomes many', () => {
    expect(resample(even(2), 6).rms).toHaveLength(6);
    expect(resample(even(2), 6).rms[5]).toBe(0.5);
  });
});
