/** The language files of eSpeak NG, named as in its package. A test compares them with its list. */
export const languageFiles: readonly string[] = (
  'af am an ar as az ba be bg bn bpy bs ca ca-ba ca-nw ca-va chr cmn cmn-Latn-pinyin cs cv cy da de el en en-029 en-GB-scotland ' +
  'en-GB-x-gbclan en-GB-x-gbcwmd en-GB-x-rp en-US en-US-nyc eo es es-419 et eu fa fa-Latn fi fo fr fr-BE fr-CH ga gd gn grc gu ' +
  'hak haw he hi hr ht hu hy hyw ia id io is it ja jbo ka kaa kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt mto my ' +
  'nb nci ne nl nog om or pa pap piqd pl pt pt-BR py qdb qu quc qya ro ru ru-LV ru-cl sd shn si sjn sk sl smj sq sr sv sw ta te ' +
  'th ti tk tn tr tt ug uk ur uz vi vi-VN-x-central vi-VN-x-south xex yue yue-Latn-jyutping'
).split(' ');

const files: ReadonlyMap<string, string> = new Map(languageFiles.map((file) => [file.toLowerCase(), file]));

/** Tags for which eSpeak NG has another name. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['zh', 'cmn'],
  ['zh-hk', 'yue'],
  ['zh-mo', 'yue'],
  ['no', 'nb'],
  ['nn', 'nb'],
  ['es-mx', 'es-419'],
  ['es-ar', 'es-419'],
  ['es-co', 'es-419'],
  ['es-us', 'es-419'],
]);

/**
 * Finds the language file for a tag such as `en-GB`, or for the language without region; undefined
 * if not supported.
 */
export function languageFileFor(tag: string): string | undefined {
  for (
    let candidate = tag.toLowerCase().replaceAll('_', '-');
    candidate !== '';
    candidate = candidate.replace(/-?[^-]*$/, '')
  ) {
    const file = files.get(aliases.get(candidate) ?? candidate);
    if (file !== undefined) return file;
  }
  return undefined;
}
