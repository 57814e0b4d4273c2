const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** Whether a decimal text is an int64: 19 digits are more than a JavaScript number can hold. */
export const isInt64 = (digits: string): boolean =>
  /^-?\d{1,19}$/.test(digits) && BigInt(digits) >= smallest && BigInt(digits) <= largest;
