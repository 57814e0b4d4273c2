import { expect, it } from 'vitest';
import { foldWords } from './fold-text.ts';

it.each<[string, readonly string[]]>([
  ['Straße STRASSE STRAẞE', ['strasse', 'strasse', 'strasse']],
  ['Ångström CAFÉ'.normalize('NFD'), ['angstrom', 'cafe']],
  ['Łódź Øresund œuvre Þór', ['lodz', 'oresund', 'oeuvre', 'thor']],
  ['İstanbul ISTANBUL ıstanbul', ['istanbul', 'istanbul', 'istanbul']],
  ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
  ['REC00012_final.wav', ['rec', '00012', 'final', 'wav']],
  ['東京 ﾀﾜｰ', ['東', '京', 'タ', 'ワ', 'ー']],
  ['がか'.normalize('NFD'), ['が', 'か']],
  ['한국'.normalize('NFD'), ['한', '국']],
  ['สวัสดี', ['ส', 'วั', 'ส', 'ดี']],
  ['مُحَمَّد محمد', ['محمد', 'محمد']],
  ['किताब', ['किताब']],
  ['ﬁnal ① x²', ['final', '1', 'x', '2']],
  ['🔥 live🎤🔥', ['🔥', 'live', '🎤', '🔥']],
  ['🎙️ 🎙 👍🏽 👩‍🎤 🇩🇪', ['🎙', '🎙', '👍', '👩', '🎤', '🇩', '🇪']],
  ['C♯ © ™ 1️⃣ #️⃣ ☀ ☀️', ['c', 'tm', '1', '☀', '☀']],
  ['§status§failed -- "!"', ['status', 'failed']],
  ['a\ud800b', ['a', 'b']],
])('folds %j to %j', (text, words) => {
  expect(foldWords(text)).toEqual(words);
});
