import { capitalized, textDirection } from './languages.ts';

/** Between facts of one line, where it is not a comma and a space. */
const separators: ReadonlyMap<string, string> = new Map([
  ['ar', '، '],
  ['ja', '、'],
  ['zh', '，'],
]);

const withoutGaps = (parts: readonly (string | undefined)[]): readonly string[] =>
  parts.filter((part): part is string => part !== undefined && part !== '');

/** The texts of a message by the case that each is for. */
type Forms = Readonly<Record<string, string>> & { readonly other: string };

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The power of 1,000 that a size is shown in: 0 for bytes to 4 for terabytes. */
const powerOf = (bytes: number): number =>
  Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));

/** The largest unit that is shown of a time ago, in seconds. */
const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A time for messages that put it in words. */
export interface Moment {
  /** Of `another` day, the date matters. */
  readonly day: 'today' | 'another';
  readonly date: string;
  readonly time: string;
}

export type LocaleFormat = ReturnType<typeof createFormat>;

const formats = new Map<string, LocaleFormat>();

/**
 * Returns the cached formats of a language, and of a region that may be another: `de` and `de-CH`. Each Intl object takes up to 1 ms to
 * create, so it is created on first use.
 */
export function formatFor(language: string, locale: string = language): LocaleFormat {
  const format = formats.get(locale) ?? createFormat(language, locale);
  formats.set(locale, format);
  return format;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Formats numbers, sizes, times and plurals in one language. Pure: the caller passes the current time. */
function createFormat(language: string, regional: string) {
  // English without a region is that of most of the world: the day before the month, and 24 hours.
  const locale = regional === 'en' ? 'en-GB' : regional;
  const numbers = new Map<string, Intl.NumberFormat>();
  const dates = (options: Intl.DateTimeFormatOptions, localeOf: () => string | Intl.Locale = () => locale) => {
    const format = once(() => new Intl.DateTimeFormat(localeOf(), options));
    return (at: number): string => format().format(at);
  };

  function numberWith(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options);
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
    numbers.set(key, format);
    const text = format.format(value);
    // A unit stays on the line of its number, also where Intl writes a plain space.
    return options.style === 'unit' ? text.replaceAll(' ', '\u00a0') : text;
  }

  const grouped = once(() => new Intl.NumberFormat(locale));
  const numberingSystem = once(() => grouped().resolvedOptions().numberingSystem);
  /** The words of the language with the digits of the region, as Egypt writes Arabic. */
  const inWords = () => new Intl.Locale(language, { numberingSystem: numberingSystem() });
  const inDigits = (text: string): string =>
    numberingSystem() === 'latn' ? text : text.replaceAll(/\d/g, (digit) => grouped().format(Number(digit)));
  const plurals = once(() => new Intl.PluralRules(language));
  const lists = once(() => new Intl.ListFormat(language, { type: 'conjunction' }));
  const relative = once(() => new Intl.RelativeTimeFormat(inWords(), { numeric: 'always' }));
  const name = new Intl.Locale(language).language;
  const isChinese = name === 'zh';
  const isSpaced = name !== 'ja' && !isChinese;
  const fullStop = isSpaced ? '.' : '。';
  const gap = isSpaced ? ' ' : '';
  const sentence = (title: string): string => (/[.!?。！？؟…]$/.test(title) ? title : title + fullStop);
  const colon = name === 'fr' ? '\u00a0: ' : isSpaced ? ': ' : '：';
  const separator = separators.get(name) ?? ', ';
  const isMirrored = textDirection(language) === 'rtl';
  /** Japanese text has no blank before a unit, though Intl writes one. Chinese text has it, though Intl writes none. */
  const unspaced = (text: string): string => {
    if (isSpaced) return text;
    const plain = text.replaceAll(/\s/g, '');
    return isChinese ? plain.replaceAll(/(?<=\d)(?=\p{L})/gu, '\u00a0') : plain;
  };
  // The symbols of SI are those of the Latin script.
  const isLatin = new Intl.Locale(language).maximize().script === 'Latn';
  const short = (unit: 'hour' | 'minute' | 'second', symbol: string, value: number): string =>
    isLatin
      ? `${grouped().format(value)}\u00a0${symbol}`
      : unspaced(numberWith(value, { style: 'unit', unit, unitDisplay: 'short' }));
  const clock = dates({ timeStyle: 'short' });
  const second = dates({ timeStyle: 'medium' });
  const month = dates({ month: 'long', year: 'numeric' }, inWords);
  const shortMonth = dates({ month: 'short' }, inWords);

  const dayOfYear = dates({ day: 'numeric', month: 'short' });
  const shortDate = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const weekdayAndDay = dates({ weekday: 'long', day: 'numeric', month: 'long' });
  const weekdayAndDate = dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const dayAndMonth = dates({ day: 'numeric', month: 'long' });
  const longDate = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short' });
  const long = (unit: 'hour' | 'minute' | 'second', value: number): string =>
    unspaced(numberWith(value, { style: 'unit', unit, unitDisplay: 'long' }));
  const fixed = (value: number, digits: number): string =>
    numberWith(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

  const bytesIn = (bytes: number, power: number, unit: boolean): string => {
    const value = bytes / 1000 ** power;
    const digits = power > 1 && value < 10 ? 1 : 0;
    return unit
      ? // The short form of bytes has no plural: 108 byte.
        numberWith(value, {
          style: 'unit',
          unit: byteUnits[power],
          unitDisplay: power === 0 ? 'long' : 'short',
          maximumFractionDigits: digits,
        })
      : numberWith(value, { maximumFractionDigits: digits });
  };

  return {
    number: (value: number): string => grouped().format(value),
    fixed,
    /** The form of a number: the exact one (`=0`), or that of its plural category. `forms` gets the number as it is written. */
    plural(value: number, forms: (n: string) => Forms): string {
      const made = forms(grouped().format(value));
      return made[`=${value}`] ?? made[plurals().select(value)] ?? made.other;
    },
    select: (value: string | boolean, forms: Forms): string => forms[String(value)] ?? forms.other,
    oneDecimal: (value: number): string => fixed(value, 1),
    /** With a sign, unless it is 0, and at most one decimal place. */
    signed(value: number): string {
      const text = numberWith(value, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }).replace('-', '−');
      // A sign is written before its number, also between words from right to left. The mark from Intl would turn the whole text.
      return isMirrored ? `\u2066${text.replace(/[\u200e\u061c]/, '')}\u2069` : text;
    },
    /** At most one decimal place. */
    tenths: (value: number): string => grouped().format(Math.round(value * 10) / 10),
    whole: (value: number): string => grouped().format(Math.round(value)),
    /** As it is written in files and on the command line. */
    plain: (value: number): string => String(value),
    /** How long ago something was, in its largest whole unit of a minute or more: 4 minutes ago. */
    ago: (seconds: number): string => {
      const [unit, length] = steps.find(([, length]) => seconds >= length) ?? ['minute', 60];
      return unspaced(relative().format(-Math.floor(seconds / length), unit));
    },
    bytes: (bytes: number): string => bytesIn(bytes, powerOf(bytes), true),
    /** Both sizes in the unit of the total, which is written once: 31 and 58 MB. */
    bytesPair: (done: number, total: number): { readonly done: string; readonly total: string } => ({
      done: bytesIn(done, powerOf(total), false),
      total: bytesIn(total, powerOf(total), true),
    }),
    /** Seconds as a position: 0:07, 6:12, 2:48:09. */
    clockLength: (seconds: number): string => {
      const whole = Math.max(0, Math.floor(seconds));
      const tail = String(whole % 60).padStart(2, '0');
      const minutes = Math.floor(whole / 60);
      return inDigits(
        minutes < 60
          ? `${minutes}:${tail}`
          : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${tail}`,
      );
    },
    /** Seconds to a hundredth. */
    exactSeconds: (seconds: number): string =>
      isLatin
        ? `${fixed(seconds, 2)}\u00a0s`
        : unspaced(
            numberWith(seconds, { style: 'unit', unit: 'second', unitDisplay: 'short', minimumFractionDigits: 2 }),
          ),
    /** A time that is still running: seconds below two minutes, then minutes. */
    span: (seconds: number): string =>
      seconds < 120 ? short('second', 's', Math.floor(seconds)) : short('minute', 'min', Math.floor(seconds / 60)),
    /** A duration: seconds below a minute, minutes below an hour, then hours and minutes. */
    length: (seconds: number): string => {
      if (seconds < 59.5) return short('second', 's', Math.round(seconds));
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? short('hour', 'h', hours) : '', rest > 0 ? short('minute', 'min', rest) : '']
        .filter((part) => part !== '')
        .join(name === 'ja' ? '' : '\u00a0');
    },
    /** Like `length`, with whole words: 31 minutes, 1 hour 12 minutes. */
    longLength: (seconds: number): string => {
      if (seconds < 59.5) return long('second', Math.round(seconds));
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? long('hour', hours) : '', rest > 0 ? long('minute', rest) : '']
        .filter((part) => part !== '')
        .join(isSpaced ? ' ' : isChinese ? '\u00a0' : '');
    },
    /** A weekday with its date, as a heading; the year only if it is not this year. */
    day: (at: number, now: number): string => {
      const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
      return capitalized((isThisYear ? weekdayAndDay : weekdayAndDate)(at), language);
    },
    month: (at: number): string => month(at),
    /** A month and its year, for narrow columns. Languages that write the year first have no shorter names for months. */
    shortMonthOfYear: (at: number): string => {
      const text = month(at);
      return /^\d/.test(text) ? text : `${shortMonth(at)} ${inDigits(String(new Date(at).getFullYear()))}`;
    },
    /** A month without its year, for narrow columns. */
    shortMonth: (at: number): string => shortMonth(at),
    clock: (at: number): string => clock(at),
    /** A day without its year, for narrow columns. */
    shortDay: (at: number): string => dayOfYear(at),
    /** A date with its year and a short month. */
    date: (at: number): string => shortDate(at),
    /** Date and time. */
    dateTime: (at: number): string => dateTime(at),
    /** A future time, for messages that put it in words: with seconds within 10 minutes, with its date after 12 hours. */
    appointment: (at: number, now: number): Moment => {
      const hours = (at - now) / 3_600_000;
      const time = (hours < 1 / 6 ? second : clock)(at);
      return { day: hours < 12 ? 'today' : 'another', date: dayAndMonth(at), time };
    },
    /** A past time, for messages that put it in words; the year only if it is not this year. */
    past: (at: number, now: number): Moment => {
      const [then, today] = [new Date(at), new Date(now)];
      const day = then.toDateString() === today.toDateString() ? 'today' : 'another';
      return { day, date: (then.getFullYear() === today.getFullYear() ? dayOfYear : shortDate)(at), time: clock(at) };
    },
    list: (names: readonly string[]): string => lists().format(names),
    /** Keeps the order of the words around a text that may be written in the other direction. */
    isolate: (text: string): string => `\u2068${text}\u2069`,
    /** What a value is, and the value. */
    labelled: (label: string, value: string): string => `${label}${colon}${value}`,
    /** Between facts of one line. */
    separator,
    /** Short facts in one line, without those that are missing: 3 running, 4 waiting. */
    facts: (...parts: readonly (string | undefined)[]): string => withoutGaps(parts).join(separator),
    /** A title as a sentence. */
    sentence,
    /** The same before another sentence that is marked up differently. */
    firstSentence: (title: string): string => sentence(title) + gap,
    /** Between sentences. */
    gap,
    /** Whole sentences after each other, without those that are missing. */
    sentences: (...parts: readonly (string | undefined)[]): string => withoutGaps(parts).join(gap),
    /** Like `moment`, for narrow columns: short month, and no year if it is this year. */
    stamp: (at: number, now: number): string => {
      const [then, today] = [new Date(at), new Date(now)];
      if (then.toDateString() === today.toDateString()) return clock(at);
      return (then.getFullYear() === today.getFullYear() ? dayOfYear : shortDate)(at);
    },
    /** A time for today, a date for any other day. */
    moment: (at: number, now: number): string => {
      const isToday = new Date(at).toDateString() === new Date(now).toDateString();
      return (isToday ? clock : longDate)(at);
    },
  };
}
