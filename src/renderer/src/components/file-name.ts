/** Files of one folder differ at the end of their names: the tail stays whole when the middle is clipped. */
export function splitName(name: string, tailLength = 9): readonly [head: string, tail: string] {
  const letters = Array.from(name);
  const tail = letters.slice(-tailLength).join('').trimStart();
  return [name.slice(0, name.length - tail.length), tail];
}
