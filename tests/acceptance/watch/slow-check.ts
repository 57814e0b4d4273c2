// Fails when the user's changes to watched folders are refused or lost while the database is checked at the start.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testVoice } from '../../../src/main/core/jobs/job.fixture.ts';
import { defaultSettings } from '../../../src/shared/schemas/settings.ts';
import type { WatchedFile, WatchFolderInfo, WatchSettings } from '../../../src/shared/schemas/watch.ts';
import { connect } from '../support/history/connect.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import { Failed, must, type Scenario } from '../support/scenario.ts';
import { putFile, recording } from '../support/watch/recordings.ts';

const lateCheck = new URL('../support/history/late-check-worker.ts', import.meta.url);
const files = 3;
const firstMs = 1000;
const pollMs = 50;
const timeoutMs = 150_000;

type Folders = readonly WatchFolderInfo[];
type What = 'paused' | 'resumed' | 'removed' | 'answered' | 'left' | 'converted' | 'previewed' | 'saved' | 'untouched';

/** Recordings of a folder that are converted in the end: those that were there before it was watched, and those that come later. */
const converted: Readonly<Record<What, readonly ('before' | 'later')[]>> = {
  paused: [],
  resumed: ['later'],
  removed: [],
  answered: ['before', 'later'],
  left: ['later'],
  converted: ['before', 'later'],
  previewed: ['later'],
  saved: ['later'],
  untouched: ['later'],
};
const whats = Object.keys(converted) as readonly What[];

