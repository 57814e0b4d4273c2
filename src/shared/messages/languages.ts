/** Languages that Timbre speaks, as tags. Messages are written in English first. */
export const spokenLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'pl',
  'ru',
  'ja',
  'ko',
  'zh-Hans',
  'ar',
] as const;

export type SpokenLanguage = (typeof spokenLanguages)[number];

/** A tag with its likely script and region: `zh-TW` is `zh-Hant-TW`. Undefined if it is not a tag. */
function maximized(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The language to speak to a user who wants some, best first, as tags such as `de-AT`. One in another region is understood, one in
 * another script is not: `pt-PT` finds `pt-BR`, but `zh-TW` does not find `zh-Hans`. English if there is none.
 */
export function spokenLanguage(tags: string | readonly string[]): SpokenLanguage {
  for (const tag of typeof tags === 'string' ? [tags] : tags) {
    const wanted = maximized(tag);
    const found = spokenLanguages.filter((language) => {
      const { language: name, script } = new Intl.Locale(language).maximize();
      return name === wanted?.language && script === wanted.script;
    });
    const near = found.find((language) => new Intl.Locale(language).maximize().region === wanted?.region) ?? found[0];
    if (near) return near;
  }
  return 'en';
}

/** The locale of dates and numbers: a spoken language as it is written in the region of another tag, if that names one. */
export function formatLocale(language: SpokenLanguage, regional: string | undefined): string {
  const region = regional === undefined ? undefined : maximized(regional)?.region;
  const isNamed = region !== undefined && new RegExp(`-${region}\\b`, 'i').test(regional ?? '');
  return isNamed ? new Intl.Locale(language, { region }).toString() : language;
}

/** A name or a date that stands alone: many languages begin those of languages, days and months with a small letter in a sentence. */
export function capitalized(text: string, language: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(language) + text.slice(first.length);
}

/** A language as those who speak it call it. */
export const nativeName = (language: SpokenLanguage): string =>
  capitalized(new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language, language);

/** The direction in which the script of a language tag is written. */
export const textDirection = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
