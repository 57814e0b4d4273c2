import { parse, type Token } from '@messageformat/parser';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argumentTypes, catalogueLanguages, readCatalogue } from '../../scripts/compile-messages.mts';
import { spokenLanguages } from '../../src/shared/messages/languages.ts';
import { controlCharacters } from '../../src/shared/text/control-characters.ts';

const catalogues = join(import.meta.dirname, '../../src/shared/messages/catalogues');
const english = readCatalogue('en');
const languages = catalogueLanguages();

/** The forms that whole numbers need, without those of a million and more, which are rare and which `other` serves. */
const formsOf = (language: string): ReadonlySet<string> => {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)));
};

function* tokensOf(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token;
    if ('cases' in token) for (const { tokens: inner } of token.cases) yield* tokensOf(inner);
  }
}

const entries = (language: string) => Object.entries(readCatalogue(language));

test('each catalogue is a language that Timbre speaks', () => {
  expect([...languages].sort()).toEqual([...spokenLanguages].sort());
});

test('each description is of a message', () => {
  const file = readFileSync(join(catalogues, 'en.json'), 'utf8');
  const described = Object.keys(JSON.parse(file) as object).filter((key) => /^@[^@]/.test(key));
  expect(described.filter((key) => !(key.slice(1) in english))).toEqual([]);
});

describe.each(languages)('%s', (language) => {
  test('has every message and no other', () => {
    expect(Object.keys(readCatalogue(language)).sort()).toEqual(Object.keys(english).sort());
  });

  test('has the arguments of the English messages', () => {
    const typesOf = (message: string) => [...argumentTypes(parse(message)).keys()].sort().join();
    const wrong = entries(language).filter(([key, message]) => typesOf(message) !== typesOf(english[key] ?? ''));
    expect(wrong).toEqual([]);
  });

  test('has the plural forms of the language', () => {
    const wanted = formsOf(language);
    const wrong = entries(language).filter(([, message]) =>
      [...tokensOf(parse(message))].some((token) => {
        if (token.type !== 'plural') return false;
        const keys = token.cases.map(({ key }) => key).filter((key) => !key.startsWith('='));
        return !keys.includes('other') || [...wanted].some((form) => !keys.includes(form));
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('has the cases of each choice, by the names that the app gives them', () => {
    const casesOf = (message: string): string => {
      const keys = [...tokensOf(parse(message))].flatMap((token) =>
        token.type === 'select' ? token.cases.map(({ key }) => `${token.arg} ${key}`) : [],
      );
      return [...new Set(keys)].sort().join();
    };
    const wrong = entries(language).filter(([key, message]) => casesOf(message) !== casesOf(english[key] ?? ''));
    expect(wrong).toEqual([]);
  });

  test('has no empty message, unless English has', () => {
    expect(entries(language).filter(([key, message]) => message === '' && english[key] !== '')).toEqual([]);
  });

  test('names what a button shows in its full name, so that one can say what one sees', () => {
    const catalogue = readCatalogue(language);
    const letter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Arabic}]';
    const wrong = entries(language).filter(([key, message]) => {
      const shown = /^((?:connections|presets)\..*)Named$/.exec(key)?.[1];
      return shown !== undefined && !new RegExp(`(?<!${letter})${catalogue[shown]}(?!${letter})`, 'iu').test(message);
    });
    expect(wrong).toEqual([]);
  });

  test('names commands, options and placeholders as they are typed', () => {
    // Such as `--out`, `timbre help` and the `{token}` of a header.
    const typed = /(?<![\w-])--[a-z][a-z-]*|\btimbre [a-z]+|'\{'\w+'\}'/g;
    const typedIn = (message: string) => [...new Set(message.match(typed))].sort().join();
    const wrong = entries(language).filter(([key, message]) => typedIn(message) !== typedIn(english[key] ?? ''));
    expect(wrong).toEqual([]);
  });

  test('is marked as its language, and leaves descriptions to English', () => {
    const file = JSON.parse(readFileSync(join(catalogues, `${language}.json`), 'utf8')) as Readonly<
      Record<string, unknown>
    >;
    const marks = Object.keys(file).filter((key) => key.startsWith('@'));
    expect(file['@@locale']).toBe(language);
    expect(marks.filter((key) => language !== 'en' && key !== '@@locale')).toEqual([]);
  });

  test('has no message of several words that is still English', () => {
    const wordsOf = (message: string) => message.replaceAll(/\{[^{}]*\}/g, '').match(/[A-Za-z]{2,}/g) ?? [];
    const wrong = entries(language).filter(
      ([key, message]) => language !== 'en' && message === english[key] && wordsOf(message).length > 1,
    );
    expect(wrong).toEqual([]);
  });

  test('has no invisible characters that change the order of words, which a terminal would show', () => {
    expect(
      entries(language).filter(([, message]) => message.replaceAll('\n', '').search(controlCharacters) >= 0),
    ).toEqual([]);
  });

  test('has no blanks at the ends, and no two in a row', () => {
    const wrong = entries(language).filter(([, message]) =>
      /^[^\S\u00a0]|[^\S\u00a0]$| {2}(?! )/.test(message.replaceAll('\n  ', '')),
    );
    expect(wrong).toEqual([]);
  });
});

test('no code adds a full stop, or a blank between two messages, which differ between languages', () => {
  const code = join(import.meta.dirname, '../../src');
  // A message with arguments before another, or a text, not a number, with a full stop behind it.
  const own = /\}\)\} \$\{|(?<!\+ 1)\}\. \$\{|\)\}\.`/;
  const found = ['renderer/src', 'cli', 'main', 'shared/messages'].flatMap((part) =>
    readdirSync(join(code, part), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|svelte)$/.test(name) && !/test|fixture|compiled/.test(name))
      .flatMap((name) => {
        const lines = readFileSync(join(code, part, name), 'utf8').split('\n');
        return lines.flatMap((line) => (own.test(line) ? `${name}: ${line.trim()}` : []));
      }),
  );
  expect(found).toEqual([]);
});

test('no markup adds a full stop, comma or colon, which differ between languages', () => {
  const page = join(import.meta.dirname, '../../src/renderer/src');
  const own = /\}[.,;:!?…]\s*<\/|\}[.!?…]\s|<\/\w+>[.,;:!?…]/;
  const found = readdirSync(page, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.svelte'))
    .flatMap((name) => {
      const markup = readFileSync(join(page, name), 'utf8').replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
      return markup.split('\n').flatMap((line) => (own.test(line) ? `${name}: ${line.trim()}` : []));
    });
  expect(found).toEqual([]);
});
