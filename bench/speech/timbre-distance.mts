import { createFourier } from '../../src/engine/effects/fourier.ts';
import type { Sound } from '../accuracy/sound-file.mts';

const rate = 16_000;
const size = 512;
const hop = 160;
const bands = 26;
const coefficients = 12;
const preEmphasis = 0.97;
const lowestHz = 80;
const quietest = 0.001;

const melOf = (hz: number) => 2595 * Math.log10(1 + hz / 700);
const hzOf = (mel: number) => 700 * (10 ** (mel / 2595) - 1);

const edges = Array.from({ length: bands + 2 }, (_, at) => {
  const lowest = melOf(lowestHz);
  return (hzOf(lowest + ((melOf(rate / 2) - lowest) * at) / (bands + 1)) * size) / rate;
});

const fourier = createFourier(size);

/** Mel cepstra 1 to 12 of a sound of 16 kHz, every 10 ms where it is not silent (Davis and Mermelstein 1980). */
export function cepstraOf({ samples }: Sound): readonly Float64Array[] {
  const places: { readonly energy: number; readonly cepstrum: Float64Array }[] = [];
  for (let start = 1; start + size <= samples.length; start += hop) {
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    let energy = 0;
    for (let at = 0; at < size; at++) {
      const value = (samples[start + at] ?? 0) - preEmphasis * (samples[start + at - 1] ?? 0);
      energy += value * value;
      re[at] = value * (0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (size - 1)));
    }
    fourier.forward(re, im);
    const levels = Array.from({ length: bands }, (_, band) => {
      const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3);
      let sum = 1e-10;
      for (let bin = Math.ceil(low); bin < high; bin++) {
        const weight = bin < middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle);
        sum += weight * ((re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2);
      }
      return Math.log(sum);
    });
    const cepstrum = Float64Array.from({ length: coefficients }, (_, order) =>
      levels.reduce((sum, level, band) => sum + level * Math.cos((Math.PI * (order + 1) * (band + 0.5)) / bands), 0),
    );
    places.push({ energy, cepstrum });
  }
  const loudest = Math.max(0, ...places.map(({ energy }) => energy));
  return places.filter(({ energy }) => energy > quietest * loudest).map(({ cepstrum }) => cepstrum);
}

type Matrix = readonly Float64Array[];

/** Eigenvalues and vectors (columns) of a symmetric matrix by Jacobi's rotations. */
function eigen(matrix: Matrix): { readonly values: Float64Array; readonly vectors: Matrix } {
  const count = matrix.length;
  const a = matrix.map((row) => row.slice());
  const vectors = a.map((_, at) => Float64Array.from({ length: count }, (__, column) => (at === column ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < count; p++) {
      for (let q = p + 1; q < count; q++) {
        const off = a[p]?.[q] ?? 0;
        if (Math.abs(off) < 1e-14) continue;
        const theta = ((a[q]?.[q] ?? 0) - (a[p]?.[p] ?? 0)) / (2 * off);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (const row of [...a, ...vectors]) {
          const [x, y] = [row[p] ?? 0, row[q] ?? 0];
          [row[p], row[q]] = [c * x - s * y, s * x + c * y];
        }
        const [first, second] = [a[p] as Float64Array, a[q] as Float64Array];
        for (let k = 0; k < count; k++) {
          const [x, y] = [first[k] ?? 0, second[k] ?? 0];
          [first[k], second[k]] = [c * x - s * y, s * x + c * y];
        }
      }
    }
  }
  return { values: Float64Array.from(a, (row, at) => row[at] ?? 0), vectors };
}

const multiply = (one: Matrix, two: Matrix): Matrix =>
  one.map((row) =>
    Float64Array.from({ length: two.length }, (_, column) =>
      row.reduce((sum, value, at) => sum + value * (two[at]?.[column] ?? 0), 0),
    ),
  );

function squareRoot(matrix: Matrix): Matrix {
  const { values, vectors } = eigen(matrix);
  const scaled = vectors.map((row) => row.map((value, at) => value * Math.sqrt(Math.max(0, values[at] ?? 0))));
  const transposed = vectors.map((_, at) => Float64Array.from(vectors, (row) => row[at] ?? 0));
  return multiply(scaled, transposed);
}

function statisticsOf(vectors: readonly Float64Array[]) {
  const mean = new Float64Array(coefficients);
  for (const vector of vectors) vector.forEach((value, at) => (mean[at] = (mean[at] ?? 0) + value / vectors.length));
  const covariance = Array.from(mean, (centre, row) =>
    Float64Array.from(mean, (otherCentre, column) =>
      vectors.reduce(
        (sum, vector) => sum + (((vector[row] ?? 0) - centre) * ((vector[column] ?? 0) - otherCentre)) / vectors.length,
        0,
      ),
    ),
  );
  return { mean, covariance };
}

/**
 * How unlike the sounds of two speakers are: Fréchet's distance between the normal distributions of their mel cepstra (as in the
 * Fréchet audio distance, Kilgour 2019, without a trained network). `whole` has the difference of the means, which microphone and room
 * take part in; `spread` has not.
 */
export function frechetDistance(
  one: readonly Float64Array[],
  two: readonly Float64Array[],
): { readonly whole: number; readonly spread: number } {
  const [a, b] = [statisticsOf(one), statisticsOf(two)];
  const root = squareRoot(a.covariance);
  const mixed = squareRoot(multiply(multiply(root, b.covariance), root));
  const trace = (matrix: Matrix) => matrix.reduce((sum, row, at) => sum + (row[at] ?? 0), 0);
  const means = a.mean.reduce((sum, value, at) => sum + (value - (b.mean[at] ?? 0)) ** 2, 0);
  const spread = Math.max(0, trace(a.covariance) + trace(b.covariance) - 2 * trace(mixed));
  return { whole: Math.sqrt(means + spread), spread: Math.sqrt(spread) };
}
