/** Returns the autocorrelation for lags 0 to `order`. */
export const autocorrelation = (signal: Float64Array, order: number): Float64Array =>
  Float64Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0;
    for (let at = lag; at < signal.length; at++) sum += (signal[at] ?? 0) * (signal[at - lag] ?? 0);
    return sum;
  });

/**
 * Returns the coefficients 1, a1 … an of the all-pole filter that best predicts a signal with this
 * autocorrelation, which may be the mean of several (Levinson-Durbin recursion; Rabiner and Schafer
 * 1978, section 8.3). Returns null for silence.
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

const maxIterations = 60;
const tolerance = 1e-9;

/** Finds all roots of 1 + a1 z^-1 + … + an z^-n simultaneously (Durand-Kerner). */
export function rootsOf(filter: Float64Array): readonly ComplexNumber[] {
  const order = filter.length - 1;
  const re = Float64Array.from({ length: order }, (_, at) => 0.9 * Math.cos((2 * Math.PI * at) / order + 0.4));
  const im = Float64Array.from({ length: order }, (_, at) => 0.9 * Math.sin((2 * Math.PI * at) / order + 0.4));
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    let maxStep = 0;
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
      maxStep = Math.max(maxStep, Math.abs(stepRe) + Math.abs(stepIm));
    }
    if (maxStep < tolerance) break;
  }
  return Array.from(re, (x, at) => ({ re: x, im: im[at] ?? 0 }));
}
