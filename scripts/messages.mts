// `npm run messages`: compiles the catalogues of messages, and fails if one of them is used nowhere.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessages, namesOf, readCatalogue } from './compile-messages.mts';
import { root } from './root.mts';

const sources = globSync('src/**/*.{ts,svelte}', { cwd: root })
  .filter((path) => !path.includes('/compiled/') && !/\.(?:test|fixture)\./.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { text, words: new Set([...(text.match(/[\w$]+/g) ?? []), ...(text.match(/(?<=')[\w/-]+(?=')/g) ?? [])]) };
  });

/** A message is used where its name stands, in a file that also names one of its groups, or in a group that is read as a whole. */
function isUsed(key: string): boolean {
  const names = namesOf(key);
  const [group = '', last = ''] = names.slice(-2);
  return (
    sources.some(({ words }) => words.has(last) && names.slice(0, -1).some((name) => words.has(name))) ||
    (names.length > 2 &&
      sources.some(({ text }) => new RegExp(`\\b${group}(?:\\[|[;}])|Object\\.\\w+\\([^()]*\\b${group}\\)`).test(text)))
  );
}

compileMessages();
const unused = Object.keys(readCatalogue('en')).filter((key) => !isUsed(key));
for (const key of unused) console.error(`${key} is used nowhere: remove it from src/shared/messages/catalogues.`);
if (unused.length > 0) process.exitCode = 1;
