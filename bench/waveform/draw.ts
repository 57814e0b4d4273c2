import { drawWaveform } from '../../src/renderer/src/features/waveform/draw-waveform.ts';
import { parseWaveformColumns } from '../../src/renderer/src/features/waveform/waveform-columns.ts';

const palette = {
  tones: ['#8a4b2a', '#a8642c', '#b98b35', '#5f8f6a', '#2f7f76'],
  rest: '#8a938f',
  line: '#9aa39f',
  ink: '#1d2422',
  peakPower: 0.4,
};

/** Milliseconds from the bytes of a cached drawing to its pixels, original and result, in a canvas of this size in CSS pixels. */
export function drawOnce(base64: string, width: number, height: number): number {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const begun = performance.now();
  const columns = parseWaveformColumns(base64);
  const pen = canvas.getContext('2d');
  if (!columns || !pen) throw new Error('nothing to draw');
  canvas.width = width;
  canvas.height = height;
  drawWaveform(
    pen,
    width,
    height,
    {
      source: columns,
      result: columns,
      sentShare: 1,
      resultShare: 1,
      playhead: null,
      side: 'result',
      isSingle: false,
      isMuted: false,
    },
    palette,
  );
  // Painting is done when a pixel can be read back.
  pen.getImageData(0, 0, 1, 1);
  const took = performance.now() - begun;
  canvas.remove();
  return took;
}
