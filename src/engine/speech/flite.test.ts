import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fliteSpeaker } from './flite.ts';
import { runWasi } from './wasi.ts';

const text = 'Leave the lantern in the window. Whoever is late tonight will be glad of it.';

async function speak(piece: string, options: Partial<Parameters<typeof fliteSpeaker>[0]> = {}) {
  const speaker = await fliteSpeaker({ gender: 'female', speed: 1, ...options });
  const [samples = new Float32Array(0)] = speaker.speak(piece) ?? [];
  const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { samples, seconds: samples.length / speaker.sampleRate, loudest, speed: speaker.speed };
}

it.each(['female', 'male'] as const)('a %s speaker says the same text in the same way each time', async (gender) => {
  const [one, two] = [await speak(text, { gender }), await speak(text, { gender })];
  expect(one.seconds).toBeGreaterThan(3.5);
  expect(one.seconds).toBeLessThan(6);
  expect(one.loudest).toBeGreaterThan(0.1);
  expect(two.samples).toEqual(one.samples);
});

it('speaks at the requested speed, or says how much of it is left to do', async () => {
  const plain = await speak(text);
  for (const speed of [0.3, 0.7, 1.5, 4]) {
    const changed = await speak(text, { speed });
    expect(Math.abs(plain.seconds / changed.seconds / changed.speed - 1)).toBeLessThan(0.05);
  }
});

it.each([
  ['a word of 400 letters', 'x'.repeat(400)],
  ['a number of 400 digits', '7'.repeat(400)],
  ['400 signs', '-$/.'.repeat(100)],
  ['brackets without end', '('.repeat(390) + 'word'],
  ['an odd amount', '$1,2,3.4.5 and $'],
  ['what looks like markup and options', '<speak> -voice kal -o /etc/passwd %s %n'],
])('survives %s', async (_, piece) => {
  await expect(speak(piece)).resolves.toBeDefined();
});

it('speaks or refuses any ASCII, and speaks well afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), async (piece) => {
      await speak(piece);
    }),
    { numRuns: 60 },
  );
  expect((await speak(text)).loudest).toBeGreaterThan(0.1);
});

it('a program that traps ends alone', async () => {
  const name = (value: string) => [value.length, ...new TextEncoder().encode(value)];
  const exports = [2, ...name('memory'), 2, 0, ...name('_start'), 0, 0];
  const unreachable = [0x0a, 5, 1, 3, 0, 0, 0x0b];
  const sections = [1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, exports.length, ...exports, ...unreachable];
  const module = await WebAssembly.compile(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]));
  expect(runWasi(module, [], { name: 'text', bytes: new Uint8Array(0) }, 'text')).toBeNull();
});
