/**
 * Huffman codes of layer III, read for their energy alone: the sum of |value|^(8/3), which is the
 * square of what a decoder makes of a value.
 */
export interface EnergyTable {
  /**
   * By the next `lookupBits` bits: bits of the code with its signs, `isWhole`, and `<< 8` its energy in
   * units of `1 / energyUnit`. Without `isWhole` signs or extra bits are to be read: then the bits are
   * those of the code alone, followed by its values. 0 if the code is longer.
   */
  readonly lookup: Int32Array;
  /** Codes in ascending order, aligned to `codeBits`; `lengths` without sign bits, values as x << 4 | y. */
  readonly codes: Uint32Array;
  readonly lengths: Uint8Array;
  readonly values: Uint8Array;
  /** Extra bits of a value of 15. */
  readonly linbits: number;
}

export const lookupBits = 12;
export const isWhole = 16;
export const energyUnit = 4096;
/** The longest code has 19 bits. */
export const codeBits = 19;
const maxValue = 15 + (1 << 13);

/**
 * ISO/IEC 11172-3 table B.7: for each code in ascending order its length in base 36 and its values x
 * and y in base 16. A complete prefix code follows from its lengths in this order.
 */
const pairCodes: Readonly<Record<number, string>> = {
  1: '311301210100',
  2: '622602512521520311301310100',
  3: '622602512521520310211201200',
  5: '833823732631713703730722612621602620311301310100',
  6: '733703623632630513531522502412421420301211310300',
  7: 'a55a45a54a53935944925952815851905934850943933824842714741740804823832803713731730722612521602620411301310100',
  8: 'b55b54a45953a35a44925952905815851934943950933824842814741804840823832813831803830622602620412421211301310200',
  9: '955945835853954905844825852815751734743850804724742733740614641623632513531603630522502412421420311301310300',
  10:
    'b77b67b76b57b75b66a47a74a56a65a37a73a46b55b54a63927972a64a07970962a45a35906a53a44817871936926a25a52915951a34' +
    'a43816861860905950924942933904814841840823832803713731730722612621602620411301310100',
  11:
    'a77a67a76a75a66a47a74b57b55a56a65937973946a45a54a35a53827872964907771817870836863860944925952905815762826806' +
    '716761851834850943933824842814841804840723732613631703730622521412502520311301310200',
  12:
    'a77a67976957975966947974965856837973955827872846864817871907970836863845854844906905726762761816860835853825' +
    '852715751734743850804724742714633641623632740703630513531522412421502520400311301310',
  13:
    'jfejfcifdhedgffgefgdfgeegcfgdegbfgfbgcegdchafhe9fecfddgfagcdfbefebf9fff9feafbdfdbf8fff8fccgaeg9ef8eg7fg7eef7' +
    'edafadfbcfcbff6e6fee8e5fe9ded9ef5ee7eacebbe4fef4fcafe6ef3d3fe8ded8d2fdf2e6ee9cd0fec9e5edabe7ded7d4eec8ed6d3e' +
    'db9e9beaac1fcf1cf0dbade5de4d8cd6dde3ce2d2ed0ec1ece1de0d5ddd5d7cdc7d4dd8bdb8dd4d9ada9d6ccc6c3ddd3d7bc2dcd2c1d' +
    'cb7d5cdc5d99d7acc3da7d97c4bbd1c0dcd0c8aca8c4ccc4c6bcb6b3cb2cbc2b5bcb5c89b1cbc1c98c0cbc0cb4c6aca6c79b3bbb3c88' +
    'c5ab2bca5c69ba4c78c87b94c77c76ab2a1bab1b0bbb0b96b4ab3aba3b59b95a2aaa2a1aaa1b0ab68aa0b86b49a93b39b58b85b67a29' +
    'a92b57b75a38a83b66b47b74b56b65b73919991a09a90a48a84a72b46b64928982918a37a27917971a55a07a70a36a63a45a54a26a62' +
    'a35881908980916961906960a53a44925952905815851934943950924942933814741804840823832713731703730722612621602620' +
    '411401310100',
  15:
    'dffdefdfeddfceedfddcfdfcddededdbfcfbdcedeccddcafcfacbecebccdcdcc9fcf9ceacbdcdbc8fcf8cccc9ece9c7fcf7cadcdacbc' +
    'c6fdaed0fbcbbf6c8ece8c5fc9dbf5b7ebe7bacbcabbbcd9c8db4fbf4b3fbf3bd8be6b2fbf2c6ecf0b1fbf1b9cbc9b5ebabbbabe5b7d' +
    'bd7b4ebe4b8cbc8b3eb6dbd6be3b9bbb9b2ebaabe2b1ebe1c0ece0b5dbd5b7cbc7b4db8bad4bb8b9aba9b6cbc6b3dad3ad2b2db0da1d' +
    'a7bab7ad1b5cbd0ac5a8aaa8a4cac4a6bab6b99b0ca3cac3a7aaa7aa6bc0b0b9c2a2ca5bab5a1ca89a98ac1a4bab4a6aa3ba799b3a97' +
    'a88a2ba5a9b2aa5a1b9b1ab0a69a96a4aaa4a78a87a3a9a395999592a9a291a9a1a0aaa0968986949994939993a77a09958985929967' +
    '976992891919990948984957975938983966947828882818881974908980956965937973946827872864817855871907970836863845' +
    '854826862816906960835761853844725752715751805850734743724742733641714704623632740703613631630522512521502520' +
    '311401410300',
  16:
    'befbfebdfbfdbcfbfcbbfbfbaafbfab9fbf9bf8a8fa7faf7a6faf68ffa5faf594f9f49f39f0a3fgcehechddfdefe9geagd9eeefedfeb' +
    'ebeecdfdcfdbeaeeccfadfdaf7efacecafc9f7de5edbd8f292f90f81f8f1d9eebcecbe8eee8e9dee7ebbe8ded8e6ede6d9ceabebaee5' +
    'ed7d4eee4e8cdc8d3ed6ded6e9beb9eaade1dd4eb8ea9d7beb7ed0ce3d0ede0d5ddd5d7cdc7d4dd8bd9ad6cdc6d3dd5cdc5c0dd8ada8' +
    'd99d4cdb6d7ac3cd5bd89c1ccc0d98d79be2c2ec1ecd3c2dcd2cd1c3bd97d88b1dcc4c6bcc3ca7b2ccc2cb5cc1c0cc4bcb4c6aca6bb3' +
    'c5aca5b2bbb2b1bbb1c0bcb0c69c96c4aca4c78c87ba3c3ac59b2ac95c68ba1c86c77b94c49c57b67aa2a1ab0aba0b39b93b58b85a29' +
    'a92b76b09a19a91b90b48b84b75b38b83b66b28a82b47b74a18a81a80b08b56a37a73b65b46a27a72b64b55a07917971a70a36a63a45' +
    'a54a26962916961a06a60953a35a44925952851915905934943950924942933814841904940823832713731803830722612621602620' +
    '411401310100',
  24:
    '8ef8fe8df8fd8cf8fc8bf8fb7fa8af89f7f97f888f87f7f776f7f675f7f574f7f473f7f372f7f27f181f8f090fbeebdebedbcebecbdd' +
    'bbebebbcdbdcbaebeabbdbdbbccb9ebe9badbdabbcbcbb8ebe8b9dbd9b7ebe7bac4ffbcabbbb8dbd8c0ece0b0dae6b6eb9cac9a5eaba' +
    'ae5babb7dad7ae4a8cac8b4eb2ea3ea6dad6ae3a9bab9aaaae2a1eae1a5dad5a7cac7a4da8bab8ad4a9aaa9a6cac6a3dad3a2dad2a1d' +
    'a7bab7ad1a5cac5a8aaa8a99a4cac4a6bab6bd0b0ca3cac3a7aaa7a2cac2a5bab5a1ca89a98ac1a4bbc0b0ba3bbb0b0aa1a9b4a6aaa6' +
    'a79a97ba0b09a909b3988a2ba5a9b2aa5a1bab1a699969a4a4aa7898793a9a395999592a9a29a1968986977949994939993958985929' +
    '967976992919991948984957975938983966928982918947974981a08a80956965917a07a70873937927872846864855871836863845' +
    '854826862816861906960835853844825852815905950751834843724742733714741804840723732613631703730622512521602620' +
    '411401410400',
};
/** The same for the groups of four values of at most 1, as one digit: tables A and B. */
const quadCodes = ['6b6f6d6e67655956535a5c4241444810', '4f4e4d4c4b4a49484746454443424140'] as const;
/** Extra bits of tables 16 to 31. Tables 16 to 23 share their codes, and so do 24 to 31. */
const linbitsFrom16 = [1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13] as const;

