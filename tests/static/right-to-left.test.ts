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
const unmirrored = ['RotateCcw', 'SkipBack'];

/** The names in a list in the source. */
const namesIn = (list: string | undefined): readonly string[] => list?.match(/(?<!type )\b[A-Z]\w+/g) ?? [];

it('every icon that points to a side is mirrored from right to left', () => {
  const others = files.filter(({ name }) => !name.endsWith('ui/Icon.svelte'));
  const used = new Set(others.flatMap(({ text }) => namesIn(/import \{([^}]*)\} from 'lucide'/.exec(text)?.[1])));
  const icon = readFileSync(join(page, 'src/ui/Icon.svelte'), 'utf8');
  expect(icon).toMatch(/\.directional:dir\(rtl\) \{\s*scale: -1 1;/);
  const mirrored = namesIn(/directional: .* = new Set\(\[([^\]]*)\]\)/.exec(icon)?.[1]);
  expect(mirrored.filter((name) => !used.has(name))).toEqual([]);
  const pointing = [...used].filter((name) =>
    /Left|Right|Undo|Redo|Send|External|Reply|Forward|Back|Quote|Rotate|Indent|Log(?:In|Out)/.test(name),
  );
  expect(pointing.length).toBeGreaterThan(5);
  expect(pointing.filter((name) => !mirrored.includes(name) && !unmirrored.includes(name))).toEqual([]);
});
