import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversionJob, testVoice } from '../jobs/job.fixture.ts';
import type { NewJob } from '../jobs/job-store.ts';
import { openHistory, temporaryFolder, type OpenHistory } from './open-history.fixture.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let open: OpenHistory;

const { connection } = conversionJob();
const take = (id: string, path: string, change: Parameters<typeof conversionJob>[0] = {}): NewJob =>
  conversionJob({ id, state: 'done', source: { path, subfolder: '', snapshot: null }, ...change });

beforeAll(async () => {
  folder = await temporaryFolder();
  open = await openHistory(folder.folder, { now: Date.now });
  open.store.add([
    take('live', '/takes/Zürich 🔥 live.wav', {
      voice: { ...testVoice, name: '🎙️', language: 'de_CH' },
      connection: { ...connection, name: '☁️' },
    }),
    take('quiet', '/takes/Zürich.wav', { voice: { ...testVoice, name: '***', language: 'x' } }),
  ]);
  await open.history.update({ ids: ['live'] }, { addTags: ['🔥', '***', 'take', 'take 🔥'] });
  await open.history.update({ ids: ['quiet'] }, { addTags: ['!'] });
});
afterAll(async () => {
  await open.close();
  await folder.remove();
});

it.each<[string, readonly string[]]>([
  // Emoji are words like any other.
  ['🔥', ['live']],
  ['zurich🔥', ['live']],
  ['zurich -🔥', ['quiet']],
  ['"zurich 🔥"', ['live']],
  ['voice:🎙️', ['live']],
  ['voice:🎙', ['live']],
  ['from:☁️', ['live']],
  ['tag:🔥', ['live']],
  ['tag:"take 🔥" tag:take', ['live']],
  // A tag may be nothing but signs.
  ['tag:***', ['live']],
  ['tag:!', ['quiet']],
  ['tag:?', []],
  ['language:de', ['live']],
  ['language:de_CH', ['live']],
  ['language:de-CH', ['live']],
  // Signs alone are no word.
  ['!!!', []],
  ['(', []],
])('for %j finds %j', (text, found) => {
  expect(open.history.search(text).entries.map(({ id }) => id)).toEqual(found);
});

it('finds at least one entry for each suggested value', () => {
  for (const name of ['tag:', 'voice:', 'language:', 'from:']) {
    const { items } = open.history.suggest(name, name.length);
    expect(items.length).toBeGreaterThan(0);
    for (const { insert } of items) {
      const { entries, errors } = open.history.search(`${name}${insert}`);
      expect([insert, errors, entries.length > 0]).toEqual([insert, [], true]);
    }
  }
});
