/**
 * A second-order filter (direct form 1) that processes consecutive pieces of one channel in place.
 * Coefficients from R. Bristow-Johnson, Audio EQ Cookbook (w3.org/TR/audio-eq-cookbook).
 */
export type Biquad = (samples: Float32Array) => void;

interface Coefficients {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a0: number;
  readonly a1: number;
  readonly a2: number;
}

function biquad({ b0, b1, b2, a0, a1, a2 }: Coefficients): Biquad {
  const [in0, in1, in2, out1, out2] = [b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0];
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return (samples) => {
    // Local variables: assigning closure variables would allocate an object per sample.
    let [lastX1, lastX2, lastY1, lastY2] = [x1, x2, y1, y2];
    for (let at = 0; at < samples.length; at++) {
      const x = samples[at] ?? 0;
      const y = in0 * x + in1 * lastX1 + in2 * lastX2 - out1 * lastY1 - out2 * lastY2;
      lastX2 = lastX1;
      lastX1 = x;
      lastY2 = lastY1;
      lastY1 = y;
      samples[at] = y;
    }
    [x1, x2, y1, y2] = [lastX1, lastX2, lastY1, lastY2];
  };
}

/** Keeps the corner frequency below Nyquist, above which the formulas are invalid. */
const omega = (hz: number, sampleRate: number) => (2 * Math.PI * Math.min(hz, sampleRate * 0.45)) / sampleRate;

const butterworthQ = Math.SQRT1_2;

export function lowPass(hz: number, sampleRate: number): Biquad {
  const w = omega(hz, sampleRate);
  const alpha = Math.sin(w) / (2 * butterworthQ);
  const c = Math.cos(w);
  return biquad({ b0: (1 - c) / 2, b1: 1 - c, b2: (1 - c) / 2, a0: 1 + alpha, a1: -2 * c, a2: 1 - alpha });
}

export function highPass(hz: number, sampleRate: number): Biquad {
  const w = omega(hz, sampleRate);
  const alpha = Math.sin(w) / (2 * butterworthQ);
  const c = Math.cos(w);
  return biquad({ b0: (1 + c) / 2, b1: -1 - c, b2: (1 + c) / 2, a0: 1 + alpha, a1: -2 * c, a2: 1 - alpha });
}

/** Changes the level well above `hz` by `gainDb` (slope 1). */
export function highShelf(hz: number, gainDb: number, sampleRate: number): Biquad {
  const w = omega(hz, sampleRate);
  const a = 10 ** (gainDb / 40);
  const c = Math.cos(w);
  const s = 2 * Math.sqrt(a) * Math.sin(w) * Math.SQRT1_2;
  return biquad({
    b0: a * (a + 1 + (a - 1) * c + s),
    b1: -2 * a * (a - 1 + (a + 1) * c),
    b2: a * (a + 1 + (a - 1) * c - s),
    a0: a + 1 - (a - 1) * c + s,
    a1: 2 * (a - 1 - (a + 1) * c),
    a2: a + 1 - (a - 1) * c - s,
  });
}
