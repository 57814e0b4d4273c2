import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buzz, encoded } from '../../../../src/sound/sound.fixture.ts';

const sampleRate = 16_000;

/** So many short recordings under names of their own: what matters is how many they are, not what is heard. */
export async function makeSources(folder: string, count: number, seconds = 0.3): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const first = join(folder, 'take 0.wav');
  await writeFile(first, await encoded('wav', [buzz(150, seconds, sampleRate)], sampleRate));
  const paths = Array.from({ length: count }, (_, k) => join(folder, `take ${k}.wav`));
  for (const path of paths.slice(1)) await copyFile(first, path);
  return paths;
}

const numbers = 'one two three four five six seven eight nine ten'.split(' ');

/** So many short texts, no two alike. */
export const makeTexts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, k) =>
    String(k)
      .split('')
      .map((digit) => numbers[Number(digit)])
      .join(' '),
  );