/** |value|^(8/3) of all values that a code and its extra bits can have. */
export const valueEnergies: Float64Array = Float64Array.from({ length: maxValue + 1 }, (_, value) => value ** (8 / 3));

const energyOf = (value: number): number => valueEnergies[value] ?? 0;

function readCodes(text: string, digits: 1 | 2): Pick<EnergyTable, 'codes' | 'lengths' | 'values'> {
  const count = text.length / (1 + digits);
  const [codes, lengths, values] = [new Uint32Array(count), new Uint8Array(count), new Uint8Array(count)];
  let code = 0;
  for (let k = 0; k < count; k++) {
    const at = k * (1 + digits);
    const length = Number.parseInt(text.charAt(at), 36);
    codes[k] = code;
    lengths[k] = length;
    values[k] = Number.parseInt(text.slice(at + 1, at + 1 + digits), 16);
    code += 2 ** (codeBits - length);
  }
  if (code !== 2 ** codeBits) throw new Error('these are not the lengths of a complete code');
  return { codes, lengths, values };
}

/** Index of the code that `bits` (the next `codeBits` bits) begin with. */
export function findCode(codes: Uint32Array, bits: number): number {
  let low = 0;
  let high = codes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((codes[middle] ?? 0) <= bits) low = middle;
    else high = middle - 1;
  }
  return low;
}

