/** The forms of a word that a number can ask for; `other` is the one that every language has. */
type Plurals = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Powers of 1,000 in a size: 0 for bytes up to 4 for terabytes. */
const powerOf = (bytes: number): number =>
  Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));

export type Format = ReturnType<typeof createFormat>;

const formats = new Map<string, Format>();

/** The format of a language. There is one, whose parts are made when they are first used: a part costs up to a millisecond. */
export function formatFor(language: string): Format {
  const format = formats.get(language) ?? createFormat(language);
  formats.set(language, format);
  return format;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Numbers, sizes, times and plurals in one language. Pure: the caller says what time it is. */
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
  const day = dates({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });

  // The day before the month, as the look has it: 12 Nov.
  const british = language === 'en' ? 'en-GB' : language;
  const dayOfYear = dates({ day: 'numeric', month: 'short' }, british);
  const shortDate = dates({ day: 'numeric', month: 'short', year: 'numeric' }, british);
  const weekday = dates({ weekday: 'long' }, british);
  const dayAndMonth = dates({ day: 'numeric', month: 'long' }, british);
  const longDate = dates({ day: 'numeric', month: 'long', year: 'numeric' }, british);
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
    /** Picks the form for a number and puts the number where the form says `#`. */
    count: (value: number, forms: Plurals): string =>
      (forms[plurals().select(value)] ?? forms.other).replace('#', plain().format(value)),
    bytes: (bytes: number): string => bytesIn(bytes, powerOf(bytes), true),
    /** Both sizes in the unit of the larger one, which is named once: ["31", "58 MB"]. */
    bytesPair: (done: number, total: number): readonly [string, string] => [
      bytesIn(done, powerOf(total), false),
      bytesIn(total, powerOf(total), true),
    ],
    /** Seconds as on a tape machine: 0:07, 6:12, 2:48:09. */
    clockLength: (seconds: number): string => {
      const whole = Math.max(0, Math.floor(seconds));
      const tail = String(whole % 60).padStart(2, '0');
      const minutes = Math.floor(whole / 60);
      return minutes < 60
        ? `${minutes}:${tail}`
        : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${tail}`;
    },
    /** A span that is still running: seconds up to two minutes, then minutes. The symbols are those of SI, the same in every language. */
    span: (seconds: number): string =>
      seconds < 120
        ? `${plain().format(Math.floor(seconds))}\u00a0s`
        : `${plain().format(Math.floor(seconds / 60))}\u00a0min`,
    /** How long something is, or will take: seconds below a minute, minutes below an hour, then both. */
    length: (seconds: number): string => {
      if (seconds < 59.5) return `${plain().format(Math.round(seconds))}\u00a0s`;
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? `${plain().format(hours)}\u00a0h` : '', rest > 0 ? `${rest}\u00a0min` : '']
        .filter((part) => part !== '')
        .join('\u00a0');
    },
    /** As `length`, written out, for where there is room: 31 minutes, 1 hour 12 minutes. */
    longLength: (seconds: number): string => {
      if (seconds < 59.5) return long('second', Math.round(seconds));
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? long('hour', hours) : '', rest > 0 ? long('minute', rest) : '']
        .filter((part) => part !== '')
        .join(' ');
    },
    /** A day by its name; its year only where that is another than `now`'s. */
    day: (at: number, now: number): string => {
      const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
      return `${weekday(at)}, ${(isThisYear ? dayAndMonth : longDate)(at)}`;
    },
    month: (at: number): string => month(at),
    clock: (at: number): string => clock(at),
    /** A time with its day, for what is long ago. */
    dateTime: (at: number): string => dateTime(at),
    /** A time to wait for: to the second where it is near, with its date where the clock alone would not say which day. */
    appointment: (at: number, now: number): string => {
      const hours = (at - now) / 3_600_000;
      return (hours < 1 / 6 ? second : hours < 12 ? clock : day)(at);
    },
    list: (names: readonly string[]): string => lists().format(names),
    /** As `moment`, for narrow columns: the month is short, and this year goes without saying. */
    stamp: (at: number, now: number): string => {
      const [then, today] = [new Date(at), new Date(now)];
      if (then.toDateString() === today.toDateString()) return clock(at);
      return (then.getFullYear() === today.getFullYear() ? dayOfYear : shortDate)(at);
    },
    /** A clock time for today, a date for any other day. */
    moment: (at: number, now: number): string => {
      const isToday = new Date(at).toDateString() === new Date(now).toDateString();
      return (isToday ? clock : date)(at);
    },
  };
}

const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Says how long ago something was, in its largest whole unit: "4 minutes ago". Undefined below a minute, which every language has a word for. */
export function createAgo(language: string): (seconds: number) => string | undefined {
  // Made when it is first used, as those of `formatFor` are.
  let relative: Intl.RelativeTimeFormat | undefined;
  return (seconds) => {
    const step = steps.find(([, length]) => seconds >= length);
    if (!step) return undefined;
    relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'always' });
    return relative.format(-Math.floor(seconds / step[1]), step[0]);
  };
}
