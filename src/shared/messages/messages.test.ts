import { problemText } from './problem-text.ts';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../errors.ts';
import { spokenLanguages } from './languages.ts';
import { formatFor } from './locale-format.ts';
import { problemHandling } from '../errors.ts';
import { loadMessages, type Messages } from './index.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');

const all = await Promise.all(spokenLanguages.map((language) => loadMessages(language)));

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('messages', () => {
  test.each(all)(
    'every problem in $language has a title and advice without a please or an exclamation mark',
    (messages) => {
      for (const code of errorCodes) {
        const { title, advice } = problemText(messages, { code });
        expect(Math.min(title.length, advice.length), code).toBeGreaterThan(2);
        expect(`${title} ${advice}`, code).not.toMatch(/[!！]|\b(?:please|bitte|oops|undefined)\b|NaN/);
        expect(title, code).not.toMatch(/[.。]$/);
        expect(advice, code).toMatch(/[.。]$/);
        expect(problemHandling[code].severity).toBeTruthy();
      }
    },
  );

  test('each row of a table that cannot be spoken is named with its problem', () => {
    const facts = { count: 3, rows: '2 table/no-text, 3 voice/speaker-not-found, 4 pronunciation/too-long' };
    const { advice } = problemText(en, { code: 'table/bad-rows', facts });
    const titles = (['table/no-text', 'voice/speaker-not-found', 'pronunciation/too-long'] as const).map(
      (code) => en.problems[code].title,
    );
    expect(plain(advice)).toContain(titles.map((title, k) => `Row ${k + 2}: ${title}.`).join(' '));
  });

  test('known facts are part of the text', () => {
    const facts = { promisedSeconds: 552, actualSeconds: 400 };
    expect(problemText(en, { code: 'input/cut', facts }).advice).toBe(
      'The file should be 9:12 long, but only 6:40 is there. Save it again, then try again.',
    );
    expect(problemText(en, { code: 'input/cut' }).advice).toBe('Save it again, then try again.');
    const large = { limitBytes: 200e6, actualBytes: 1.9e9 };
    expect(problemText(en, { code: 'service/refused', facts: large }).title).toBe('Too large for this service');
    expect(plain(problemText(en, { code: 'service/refused', facts: large }).advice)).toContain(
      'The limit is 200 MB, and this is 1.9 GB.',
    );
    expect(plain(problemText(de, { code: 'rate/limited', facts: { retryAfterSeconds: 12 } }).advice)).toContain('12 s');
  });

  test.each([
    [{ reason: 'ECONNREFUSED' }, 'Can’t reach the proxy'],
    [{ reason: 'ENOTFOUND' }, 'Can’t reach the proxy'],
    [{ reason: 'UND_ERR_ABORTED', status: 407 }, 'The proxy requires a valid name and password'],
    [{ reason: 'UND_ERR_ABORTED', status: 403 }, 'The proxy refused the request'],
    [{ reason: 'HPE_INVALID_CONSTANT' }, 'Can’t connect through the proxy'],
    [undefined, 'The proxy’s address isn’t valid'],
  ])('what is wrong with a proxy follows from %j', (facts, title) => {
    expect(problemText(en, { code: 'network/proxy', ...(facts && { facts }) }).title).toBe(title);
  });

  test('a result at an insecure address is not called an untrusted certificate', () => {
    const { title, advice } = problemText(en, { code: 'network/insecure', facts: { resultHost: 'files.example' } });
    expect(title).toBe('The result isn’t at a secure address');
    expect(advice).toContain('files.example');
  });

  test.each(spokenLanguages)(
    'in %s, data of a newer Timbre is refused with both versions and the backup',
    async (language) => {
      const messages = await loadMessages(language);
      const facts = { found: 2712, known: 1961 };
      const backup = '/home/ada/timbre.db.before-1962';
      const { advice } = problemText(messages, { code: 'data/newer', facts });
      expect(['2712', '1961', 'timbre.db'].map((part) => advice.includes(part))).toEqual([true, true, false]);
      expect(problemText(messages, { code: 'data/newer', facts: { ...facts, backup } }).advice).toContain(backup);
    },
  );

  test('facts of the wrong type are left out', () => {
    const facts = { promisedSeconds: 'long', actualSeconds: Number.NaN };
    expect(problemText(en, { code: 'input/cut', facts }).advice).toBe('Save it again, then try again.');
  });

  test('plurals follow the number', () => {
    expect(en.convert.added({ n: 1 })).toBe('Added 1 recording.');
    expect(en.convert.added({ n: 1200 })).toBe('Added 1,200 recordings.');
    expect(de.convert.refused({ n: 1 })).toBe('1 lässt sich nicht konvertieren; den Grund zeigt die Liste.');
    expect(en.convert.counts.needAttention({ n: 1 })).toBe('1 needs attention');
  });

  test('an appointment of another day has its date', () => {
    const now = new Date(2026, 10, 20, 23, 50, 0).getTime();
    const nextTry = (ms: number, { queue, format }: Messages) =>
      queue.nextTry({ ...format.appointment(now + ms, now), n: 2 });
    expect(nextTry(12_000, en)).toBe('Next try at 23:50:12, tried 2 times');
    expect(nextTry(3_600_000, en)).toBe('Next try at 00:50, tried 2 times');
    expect(nextTry(48 * 3_600_000, en)).toBe('Next try on 22 November at 23:50, tried 2 times');
    expect(nextTry(48 * 3_600_000, de)).toBe('Nächster Versuch am 22. November um 23:50, 2\u00a0Mal versucht');
  });
});