export const scenario: Scenario = {
  id: 'W20',
  title: 'changes to watched folders while the database is checked at the start take effect',
  deadlineMs: 900_000,
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
    const checkMs = context.full ? [3000, 10_000, 10_000, 10_000] : [3000];
    let longest = 0;
    for (const [round, tookMs] of checkMs.entries()) {
      const folder = join(context.folder, `round ${round}`);
      const rootOf = (what: What) => join(folder, what);
      let number = 1000 * round;
      const putAll = async (when: 'before' | 'later') => {
        for (const what of whats) {
          for (let k = 0; k < files; k += 1) await putFile(rootOf(what), `${when} ${k}.wav`, recording((number += 1)));
        }
      };
      for (const what of whats) await mkdir(rootOf(what), { recursive: true });
      const settingsOf = (what: What, connectionId: string): WatchSettings => ({
        path: rootOf(what),
        isRecursive: true,
        endings: ['.wav'],
        connectionId,
        conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5', format: '.wav' },
        outputFolder: null,
        afterwards: 'keep',
        dailyMinutes: null,
        hours: null,
        hasSubfolderVoices: false,
        speech: null,
        runsHook: true,
      });

      async function until(what: string, app: HistoryCase, holds: (folders: Folders) => boolean | Promise<boolean>) {
        const startedMs = performance.now();
        for (;;) {
          const folders = await app.api.watch.list();
          if (await holds(folders)) return;
          const told = folders.map(({ name, mode, baseline, recorded, incoming }) => ({
            name,
            mode,
            baseline,
            recorded,
            incoming,
          }));
          if (performance.now() - startedMs > timeoutMs)
            throw new Failed(`waited in vain until ${what}: ${JSON.stringify(told)}`);
          await sleep(pollMs);
        }
      }

      context.note(`round ${round}: folders are made`);
      const before = await openHistory({ ...context, folder });
      await before.chooseFolder(folder);
      const connectionId = await connect(before, proxy);
      await putAll('before');
      const ids = new Map<What, string>();
      for (const what of whats) {
        ids.set(what, (await before.api.watch.save({ id: null, settings: settingsOf(what, connectionId) })).id);
      }
      await until('the folders ask', before, (all) => all.every(({ baseline }) => baseline?.isMeasured === true));
      const idOf = (what: What) => ids.get(what) ?? '';
      for (const what of whats) {
        if (what !== 'answered' && what !== 'left')
          await before.api.watch.answerBaseline({ id: idOf(what), answer: 'leave' });
      }
      await before.api.watch.setPaused({ id: idOf('resumed'), isPaused: true });
      const isAsking = ({ id }: WatchFolderInfo) => id === idOf('answered') || id === idOf('left');
      await until('they are answered', before, (all) => all.every((one) => isAsking(one) || one.baseline === null));
      const paid = proxy.count({ operation: 'convert' });
      await before.close();
      await putAll('later');

      context.note(`round ${round}: a start with a check of ${tookMs} ms`);
      const gate = join(folder, 'check now');
      process.env['LATE_CHECK_GATE'] = gate;
      const app = await openHistory({ ...context, folder, integrityWorker: lateCheck });
      await app.chooseFolder(folder);
      const { api } = app;
      const startedMs = performance.now();
      const checked = sleep(tookMs).then(() => writeFile(gate, ''));
      const actions: Readonly<Record<What, () => Promise<unknown>>> = {
        paused: () => api.watch.setPaused({ id: idOf('paused'), isPaused: true }),
        resumed: () => api.watch.setPaused({ id: idOf('resumed'), isPaused: false }),
        removed: () => api.watch.remove({ id: idOf('removed') }),
        answered: () => api.watch.answerBaseline({ id: idOf('answered'), answer: 'convert' }),
        left: () => api.watch.answerBaseline({ id: idOf('left'), answer: 'leave' }),
        converted: () =>
          api.watch.convert({
            id: idOf('converted'),
            paths: Array.from({ length: files }, (_, k) => `before ${k}.wav`),
          }),
        async previewed() {
          const { count } = await api.watch.preview({ settings: settingsOf('previewed', connectionId) });
          must(count === files, `the preview counts ${count} of ${files}`);
        },
        saved: () =>
          api.watch.save({
            id: idOf('saved'),
            settings: { ...settingsOf('saved', connectionId), outputFolder: join(folder, 'saved elsewhere') },
          }),
        untouched: () => api.watch.listFiles({ id: idOf('untouched'), before: null, only: 'all' }),
      };
      await api.connections.list();
      // Each at a moment of its own, in an order of its own.
      await Promise.all(
        whats.map(async (what) => {
          await sleep(context.random.integer(0, firstMs));
          const askedMs = performance.now();
          await actions[what]().catch((error: unknown) => {
            throw new Failed(`${what} after ${Math.round(askedMs - startedMs)} ms: ${String(error)}`);
          });
          longest = Math.max(longest, performance.now() - askedMs);
        }),
      );
      const isListed = (all: Folders, what: What) => all.some(({ id }) => id === idOf(what));
      must(!isListed(await api.watch.list(), 'removed'), 'a folder that was removed is listed');
      await checked;
      await app.sound();

      const filesOf = async (what: What): Promise<readonly WatchedFile[]> =>
        (await api.watch.listFiles({ id: idOf(what), before: null, only: 'all' })).files;
      const doneOf = async (what: What) =>
        (await filesOf(what)).flatMap(({ path, job }) => (job?.state === 'done' ? [path] : [])).sort();
      const expectedOf = (what: What) =>
        converted[what].flatMap((when) => Array.from({ length: files }, (_, k) => `${when} ${k}.wav`)).sort();
      const listed = whats.filter((what) => what !== 'removed');
      for (const what of listed) {
        const expected = expectedOf(what);
        await until(
          `${what}: ${expected.length} files are done`,
          app,
          async () => (await doneOf(what)).join() === expected.join(),
        );
      }

      context.note(`round ${round}: the next start`);
      await app.close();
      const again = await openHistory({ ...context, folder });
      await again.sound();
      await until('all are watched again', again, (all) =>
        all.every(({ id, mode }) => mode === (id === idOf('paused') ? 'paused' : 'watching')),
      );
      must(!isListed(await again.api.watch.list(), 'removed'), 'a folder that was removed is listed after a new start');
      await again.close();
      const expected = files * whats.flatMap((what) => converted[what]).length;
      const calls = proxy.count({ operation: 'convert' }) - paid;
      must(calls === expected, `${calls} paid calls for ${expected} recordings`);
    }
    must(most(paidCalls(proxy.calls)) === 1, 'something was paid for twice');
    return { starts: checkMs.length, actions: whats.length, 'longest ms': Math.round(longest), refused: 0 };
  },
};
