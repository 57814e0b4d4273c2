// Compiles the catalogues of messages (ICU MessageFormat in ARB files) to TypeScript: typed functions, without a parser in the app.
import { textDirection } from '../src/shared/messages/languages.ts';
import { type Content, parse, type Token } from '@messageformat/parser';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './root.mts';

const messagesFolder = join(root, 'src/shared/messages');
const cataloguesFolder = join(messagesFolder, 'catalogues');
const compiledFolder = join(messagesFolder, 'compiled');

/** Sections that the page does not load. Each becomes a module of its own; everything else is the module `app`. */
const sections = ['cli', 'desktop'] as const;

/** Keys with dots, such as `queue.pause`, and their messages. Keys that begin with `@` are facts about these. */
export type Catalogue = Readonly<Record<string, string>>;

/** The messages of a file in the ARB format, without its descriptions. */
export function parseCatalogue(json: string): Catalogue {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>).filter(([key]) => !key.startsWith('@'));
  return Object.fromEntries(entries.map(([key, message]) => [key, String(message)]));
}

/** The type of each argument of a message, in order of appearance. */
export function argumentTypes(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const add = (name: string, type: string) => {
    // An argument that stands for itself in one place and is formatted in another has the narrower type.
    if (!types.has(name) || type !== 'string') types.set(name, type);
  };
  for (const token of tokens) {
    switch (token.type) {
      case 'content':
      case 'octothorpe':
        break;
      case 'argument':
        add(token.arg, 'string');
        break;
      case 'function':
        add(token.arg, `Parameters<LocaleFormat['${token.key}']>[0]`);
        break;
      case 'plural':
      case 'selectordinal':
        add(token.arg, 'number');
        break;
      case 'select':
        add(token.arg, token.cases.some(({ key }) => key === 'true') ? 'boolean' : 'string');
    }
    if ('cases' in token) {
      for (const { tokens: inner } of token.cases) for (const [name, type] of argumentTypes(inner)) add(name, type);
    }
  }
  return types;
}

