/** Plural forms by CLDR category. Every language has `other`. */
type Plurals = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The power of 1,000 that a size is shown in: 0 for bytes to 4 for terabytes. */
const powerOf = (bytes: number): number =>
  Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));

export type LocaleFormat = ReturnType<typeof createFormat>;

const formats = new Map<string, LocaleFormat>();

/** Returns the cached format of a language. Each Intl object takes up to 1 ms to create, so it is created on first use. */
export function formatFor(language: string): LocaleFormat {
  const format = formats.get(language) ?? createFormat(language);
  formats.set(language, format);
  return format;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Formats numbers, sizes, times and plurals in one language. Pure: the caller passes the current time. */
function createFormat(language: string) {
  const numbers = new Map<string, Intl.NumberFormat>();
  const dates = (options: Intl.DateTimeFormatOptions, locale = language) => {
    const format = once(() => new Intl.DateTimeFormat(locale, options));
    return (at: number): string => format().format(at);
  };

  function numberWith(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options);
    const format = numbers.get(key) ?? new Intl.NumberFormat(language, options);
    numbers.set(key, format);
    return format.format(value);
  }

  const plain = once(() => new Intl.NumberFormat(language));
  const plurals = once(() => new Intl.PluralRules(language));
  const lists = once(() => new Intl.ListFormat(language, { type: 'conjunction' }));
  const clock = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const second = dates({ timeStyle: 'medium', hourCycle: 'h23' });
  const month = dates({ month: 'long', year: 'numeric' });
  const shortMonth = dates({ month: 'short' });

  // Day before month: 12 Nov.
  const british = language === 'en' ? 'en-GB' : language;
  const dayOfYear = dates({ day: 'numeric', month: 'short' }, british);
  const shortDate = dates({ day: 'numeric', month: 'short', year: 'numeric' }, british);
  const weekday = dates({ weekday: 'long' }, british);
  const dayAndMonth = dates({ day: 'numeric', month: 'long' }, british);
  const longDate = dates({ day: 'numeric', month: 'long', year: 'numeric' }, british);
  const day = dates({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, british);
  const [at, on] = language === 'de' ? (['um', 'am'] as const) : (['at', 'on'] as const);
  const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }, british);
  const long = (unit: 'hour' | 'minute' | 'second', value: number): string =>
    numberWith(value, { style: 'unit', unit, unitDisplay: 'long' });
  const fixed = (value: number, digits: number): string =>
    numberWith(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

  const bytesIn = (bytes: number, power: number, unit: boolean): string => {
    const value = bytes / 1000 ** power;
    const digits = power > 1 && value < 10 ? 1 : 0;
    return unit
      ? numberWith(value, { style: 'unit', unit: byteUnits[power], maximumFractionDigits: digits })
      : numberWith(value, { maximumFractionDigits: digits });
  };

  return {
    number: (value: number): string => plain().format(value),
    fixed,
    /** Selects the plural form for a number and replaces its `#` with the number. */
    count: (value: number, forms: Plurals): string =>
      (forms[plurals().select(value)] ?? forms.other).replace('#', plain().format(value)),
    bytes: (bytes: number): string => bytesIn(bytes, powerOf(bytes), true),
    /** Both sizes in the unit of the total, which is written once: ["31", "58 MB"]. */
    bytesPair: (done: number, total: number): readonly [string, string] => [
      bytesIn(done, powerOf(total), false),
      bytesIn(total, powerOf(total), true),
    ],
    /** Seconds as a position: 0:07, 6:12, 2:48:09. */
    clockLength: (seconds: number): string => {
      const whole = Math.max(0, Math.floor(seconds));
      const tail = String(whole % 60).padStart(2, '0');
      const minutes = Math.floor(whole / 60);
      return minutes < 60
        ? `${minutes}:${tail}`
        : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${tail}`;
    },
    /** Seconds to a hundredth. */
    exactSeconds: (seconds: number): string => `${fixed(seconds, 2)}\u00a0s`,
    /** A time that is still running: seconds below two minutes, then minutes. SI symbols are the same in every language. */
    span: (seconds: number): string =>
      seconds < 120
        ? `${plain().format(Math.floor(seconds))}\u00a0s`
        : `${plain().format(Math.floor(seconds / 60))}\u00a0min`,
    /** A duration: seconds below a minute, minutes below an hour, then hours and minutes. */
    length: (seconds: number): string => {
      if (seconds < 59.5) return `${plain().format(Math.round(seconds))}\u00a0s`;
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? `${plain().format(hours)}\u00a0h` : '', rest > 0 ? `${rest}\u00a0min` : '']
        .filter((part) => part !== '')
        .join('\u00a0');
    },
    /** Like `length`, with whole words: 31 minutes, 1 hour 12 minutes. */
    longLength: (seconds: number): string => {
      if (seconds < 59.5) return long('second', Math.round(seconds));
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? long('hour', hours) : '', rest > 0 ? long('minute', rest) : '']
        .filter((part) => part !== '')
        .join(' ');
    },
    /** A weekday with its date; the year only if it is not this year. */
    day: (at: number, now: number): string => {
      const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
      return `${weekday(at)}, ${(isThisYear ? dayAndMonth : longDate)(at)}`;
    },
    month: (at: number): string => month(at),
    /** A month without its year, for narrow columns. */
    shortMonth: (at: number): string => shortMonth(at),
    clock: (at: number): string => clock(at),
    /** A day without its year, for narrow columns. */
    shortDay: (at: number): string => dayOfYear(at),
    /** A date with its year and a short month. */
    date: (at: number): string => shortDate(at),
    /** Date and time. */
    dateTime: (at: number): string => dateTime(at),
    /** A future time with its preposition: “at 14:31:07” within 10 minutes, “at 14:31” within 12 hours, then “on 24 November at 00:00”. */
    appointment: (time: number, now: number): string => {
      const hours = (time - now) / 3_600_000;
      return hours < 12 ? `${at} ${(hours < 1 / 6 ? second : clock)(time)}` : `${on} ${day(time)}`;
    },
    list: (names: readonly string[]): string => lists().format(names),
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

const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Says how long ago something was in its largest whole unit: “4 minutes ago”. Undefined below a minute: each language says “just now” itself. */
export function createAgo(language: string): (seconds: number) => string | undefined {
  // Created on first use, like the parts of `formatFor`.
  let relative: Intl.RelativeTimeFormat | undefined;
  return (seconds) => {
    const step = steps.find(([, length]) => seconds >= length);
    if (!step) return undefined;
    relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'always' });
    return relative.format(-Math.floor(seconds / step[1]), step[0]);
  };
}