function buildPairTable(number: number): EnergyTable | null {
  const text = pairCodes[number < 16 ? number : number < 24 ? 16 : 24];
  if (text === undefined) return null;
  const linbits = linbitsFrom16[number - 16] ?? 0;
  const { codes, lengths, values } = readCodes(text, 2);
  const lookup = new Int32Array(1 << lookupBits);
  for (let k = 0; k < codes.length; k++) {
    const [length, value] = [lengths[k] ?? 0, values[k] ?? 0];
    if (length > lookupBits) continue;
    const [x, y] = [value >> 4, value & 15];
    const bits = length + Math.min(x, 1) + Math.min(y, 1);
    const isPart = bits > lookupBits || (linbits > 0 && (x === 15 || y === 15));
    const energy = Math.round((energyOf(x) + energyOf(y)) * energyUnit);
    const from = (codes[k] ?? 0) >> (codeBits - lookupBits);
    const end = from + (1 << (lookupBits - length));
    lookup.fill(isPart ? (value << 8) | length : (energy << 8) | isWhole | bits, from, end);
  }
  return { lookup, codes, lengths, values, linbits };
}

const pairTables: (EnergyTable | null | undefined)[] = [];

/** Table `number` (0 to 31) of pairs, built when it is first needed; null if its values are all 0. */
export function pairTable(number: number): EnergyTable | null {
  let table = pairTables[number];
  if (table === undefined) {
    table = buildPairTable(number);
    pairTables[number] = table;
  }
  return table;
}

/** The longest group of four takes ten bits with its signs. */
export const quadBits = 10;

/**
 * Tables A and B by the next `quadBits` bits: the bits of a group of four with its signs, `<< 4` how
 * many of its first two values are not 0, `<< 6` how many of the others.
 */
export const quadTables: readonly Uint16Array[] = quadCodes.map((text) => {
  const { codes, lengths, values } = readCodes(text, 1);
  const table = new Uint16Array(1 << quadBits);
  for (let k = 0; k < codes.length; k++) {
    const [length, value] = [lengths[k] ?? 0, values[k] ?? 0];
    const firstTwo = (value >> 3) + ((value >> 2) & 1);
    const lastTwo = ((value >> 1) & 1) + (value & 1);
    const from = (codes[k] ?? 0) >> (codeBits - quadBits);
    table.fill(
      (length + firstTwo + lastTwo) | (firstTwo << 4) | (lastTwo << 6),
      from,
      from + (1 << (quadBits - length)),
    );
  }
  return table;
});
