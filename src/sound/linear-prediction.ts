/** Of lags 0 to `order`. */
export const autocorrelation = (signal: Float64Array, order: number): Float64Array =>
  Float64Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0;
    for (let at = lag; at < signal.length; at++) sum += (signal[at] ?? 0) * (signal[at - lag] ?? 0);
    return sum;
  });

/**
 * Coefficients 1, a1 … an of the all-pole filter that predicts best a signal of this autocorrelation, or of this mean of several
 * (Levinson-Durbin recursion; Rabiner and Schafer 1978, section 8.3). Null for silence.
 */
export function linearPrediction(correlation: Float64Array): Float64Array | null {
  const order = correlation.length - 1;
  let error = correlation[0] ?? 0;
  if (error <= 0) return null;
  const filter = new Float64Array(order + 1);
  filter[0] = 1;
  for (let step = 1; step <= order; step++) {
    let sum = correlation[step] ?? 0;
    for (let at = 1; at < step; at++) sum += (filter[at] ?? 0) * (correlation[step - at] ?? 0);
    const reflection = -sum / error;
    const before = filter.slice();
    for (let at = 1; at < step; at++) filter[at] = (before[at] ?? 0) + reflection * (before[step - at] ?? 0);
    filter[step] = reflection;
    error *= 1 - reflection * reflection;
    if (error <= 0) return null;
  }
  return filter;
}

export interface ComplexNumber {
  readonly re: number;
  readonly im: number;
}

const mostRounds = 60;
const close = 1e-9;

/** All roots of 1 + a1 z^-1 + … + an z^-n, found together (Durand-Kerner). */
export function rootsOf(filter: Float64Array): readonly ComplexNumber[] {
  const order = filter.length - 1;
  const re = Float64Array.from({ length: order }, (_, at) => 0.9 * Math.cos((2 * Math.PI * at) / order + 0.4));
  const im = Float64Array.from({ length: order }, (_, at) => 0.9 * Math.sin((2 * Math.PI * at) / order + 0.4));
  for (let round = 0; round < mostRounds; round++) {
    let moved = 0;
    for (let at = 0; at < order; at++) {
      const [x, y] = [re[at] ?? 0, im[at] ?? 0];
      // Horner's rule for the polynomial, then the product of the distances to all other roots.
      let [valueRe, valueIm] = [filter[0] ?? 1, 0];
      let [productRe, productIm] = [1, 0];
      for (let k = 1; k <= order; k++) {
        [valueRe, valueIm] = [valueRe * x - valueIm * y + (filter[k] ?? 0), valueRe * y + valueIm * x];
        const other = k - 1;
        if (other === at) continue;
        const [dx, dy] = [x - (re[other] ?? 0), y - (im[other] ?? 0)];
        [productRe, productIm] = [productRe * dx - productIm * dy, productRe * dy + productIm * dx];
      }
      const size = productRe * productRe + productIm * productIm || Number.MIN_VALUE;
      const stepRe = (valueRe * productRe + valueIm * productIm) / size;
      const stepIm = (valueIm * productRe - valueRe * productIm) / size;
      re[at] = x - stepRe;
      im[at] = y - stepIm;
      moved = Math.max(moved, Math.abs(stepRe) + Math.abs(stepIm));
    }
    if (moved < close) break;
  }
  return Array.from(re, (x, at) => ({ re: x, im: im[at] ?? 0 }));
}
