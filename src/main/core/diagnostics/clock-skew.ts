/**
 * How far this clock is off the one that wrote a `Date` header, in whole seconds; null where there is no such header. The time was
 * right somewhere between sending and receiving, and the header leaves out fractions of a second.
 */
export function clockSkewSeconds(date: string, sentAtMs: number, receivedAtMs: number): number | null {
  const told = Date.parse(date);
  if (Number.isNaN(told)) return null;
  const tooEarly = sentAtMs - (told + 999);
  const tooLate = told - receivedAtMs;
  return Math.ceil(Math.max(0, tooEarly, tooLate) / 1000);
}