/** JavaScript that makes the text: a string literal or a template literal. `argument` is that of a text that a message names. */
function codeOf(tokens: readonly Token[], argument: (name: string) => string): string {
  if (tokens.every((token) => token.type === 'content')) {
    return JSON.stringify(tokens.map(({ value }) => value).join(''));
  }
  const [only] = tokens;
  if (only && tokens.length === 1 && only.type !== 'content') return expression(only, argument);
  const parts = tokens.map((token) =>
    token.type === 'content'
      ? token.value.replace(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n')
      : `\${${expression(token, argument)}}`,
  );
  return `\`${parts.join('')}\``;
}

/** Whether `#` stands in one of the forms of a plural, and not in those of a plural within. */
const usesNumber = (tokens: readonly Token[]): boolean =>
  tokens.some(
    (token) =>
      token.type === 'octothorpe' ||
      (token.type === 'select' && token.cases.some(({ tokens: inner }) => usesNumber(inner))),
  );

function expression(token: Exclude<Token, Content>, argument: (name: string) => string): string {
  switch (token.type) {
    case 'argument':
      return argument(token.arg);
    case 'function':
      return `f.${token.key}(a.${token.arg})`;
    case 'octothorpe':
      return 'n';
    default: {
      const cases = token.cases.map(({ key, tokens: inner }) => `${JSON.stringify(key)}: ${codeOf(inner, argument)}`);
      const forms = `{ ${cases.join(', ')} }`;
      return token.type === 'select'
        ? `f.select(a.${token.arg}, ${forms})`
        : `f.${token.type}(a.${token.arg}, (${token.cases.some(({ tokens: inner }) => usesNumber(inner)) ? 'n' : ''}) => (${forms}))`;
    }
  }
}

type Tree = Map<string, Tree | string>;

interface Style {
  readonly isSource: boolean;
  readonly argument: (name: string) => string;
}

function tokensOf(key: string, message: string): readonly Token[] {
  try {
    return parse(message);
  } catch (cause) {
    // The library says where in the message, but not in which.
    throw new Error(`${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Source of a property: a text, or a function of the message's arguments. Only the source language states their types. */
function property(key: string, message: string, { isSource, argument }: Style): string {
  const tokens = tokensOf(key, message);
  const types = argumentTypes(tokens);
  if (types.size === 0) return codeOf(tokens, argument);
  const fields = [...types].map(([name, type]) => `readonly ${name}: ${type}`).join('; ');
  return `(${isSource ? `a: { ${fields} }` : 'a'}) => ${codeOf(tokens, argument)}`;
}

/** The groups and the name of a message. A dot within one of them is written as \\. in the catalogue. */
export const namesOf = (key: string): readonly string[] =>
  key.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));

function treeOf(catalogue: Catalogue, style: Style): Tree {
  const tree: Tree = new Map();
  for (const [key, message] of Object.entries(catalogue)) {
    const names = [...namesOf(key)];
    const last = names.pop() as string;
    let branch = tree;
    for (const name of names) {
      const next: Tree | string = branch.get(name) ?? new Map<string, Tree | string>();
      if (typeof next === 'string') throw new Error(`${key} is below a message`);
      branch.set(name, next);
      branch = next;
    }
    if (branch.has(last)) throw new Error(`${key} is a message and a group`);
    branch.set(last, property(key, message, style));
  }
  return tree;
}

const sourceOf = (tree: Tree): string =>
  `{\n${[...tree].map(([name, value]) => `${JSON.stringify(name)}: ${typeof value === 'string' ? value : sourceOf(value)},`).join('\n')}\n}`;

/** The modules of one language by name, such as `en-app`. */
export function compileCatalogue(catalogue: Catalogue, language: string): ReadonlyMap<string, string> {
  const isSource = language === 'en';
  const tree = treeOf(catalogue, {
    isSource,
    // The name of a file is often written the other way than the words around it, whose order it must not change.
    argument: (name) => (textDirection(language) === 'rtl' ? `f.isolate(a.${name})` : `a.${name}`),
  });
  const modules = new Map<string, string>();
  const add = (name: string, part: Tree) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Messages`;
    const head = isSource ? '' : `import type { ${type} } from './en-${name}.ts';\n`;
    const body = `export const messages = (f: LocaleFormat)${isSource ? '' : `: ${type}`} => (${sourceOf(part)});\n`;
    const tail = isSource ? `\nexport type ${type} = ReturnType<typeof messages>;\n` : '';
    modules.set(
      `${language}-${name}`,
      `// Made from catalogues/${language}.json. Change that file instead.\nimport type { LocaleFormat } from '../locale-format.ts';\n${head}\n${body}${tail}`,
    );
  };
  for (const section of sections) {
    const part = tree.get(section);
    tree.delete(section);
    if (part instanceof Map) add(section, part);
  }
  add('app', tree);
  return modules;
}

/** Languages that have a catalogue, as tags. */
export const catalogueLanguages = (): readonly string[] =>
  readdirSync(cataloguesFolder).map((name) => basename(name, '.json'));

export const readCatalogue = (language: string): Catalogue =>
  parseCatalogue(readFileSync(join(cataloguesFolder, `${language}.json`), 'utf8'));

/** Writes the modules that have changed, and removes those of languages that are gone. */
export function compileMessages(): void {
  mkdirSync(compiledFolder, { recursive: true });
  const left = new Set(readdirSync(compiledFolder));
  for (const language of catalogueLanguages()) {
    for (const [name, source] of compileCatalogue(readCatalogue(language), language)) {
      const path = join(compiledFolder, `${name}.ts`);
      if (!left.delete(`${name}.ts`) || readFileSync(path, 'utf8') !== source) writeFileSync(path, source);
    }
  }
  for (const name of left) rmSync(join(compiledFolder, name));
}
