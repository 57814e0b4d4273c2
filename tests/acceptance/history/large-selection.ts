// Fails when what is done with all of a long history holds the app up, cannot be stopped, or is not done to each entry exactly.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../src/main/core/database/database.ts';
import { makeHistory } from '../../../src/main/core/history/history.fixture.ts';
import type { SelectionRef, LongTaskProgress } from '../../../src/shared/schemas/history.ts';
import { measureTurns, type Turns } from '../support/history/measure-turns.ts';
import { openHistory } from '../support/history/open-history.ts';
import { must, type Scenario } from '../support/scenario.ts';

/** Of the processor's time, a few turns of garbage collection aside. */
const mostTurnMs = 20;
const until = Date.UTC(2026, 10, 1);

export const scenario: Scenario = {
  id: 'H12',
  title:
    'tagging, marking, removing, restoring and exporting a long history takes short turns and treats each entry once',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const entries = context.size(5000, 100_000);
    const folder = join(context.folder, 'history');
    const dataFolder = join(folder, 'data');
    await mkdir(dataFolder, { recursive: true });
    const database = await openDatabase(dataFolder);
    makeHistory(database, entries, until);
    database.close();
    const works: (LongTaskProgress | null)[] = [];
    const app = await openHistory({ ...context, folder, onWork: (work) => works.push(work) });
    const { api } = app;
    await app.sound();
    const count = async (text: string) => (await app.listed(text)).matches;
    const all = async (): Promise<SelectionRef> => {
      const { list, matches } = await app.listed('');
      return { list, ranges: [[0, matches]] };
    };
    const figures: Record<string, string> = {};
    const measured = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      context.note(what);
      const { result, turns } = await measureTurns(work);
      tell(what, turns);
      return result;
    };
    const tell = (what: string, { p99Ms, mostMs }: Turns) => {
      figures[`${what} p99/most ms`] = `${p99Ms.toFixed(1)}/${mostMs.toFixed(0)}`;
      must(p99Ms <= mostTurnMs, `${what}: one turn in a hundred takes ${p99Ms.toFixed(1)} ms`);
    };
    const mustFind = async (text: string, expected: number) => {
      const found = await count(text);
      must(found === expected, `"${text}" finds ${found} of ${expected}`);
    };

    const choice = await all();
    await measured('tag', () => api.history.update({ choice, addTags: ['keep'] }));
    await mustFind('tag:keep', entries);
    const again = await all();
    await measured('favourite', () => api.history.update({ choice: again, isFavourite: true }));
    await mustFind('is:favourite', entries);
    const tagged = await all();
    await measured('untag', () => api.history.update({ choice: tagged, removeTags: ['keep'] }));
    await mustFind('tag:keep', 0);

    const leaving = await all();
    const { undo, entries: removed } = await measured('remove', () =>
      api.history.remove({ choice: leaving, withFiles: false }),
    );
    must(removed === entries, `${removed} of ${entries} are removed`);
    await mustFind('', 0);
    await measured('undo', () => api.history.undo({ undo }));
    await mustFind('', entries);
    await mustFind('is:favourite', entries);

    const path = join(folder, 'all.jsonl');
    app.person.answer = path;
    const written = await measured('export', () => api.history.export({ choice: null, what: 'list' }));
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1);
    const ids = new Set(lines.map((line) => (JSON.parse(line) as { readonly id: string }).id));
    must(written?.entries === entries && ids.size === entries && lines.length === entries, `${ids.size} are exported`);
    must(works[0]?.share === 0 && works.at(-1) === null, 'an export tells no progress');

    context.note('a removal and a tag that are stopped');
    const everything = await all();
    const stopHalfway = async () => {
      while ((works.at(-1)?.count ?? 0) < 200) await new Promise(setImmediate);
      await api.history.cancelTask();
    };
    const [removal] = await Promise.all([api.history.remove({ choice: everything, withFiles: false }), stopHalfway()]);
    must(removal.entries > 0 && removal.entries < entries, `stopped after ${removal.entries} of ${entries}`);
    await mustFind('', entries - removal.entries);
    await api.history.undo({ undo: removal.undo });
    await mustFind('', entries);
    const remaining = await all();
    await Promise.all([api.history.update({ choice: remaining, addTags: ['half'] }), stopHalfway()]);
    const tags = await count('tag:half');
    must(tags > 0 && tags < entries, `stopped after ${tags} of ${entries} tags`);

    context.note('an export that is stopped');
    await writeFile(path, 'as it was');
    const stopped = api.history.export({ choice: null, what: 'list' });
    while (works.at(-1) === null) await new Promise(setImmediate);
    const wasStopped = await api.history.cancelTask();
    must((await stopped) === null && wasStopped, 'an export cannot be stopped');
    must((await readFile(path, 'utf8')) === 'as it was', 'an export that was stopped replaced a file');
    await app.close();
    return { entries, ...figures };
  },
};
