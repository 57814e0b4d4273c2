import { expect, it } from 'vitest';
import { pairTable, quadTables } from './mp3-huffman.ts';

it('has a complete code for every table of the standard, and none for tables without values', () => {
  for (let number = 0; number < 32; number++) {
    const table = pairTable(number);
    expect(table === null, `table ${number}`).toBe([0, 4, 14].includes(number));
  }
  expect(quadTables.map((table) => table.every((group) => group > 0))).toEqual([true, true]);
});

it('knows the energy of a pair with its signs from one lookup', () => {
  // Table 1: 1 is (0, 0), 001 is (0, 1), 01 is (1, 0), 000 is (1, 1); each value but 0 has a sign.
  const { lookup } = pairTable(1) ?? { lookup: new Int32Array(0) };
  const read = (bits: string) => {
    const found = lookup[Number.parseInt(bits.padEnd(12, '0'), 2)] ?? 0;
    return { bits: found & 15, energy: (found >>> 8) / 4096 };
  };
  expect(read('1')).toEqual({ bits: 1, energy: 0 });
  expect(read('0011')).toEqual({ bits: 4, energy: 1 });
  expect(read('010')).toEqual({ bits: 3, energy: 1 });
  expect(read('00011')).toEqual({ bits: 5, energy: 2 });
});
