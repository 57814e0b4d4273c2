import { expect, test } from 'vitest';
import { compileCatalogue, parseCatalogue } from './compile-messages.mts';

const compiled = (catalogue: Readonly<Record<string, string>>, language = 'en') =>
  compileCatalogue(catalogue, language).get(`${language}-app`) ?? '';

test('a message without arguments is a text, others are functions of what they name', () => {
  const source = compiled({
    'a.plain': 'Quit “Timbre”?',
    'a.named': 'Moved {name} to {place, number}.',
    'a.counted': '{n, plural, =0 {None} one {# file} other {# files in {folder}}}',
    'a.kind': '{isNew, select, true {new} other {old}}',
  });
  expect(source).toContain('"plain": "Quit “Timbre”?"');
  expect(source).toContain("(a: { readonly name: string; readonly place: Parameters<LocaleFormat['number']>[0] })");
  expect(source).toContain('`Moved ${a.name} to ${f.number(a.place)}.`');
  expect(source).toContain('(a: { readonly n: number; readonly folder: string })');
  expect(source).toContain(
    'f.plural(a.n, (n) => ({ "=0": "None", "one": `${n} file`, "other": `${n} files in ${a.folder}` }))',
  );
  expect(source).toContain('f.select(a.isNew, { "true": "new", "other": "old" })');
});

test('what JavaScript would read as its own is text', () => {
  const source = compiled({ 'a.b': 'C:\\{name}\\`x` ${y}\n“#”' });
  const text = /=> (`[^]*`),\n/.exec(source)?.[1] ?? '';
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function('a', `return ${text}`) as (a: object) => string;
  expect(run({ name: 'N', y: 'Y' })).toBe('C:\\N\\`x` $Y\n“#”');
});

test('an escaped dot belongs to its name', () => {
  expect(compiled({ 'names.hosts\\.voice': 'Address' })).toContain('"names": {\n"hosts.voice": "Address",');
});

test('a message cannot be a group too', () => {
  expect(() => compiled({ a: 'x', 'a.b': 'y' })).toThrow('a.b is below a message');
  expect(() => compiled({ 'a.b': 'y', a: 'x' })).toThrow('a is a message and a group');
});

test('descriptions for translators are not compiled', () => {
  expect(parseCatalogue('{"@@locale":"en","a.b":"x","@a.b":{"description":"y"}}')).toEqual({ 'a.b': 'x' });
});

test('translations have the type of the English messages', () => {
  expect(compiled({ 'a.b': '{n, number}' }, 'de')).toContain('(f: LocaleFormat): AppMessages =>');
});

test('a language that is written from right to left keeps texts of other directions apart', () => {
  const source = compiled({ 'a.b': '{name}: {n, number}' }, 'ar');
  expect(source).toContain('`${f.isolate(a.name)}: ${f.number(a.n)}`');
});

test('a message that cannot be read is named', () => {
  expect(() => compiled({ 'a.b': 'One', 'a.c': '{n, plural, one {x}' })).toThrow(/^a\.c: /);
});
