import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's packages pocketsphinx and pocketsphinx-en-us, installed in `/` or unpacked into another folder. */
export interface Recogniser {
  /** What it understands of WAV files of 16 kHz, by name. */
  recognise(folder: string, names: readonly string[]): ReadonlyMap<string, string>;
}

const model = 'usr/share/pocketsphinx/model/en-us';

export function findRecogniser(root: string): Recogniser | null {
  const program = join(root, 'usr/bin/pocketsphinx_batch');
  if (!existsSync(program) || !existsSync(join(root, model))) return null;
  const libraries = join(root, 'usr/lib');
  const paths = readdirSync(libraries).map((name) => join(libraries, name));
  return {
    recognise(folder, names) {
      const [list, found] = [join(folder, 'names'), join(folder, 'found')];
      writeFileSync(list, names.map((name) => `${name}\n`).join(''));
      const files = [
        '-cepdir',
        folder,
        '-cepext',
        '.wav',
        '-ctl',
        list,
        '-hyp',
        found,
        '-adcin',
        'yes',
        '-adchdr',
        '44',
      ];
      const models = ['-hmm', join(root, model, 'en-us'), '-lm', join(root, model, 'en-us.lm.bin')];
      const dictionary = ['-dict', join(root, model, 'cmudict-en-us.dict')];
      const { status, stderr } = spawnSync(program, [...files, ...models, ...dictionary], {
        env: { LD_LIBRARY_PATH: paths.join(':') },
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      if (status !== 0) throw new Error(`pocketsphinx_batch failed: ${stderr.slice(-500)}`);
      const lines = readFileSync(found, 'utf8').trimEnd().split('\n');
      return new Map(names.map((name, at) => [name, (lines[at] ?? '').replace(/\s*\(.*$/, '')]));
    },
  };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];

/** Wrong, missing and added words, and those that were said (word error rate, Levenshtein's distance over words). */
export function wordErrors(said: string, understood: string): { readonly errors: number; readonly words: number } {
  const [wanted, found] = [wordsOf(said), wordsOf(understood)];
  let row = found.map((_, at) => at + 1);
  row.unshift(0);
  wanted.forEach((word, place) => {
    const next = [place + 1];
    found.forEach((other, at) => {
      next.push(Math.min((row[at] ?? 0) + (word === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    });
    row = next;
  });
  return { errors: row.at(-1) ?? 0, words: wanted.length };
}
