type Environment = Readonly<Record<string, string | undefined>>;

/** The user's languages in order of preference, as BCP 47 tags, from LANGUAGE, the locale variables, or `en-US`. */
export function systemLanguages(env: Environment): string[] {
  const listed = (env['LANGUAGE'] || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '').split(':');
  const tags = listed.map(toTag).filter((tag) => tag !== undefined);
  return tags.length > 0 ? [...new Set(tags)] : ['en-US'];
}

/** The tag of the formats of dates and numbers. */
export const systemFormatLocale = (env: Environment): string =>
  toTag(env['LC_ALL'] || env['LC_TIME'] || env['LANG'] || '') ?? 'en';

/** Converts `de_DE.UTF-8@euro` to `de-DE`; undefined for the C and POSIX locales. */
function toTag(posix: string): string | undefined {
  const name = posix.replace(/[.@].*$/, '').replaceAll('_', '-');
  if (name === '' || name === 'C' || name === 'POSIX') return undefined;
  try {
    return Intl.getCanonicalLocales(name)[0];
  } catch {
    return undefined;
  }
}
