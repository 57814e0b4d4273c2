// Fails when a search finds an entry that was not meant, or misses one that was.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { systemClock, type Clock } from '../../../src/main/core/clock.ts';
import { openHistory, type HistoryCase, type HistoryOptions } from '../support/history/open-history.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { putFile, recording } from '../support/watch/recordings.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number): Clock => ({ ...systemClock, now: () => systemClock.now() - days * dayMs });

/** As it is written in a date filter, by the calendar of this place. */
function dateOf(days: number): string {
  const date = new Date(daysAgo(days).now());
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const bronze = 'low-bronze';
const field = 'open-field';

/** Recordings by a short name for this table, each in a folder, with the voice, and how many days ago. */
const recordings = {
  cafe: { path: 'Paris/Café Müller.wav'.normalize('NFC'), voice: bronze, days: 40 },
  noir: { path: 'Paris/Café noir.wav'.normalize('NFD'), voice: bronze, days: 40 },
  street: { path: 'Berlin/Große STRASSE Ångström.wav', voice: bronze, days: 40 },
  lodz: { path: 'Łódź/Dvořák smörgåsbord Sønderborg İstanbul مُحَمَّد.wav', voice: field, days: 40 },
  tokyo: { path: '東京/東京の朝 03.wav', voice: field, days: 10 },
  weather: { path: '東京/天気予報.wav', voice: field, days: 10 },
  guide: { path: '東京/ガイド.wav'.normalize('NFD'), voice: field, days: 10 },
  seoul: { path: '서울/서울인터뷰.wav'.normalize('NFC'), voice: field, days: 10 },
  take: { path: 'Sessions/REC0012 take12.wav', voice: bronze, days: 0 },
  harbour: { path: 'Sessions/harbour evening interview.wav', voice: bronze, days: 0 },
  evening: { path: 'Sessions/evening harbour interview.wav', voice: field, days: 0 },
  quote: { path: "Sessions/O'Neill (final) – 50%.wav", voice: field, days: 0 },
} as const;

type Name = keyof typeof recordings | 'silence' | 'spoken';
const text = 'Good evening, Zoë. The ferry leaves at seven.';
const paris: readonly Name[] = ['cafe', 'noir'];
const old: readonly Name[] = ['cafe', 'noir', 'street', 'lodz'];
const tokyo: readonly Name[] = ['tokyo', 'weather', 'guide'];
const recent: readonly Name[] = [...tokyo, 'seoul'];
const today: readonly Name[] = ['take', 'harbour', 'evening', 'quote', 'silence', 'spoken'];
const all: readonly Name[] = [...old, ...recent, ...today];
const without = (...names: readonly Name[]) => all.filter((name) => !names.includes(name));
const byBronze: readonly Name[] = ['cafe', 'noir', 'street', 'take', 'harbour', 'silence', 'spoken'];

const golden: readonly (readonly [query: string, found: readonly Name[]])[] = [
  ['', all],
  // Accents, case, composition.
  ['café', paris],
  ['cafe', paris],
  ['CAFÉ', paris],
  ['café'.normalize('NFD'), paris],
  ['mull', ['cafe']],
  ['müller', ['cafe']],
  ['muller', ['cafe']],
  ['mueller', []],
  ['strasse', ['street']],
  ['straße', ['street']],
  ['grosse', ['street']],
  ['angstrom', ['street']],
  ['lodz', ['lodz']],
  ['ŁÓDŹ', ['lodz']],
  ['dvorak smorgas', ['lodz']],
  ['sonderb', ['lodz']],
  ['SØNDERBORG', ['lodz']],
  ['istanbul', ['lodz']],
  ['ISTANBUL', ['lodz']],
  ['ıstanbul', ['lodz']],
  ['محمد', ['lodz']],
  ['مُحمّد', ['lodz']],
  // Chinese, Japanese, Korean, and their compositions.
  ['東京', tokyo],
  ['東京の朝', ['tokyo']],
  ['京の', ['tokyo']],
  ['天気', ['weather']],
  ['予報', ['weather']],
  ['気予', ['weather']],
  ['報予', []],
  ['ガイド', ['guide']],
  ['ガイド'.normalize('NFD'), ['guide']],
  ['ｶﾞｲﾄﾞ', ['guide']],
  ['カイト', []],
  ['서울', ['seoul']],
  ['인터뷰', ['seoul']],
  ['서울'.normalize('NFD'), ['seoul']],
  ['０３ 東京', ['tokyo']],
  // Words, their beginnings, phrases, and what is no word.
  ['harb', ['harbour', 'evening']],
  ['harb interview', []],
  ['harbour inter', ['harbour', 'evening']],
  ['interview harbour', ['harbour', 'evening']],
  ['"evening interview"', ['harbour']],
  ['"harbour interview"', ['evening']],
  ['"harbour inter', ['evening']],
  ['"harbour inter"', []],
  ['take 12', ['take']],
  ['take12', ['take']],
  ['rec0012', ['take']],
  ['ake', []],
  ["o'neill", ['quote']],
  ['(final)', ['quote']],
  ['50%', ['quote']],
  ['" OR *', []],
  ['NEAR(a b) AND', []],
  // Text, folder, error.
  ['ferry', ['spoken']],
  // A tag is found by its words too.
  ['zoe', ['spoken', 'tokyo']],
  ['"leaves at seven"', ['spoken']],
  ['sessions', ['take', 'harbour', 'evening', 'quote', 'silence']],
  // Negation.
  ['harbour -"evening interview"', ['evening']],
  ['-evening', without('harbour', 'evening', 'spoken')],
  ['sessions -harbour -silence', ['take', 'quote']],
  ['-東京', without(...tokyo)],
  ['-status:done', ['silence']],
  // Filters.
  ['voice:bronze', byBronze],
  ['voice:"Low bronze"', byBronze],
  ['voice:LOW', byBronze],
  ['voice:low-bron', byBronze],
  ['voice:nobody', []],
  ['-voice:bronze', all.filter((name) => !byBronze.includes(name))],
  ['voice:bronze cafe', paris],
  ['status:failed', ['silence']],
  ['status:done harbour', ['harbour', 'evening']],
  ['status:failed status:done', all],
  ['status:cancelled', []],
  ['kind:speech', ['spoken']],
  ['kind:conversion evening', ['harbour', 'evening']],
  ['from:"This computer"', all],
  ['from:studio', []],
  [`after:${dateOf(10)}`, [...recent, ...today]],
  [`before:${dateOf(10)}`, old],
  [`after:${dateOf(40)} before:${dateOf(39)}`, old],
  [`after:${dateOf(9)} before:today`, []],
  ['after:today', today],
  ['after:3w', [...recent, ...today]],
  ['-after:3w', old],
  ['after:today harbour voice:bronze', ['harbour']],
  ['tag:keep', ['cafe', 'tokyo']],
  ['tag:KEEP', ['cafe', 'tokyo']],
  ['tag:keep tag:"for Zoë"', ['tokyo']],
  ['tag:"for zoe"', ['tokyo']],
  ['-tag:keep after:3w before:today', ['weather', 'guide', 'seoul']],
  ['tag:kee', []],
  ['is:favourite', ['seoul', 'quote']],
  ['-is:favourite after:today', today.filter((name) => name !== 'quote')],
  // What cannot be understood finds nothing.
  ['after:someday', []],
  ['colour:red', []],
  ['status:lost', []],
  ['*** ^ (', []],
];

async function fill(app: HistoryCase, days: number, ids: Map<string, Name>): Promise<void> {
  await app.sound();
  for (const [k, [name, { path, voice, days: wanted }]] of Object.entries(recordings).entries()) {
    if (wanted !== days) continue;
    const source = await putFile(join(app.folder, 'in'), path, recording(k));
    const [job] = await app.convert([source], { voiceId: voice });
    must(job?.state === 'done', `${path} ended ${job?.state ?? 'nowhere'}`);
    ids.set(job.id, name as Name);
  }
}

export const scenario: Scenario = {
  id: 'H9',
  title: 'searches match accents, case, scripts without spaces, compositions, phrases and filters',
  async run(context) {
    const options: HistoryOptions = { ...context, folder: join(context.folder, 'history') };
    const ids = new Map<string, Name>();
    for (const days of [40, 10]) {
      context.note(`${days} days ago`);
      const past = await openHistory({ ...options, clock: daysAgo(days) });
      await fill(past, days, ids);
      await past.close();
    }
    context.note('today');
    const app = await openHistory(options);
    await fill(app, 0, ids);
    const broken = await putFile(join(app.folder, 'in'), 'Sessions/silence.wav', Buffer.from('no sound'));
    const [failed] = await app.convert([broken]);
    must(failed?.state === 'failed', `what is no sound ended ${failed?.state ?? 'nowhere'}`);
    ids.set(failed.id, 'silence');
    ids.set((await app.speak(text)).id, 'spoken');
    const idOf = (name: Name) => [...ids].find(([, each]) => each === name)?.[0] ?? '';
    const some = (...names: readonly Name[]) => ({ ids: names.map(idOf) });
    await app.api.history.update({ choice: some('cafe', 'tokyo'), addTags: ['Keep'] });
    await app.api.history.update({ choice: some('tokyo'), addTags: ['for Zoë'] });
    await app.api.history.update({ choice: some('seoul', 'quote'), isFavourite: true });

    const wrong: string[] = [];
    for (const [query, expected] of golden) {
      context.note(`"${query}"`);
      const page = await app.api.history.search({ text: query });
      const rows = await app.rows(query);
      must(isDeepStrictEqual(page.rows, rows), `"${query}": the first page is not the list's`);
      const found = rows.map(({ id }) => ids.get(id) ?? 'another').sort();
      const wanted = expected.toSorted();
      if (!isDeepStrictEqual(found, wanted))
        wrong.push(`"${query}" finds ${found.join(' ') || 'nothing'}, not ${wanted.join(' ') || 'nothing'}`);
    }
    must(wrong.length === 0, wrong.join('; '));
    await app.close();
    return { entries: ids.size, searches: golden.length, 'wrong answers': 0 };
  },
};