describe('format', () => {
  const english = formatFor('en');
  const german = formatFor('de');

  test('sizes are decimal, with a space and at most one decimal place', () => {
    expect([0, 1, 108].map((n) => plain(english.bytes(n)))).toEqual(['0 bytes', '1 byte', '108 bytes']);
    expect(plain(english.bytes(58_200_000))).toBe('58 MB');
    expect(plain(english.bytes(1_900_000_000))).toBe('1.9 GB');
    expect(plain(german.bytes(1_900_000_000))).toBe('1,9 GB');
  });

  test('a pair of sizes has its unit once', () => {
    const { done, total } = english.bytesPair(31e6, 58e6);
    expect([done, total].map(plain)).toEqual(['31', '58 MB']);
  });

  test('positions are minutes and seconds, with hours if needed', () => {
    expect(english.clockLength(7)).toBe('0:07');
    expect(english.clockLength(372.9)).toBe('6:12');
    expect(english.clockLength(10_089)).toBe('2:48:09');
  });

  test('a running time is in seconds below two minutes, then in minutes', () => {
    expect(plain(english.span(12.7))).toBe('12 s');
    expect(plain(english.span(119))).toBe('119 s');
    expect(plain(english.span(125))).toBe('2 min');
    expect(plain(german.span(12))).toBe('12 s');
  });

  test('durations are in seconds below a minute, then in minutes, then in hours and minutes', () => {
    expect([40, 59.7, 1500, 3600, 11_400].map((seconds) => plain(english.length(seconds)))).toEqual([
      '40 s',
      '1 min',
      '25 min',
      '1 h',
      '3 h 10 min',
    ]);
  });

  test('moments of today are clock times, others dates', () => {
    const now = new Date(2026, 10, 20, 18, 0).getTime();
    expect(english.moment(new Date(2026, 10, 20, 14, 31).getTime(), now)).toBe('14:31');
    expect(english.moment(new Date(2026, 10, 3, 14, 31).getTime(), now)).toContain('2026');
  });

  test('numbers and dates are those of the region, words those of the language', () => {
    const now = new Date(2026, 10, 20, 18, 0).getTime();
    const [british, american, swiss] = [english, formatFor('en', 'en-US'), formatFor('de', 'de-CH')];
    expect([british, american].map(({ date }) => date(now))).toEqual(['20 Nov 2026', 'Nov 20, 2026']);
    expect([british, american].map(({ clock }) => plain(clock(now)))).toEqual(['18:00', '6:00 PM']);
    expect([german, swiss].map(({ number }) => number(1_234_567))).toEqual(['1.234.567', "1'234'567"]);
    expect(american.list(['a', 'b', 'c'])).toBe(british.list(['a', 'b', 'c']));
  });

  test('digits are those of the region, also in words and positions', () => {
    const now = new Date(2026, 10, 20, 18, 0).getTime();
    const egyptian = formatFor('ar', 'ar-EG');
    const texts = [egyptian.clockLength(372), egyptian.ago(300), egyptian.month(now), egyptian.shortMonthOfYear(now)];
    expect(texts).toEqual(['٦:١٢', 'قبل ٥ دقائق', 'نوفمبر ٢٠٢٦', 'نوفمبر ٢٠٢٦']);
    expect(egyptian.signed(-3)).toBe('\u2066−٣\u2069');
  });

  test('a day is a heading of its own, with a capital', () => {
    const now = new Date(2026, 10, 26).getTime();
    const days = (['fr', 'pl', 'ru', 'ja'] as const).map((language) => formatFor(language).day(now, now));
    expect(days).toEqual(['Jeudi 26 novembre', 'Czwartek, 26 listopada', 'Четверг, 26 ноября', '11月26日木曜日']);
  });

  test('sentences follow each other without those that are missing', () => {
    expect(english.sentences('One.', '', undefined, 'Two.')).toBe('One. Two.');
    expect(formatFor('ja').sentences('一。', '二。')).toBe('一。二。');
    expect([english.firstSentence('One'), formatFor('ja').firstSentence('一')]).toEqual(['One. ', '一。']);
  });

  test('units are those of the script', () => {
    expect(plain(formatFor('ru').span(12))).toBe('12 с');
  });

  test.each([
    ['ja', '3時間10分', '12秒', '5分前'],
    ['zh-Hans', '3 小时 10 分钟', '12 秒', '5 分钟前'],
    ['ko', '3시간 10분', '12초', '5분 전'],
  ])('durations in %s have blanks only where the script has them', (language, hours, seconds, ago) => {
    const format = formatFor(language);
    expect([format.length(11_400), format.longLength(11_400)].map(plain)).toEqual([hours, hours]);
    expect([format.span(12), format.ago(300)].map(plain)).toEqual([seconds, ago]);
  });
});
