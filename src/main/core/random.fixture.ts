/** Draws that can be repeated. */
export interface Random {
  readonly seed: number;
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
  bytes(count: number): Buffer;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

/** Mulberry32 (Tommy Ettinger, public domain). `salt` gives each scenario draws of its own, whichever others run. */
export function createRandom(seed: number, salt = ''): Random {
  let state = (seed ^ hash(salt)) >>> 0;

  function word(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  const next = () => word() / 2 ** 32;
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    seed,
    next,
    integer,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('there is nothing to pick from');
      return items[integer(0, items.length - 1)] as T;
    },
    shuffled<T>(items: readonly T[]): T[] {
      const mixed = [...items];
      for (let at = mixed.length - 1; at > 0; at -= 1) {
        const other = integer(0, at);
        [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
      }
      return mixed;
    },
    bytes(count) {
      const filled = Buffer.alloc(Math.ceil(count / 4) * 4);
      for (let at = 0; at < filled.length; at += 4) filled.writeUInt32LE(word(), at);
      return filled.subarray(0, count);
    },
  };
}
