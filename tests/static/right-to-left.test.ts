import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const page = join(import.meta.dirname, '../../src/renderer');

const files = readdirSync(page, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(page, name), 'utf8') }));

/** Declarations that stay on their side where text runs from right to left. Their logical counterparts change it. */
const physical: readonly RegExp[] = [
  /(?<![\w-])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-)?(?:left|right)(?:-(?:width|color|style))?\s*:/,
  /style:(?:(?:margin|padding|border)-)?(?:left|right)\b/,
  /border-(?:top|bottom)-(?:left|right)-radius\s*:/,
  /(?:text-align|float|clear|justify-content|justify-self|position-area)\s*:[^;]*\b(?:left|right)\b/,
  /\btranslateX\(|\btranslate\(/,
  /linear-gradient\(to (?:left|right)/,
  // Four values name all sides in order; they are allowed where left and right are the same.
  /(?<![\w-])(?:margin|padding|inset|border-width)\s*:\s*[^\s;]+\s+([^\s;]+)\s+[^\s;]+\s+(?!\1;)[^\s;]+;/,
];

it('no style names a side: the same rules serve both directions of writing', () => {
  const found = files.flatMap(({ name, text }) => {
    const styles = name.endsWith('.css') ? text : (/<style>[\s\S]*<\/style>/.exec(text)?.[0] ?? '');
    const attributes = text.match(/style(?::[\w-]+=|="[^"]*")/g) ?? [];
    return [...styles.split('\n'), ...attributes]
      .map((line) => line.replace(/\(.*\)/, (call) => call.replaceAll(' ', '')))
      .filter((line) => physical.some((pattern) => pattern.test(line)))
      .map((line) => `${name}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});

/** Icons with a side in their name that look the same in every language, because they belong to media, which always run to the right. */
const unmirrored = ['rotate-ccw', 'skip-back'];

it('every icon that points to a side is mirrored from right to left', () => {
  const used = new Set(files.flatMap(({ text }) => text.match(/(?<=@lucide\/svelte\/icons\/)[\w-]+/g) ?? []));
  const styles = readFileSync(join(page, 'src/styles/base.css'), 'utf8');
  const rule = /:is\(([^)]*)\):dir\(rtl\) \{\s*scale: -1 1;/.exec(styles)?.[1] ?? '';
  const mirrored: readonly string[] = rule.match(/(?<=\.lucide-)[\w-]+/g) ?? [];
  expect(mirrored.filter((icon) => !used.has(icon))).toEqual([]);
  const pointing = [...used].filter((icon) =>
    /left|right|undo|redo|send|external|reply|forward|back|quote|rotate|indent|log-(?:in|out)/.test(icon),
  );
  expect(pointing.length).toBeGreaterThan(5);
  expect(pointing.filter((icon) => !mirrored.includes(icon) && !unmirrored.includes(icon))).toEqual([]);
});
