import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fliteText } from './flite-text.ts';

it.each([
  ['5\u00a0km,\u2003then\u3000/ on', '5 km, then slash on'],
  ['Plain text, $4.50 and 12%.', 'Plain text, $4.50 and 12 percent.'],
  ['It’s a “quote”…', 'It\'s a "quote"...'],
  ['Go—now – or later', 'Go, now, or later'],
  ['pages 3–5', 'pages 3 to 5'],
  ['on 2026-05-03', 'on May 3, 2026'],
  ['03/05/2026', '03 slash 05 slash 2026'],
  ['1/2 and ½', '1/2 and 1/2'],
  ['and/or', 'and slash or'],
  ['£5, € 1,200.50 and 6 €', '5 pounds, 1,200.50 euros and 6 euros'],
  ['20 °C', '20 degrees Celsius '],
  ['www.example.com', 'www dot example dot com'],
  ['e.g. the U.S.A. at 3.14', 'e.g. the U.S.A. at 3.14'],
  ['version 1.2.3', 'version 1 point 2 point 3'],
  ['a@b & c', 'a at b and c'],
  ['5+3=8', '5 plus 3 equals 8'],
  ['café naïve Müller Straße Łódź', 'cafe naive Muller Strasse Lodz'],
  ['**bold** [link] `code`', " bold link 'code'"],
])('Flite speaks %j as %j', (text, expected) => {
  expect(fliteText(text)).toBe(expected);
});

it.each(['', ' ', '***', '...', '日本語', 'Hello, мир', 'smile 😀', 'pi is π', 'مرحبا', 'x²'])(
  'leaves %j to eSpeak NG',
  (text) => {
    expect(fliteText(text)).toBeNull();
  },
);

// Quadratic time would take hours.
it.each(['7', ' ', '-', '.', '7.', '/7', '7/', '€', 'é', '\u0301', 'a.', '—', '\n'])(
  'reads a million characters of %j',
  (part) => expect(fliteText(part.repeat(1_000_000)) ?? '').toMatch(/^[ -~\n]*$/),
  60_000,
);

it('never gives Flite a sign beyond ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      // eslint-disable-next-line no-control-regex
      expect(fliteText(text) ?? '').toMatch(/^[\x00-\x7f]*$/);
    }),
  );
});
