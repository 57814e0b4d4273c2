/** In-place complex FFT of a fixed size. */
export interface Fourier {
  forward(re: Float64Array, im: Float64Array): void;
  /** Scales by 1 / size, so that forward then inverse is the identity. */
  inverse(re: Float64Array, im: Float64Array): void;
}

/** Iterative radix-2 Cooley-Tukey. `size` must be a power of two; else throws RangeError. */
export function createFourier(size: number): Fourier {
  const bits = Math.log2(size);
  if (!Number.isInteger(bits)) throw new RangeError(`${size} is no power of two`);
  const cosine = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
  const sine = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / size));
  const reversed = Uint32Array.from({ length: size }, (_, at) => {
    let to = 0;
    for (let bit = 0; bit < bits; bit++) to |= ((at >> bit) & 1) << (bits - 1 - bit);
    return to;
  });
  const swap = (values: Float64Array, a: number, b: number) => {
    const value = values[a] ?? 0;
    values[a] = values[b] ?? 0;
    values[b] = value;
  };

  const forward = (re: Float64Array, im: Float64Array) => {
    reversed.forEach((to, from) => {
      if (to <= from) return;
      swap(re, from, to);
      swap(im, from, to);
    });
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const c = cosine[k * stride] ?? 0;
          const s = sine[k * stride] ?? 0;
          const low = start + k;
          const high = low + half;
          const re1 = (re[high] ?? 0) * c + (im[high] ?? 0) * s;
          const im1 = (im[high] ?? 0) * c - (re[high] ?? 0) * s;
          re[high] = (re[low] ?? 0) - re1;
          im[high] = (im[low] ?? 0) - im1;
          re[low] = (re[low] ?? 0) + re1;
          im[low] = (im[low] ?? 0) + im1;
        }
      }
    }
  };

  return {
    forward,
    inverse(re, im) {
      forward(im, re);
      for (let at = 0; at < size; at++) {
        re[at] = (re[at] ?? 0) / size;
        im[at] = (im[at] ?? 0) / size;
      }
    },
  };
}
