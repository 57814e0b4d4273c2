/** A second-order filter, direct form 1. Coefficients after R. Bristow-Johnson, Audio EQ Cookbook (w3.org/TR/audio-eq-cookbook). */
export type Biquad = (sample: number) => number;

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
  // The last two samples in, the last two out: as variables of this function each would be a new object at each sample.
  const last = new Float64Array(4);
  return (x) => {
    const x1 = last[0] ?? 0;
    const x2 = last[1] ?? 0;
    const y1 = last[2] ?? 0;
    const y2 = last[3] ?? 0;
    const y = in0 * x + in1 * x1 + in2 * x2 - out1 * y1 - out2 * y2;
    last[0] = x;
    last[1] = x1;
    last[2] = y;
    last[3] = y1;
    return y;
  };
}

/** Keeps the corner below the Nyquist frequency, where the formulas turn over. */
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

/** Raises or lowers everything well above `hz` by `gainDb` (slope 1). */
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
