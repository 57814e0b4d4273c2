/** The forms of a word that a number can ask for; `other` is the one that every language has. */
export type Plurals = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Powers of 1,000 in a size: 0 for bytes up to 4 for terabytes. */
const powerOf = (bytes: number): number =>
  Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));

export type Format = ReturnType<typeof createFormat>;

/** Numbers, sizes, times and plurals in one language. Pure: the caller says what time it is. */
export function createFormat(language: string) {
  const plain = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const second = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });
  const day = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });
  const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' });

  // The day before the month, as the look has it: 12 Nov.
  const british = language === 'en' ? 'en-GB' : language;
  const dayOfYear = new Intl.DateTimeFormat(british, { day: 'numeric', month: 'short' });
  const shortDate = new Intl.DateTimeFormat(british, { day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = new Intl.DateTimeFormat(british, { weekday: 'long' });
  const dayAndMonth = new Intl.DateTimeFormat(british, { day: 'numeric', month: 'long' });
  const longDate = new Intl.DateTimeFormat(british, { day: 'numeric', month: 'long', year: 'numeric' });
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  const dateTime = new Intl.DateTimeFormat(british, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  const long = (unit: 'hour' | 'minute' | 'second', value: number): string =>
    value.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'long' });
  const fixed = (value: number, digits: number): string =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

  const bytesIn = (bytes: number, power: number, unit: boolean): string => {
    const value = bytes / 1000 ** power;
    const digits = power > 1 && value < 10 ? 1 : 0;
    return unit
      ? value.toLocaleString(language, { style: 'unit', unit: byteUnits[power], maximumFractionDigits: digits })
      : value.toLocaleString(language, { maximumFractionDigits: digits });
  };

  return {
    number: (value: number): string => plain.format(value),
    fixed,
    /** Picks the form for a number and puts the number where the form says `#`. */
    count: (value: number, forms: Plurals): string =>
      (forms[plurals.select(value)] ?? forms.other).replace('#', plain.format(value)),
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
        ? `${plain.format(Math.floor(seconds))}\u00a0s`
        : `${plain.format(Math.floor(seconds / 60))}\u00a0min`,
    /** How long something is, or will take: seconds below a minute, minutes below an hour, then both. */
    length: (seconds: number): string => {
      if (seconds < 59.5) return `${plain.format(Math.round(seconds))}\u00a0s`;
      const minutes = Math.round(seconds / 60);
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? `${plain.format(hours)}\u00a0h` : '', rest > 0 ? `${rest}\u00a0min` : '']
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
      return `${weekday.format(at)}, ${(isThisYear ? dayAndMonth : longDate).format(at)}`;
    },
    month: (at: number): string => month.format(at),
    clock: (at: number): string => clock.format(at),
    /** A time with its day, for what is long ago. */
    dateTime: (at: number): string => dateTime.format(at),
    /** A time to wait for: to the second where it is near, with its date where the clock alone would not say which day. */
    appointment: (at: number, now: number): string => {
      const hours = (at - now) / 3_600_000;
      return (hours < 1 / 6 ? second : hours < 12 ? clock : day).format(at);
    },
    list: (names: readonly string[]): string => lists.format(names),
    /** As `moment`, for narrow columns: the month is short, and this year goes without saying. */
    stamp: (at: number, now: number): string => {
      const [then, today] = [new Date(at), new Date(now)];
      if (then.toDateString() === today.toDateString()) return clock.format(at);
      return (then.getFullYear() === today.getFullYear() ? dayOfYear : shortDate).format(at);
    },
    /** A clock time for today, a date for any other day. */
    moment: (at: number, now: number): string => {
      const isToday = new Date(at).toDateString() === new Date(now).toDateString();
      return (isToday ? clock : date).format(at);
    },
  };
}
