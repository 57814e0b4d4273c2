// Fails when damage that is found while a thousand events are on their way ends the app, or costs a recording.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, type Clock } from '../../../src/main/core/clock.ts';
import { damageRootPage } from '../../../src/main/core/database/damage.fixture.ts';
import { isDamage } from '../../../src/main/core/database/sqlite.ts';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { testVoice } from '../../../src/main/core/jobs/job.fixture.ts';
import { defaultSettings } from '../../../src/shared/schemas/settings.ts';
import type { WatchSettings } from '../../../src/shared/schemas/watch.ts';
import type { FaultProxy } from '../../faults/start-fault-proxy.ts';
import { connect } from '../support/history/connect.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { recording } from '../support/watch/recordings.ts';

const lateCheck = new URL('../support/history/late-check-worker.ts', import.meta.url);
/** Neither page is read before the check. Each job writes to the first one; nothing writes to the second. */
const damaged = ['watch_ledger_day', 'history_tag_name'];
const atOnce = 50;
const pollMs = 20;
const timeoutMs = 150_000;
/** Skips the wait after which work starts in parallel with the check. */
const impatient: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms === 5000 ? 0 : ms, signal) };

/** What the check finds, and what reads the bad page before that. */
const expects = (error: unknown) =>
  error instanceof Error && (isDamage(error) || isDamage(error.cause) || error.message.includes('btreeInitPage'));

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > timeoutMs) throw new Failed(`waited in vain until ${what}`);
    await sleep(pollMs);
  }
}

/** What a page asks all the time: nothing of it may fail but what reads a bad page before that is put right. */
async function look({ api, damage: told }: HistoryCase, id: string, signal: AbortSignal): Promise<number> {
  let calls = 0;
  while (!signal.aborted) {
    const isBad = told.length === 0;
    await Promise.all([
      api.watch.list(),
      api.watch.listFiles({ id, before: null, only: 'all' }),
      api.jobs.list({ after: null }),
      api.history.search({ text: '' }),
    ]).catch((error: unknown) => {
      if (!isBad) throw error;
    });
    calls += 4;
    await sleep(pollMs);
  }
  return calls;
}

/** A folder that is watched, with nothing in it. Returns its id. */
async function makeBase(context: ScenarioContext, folder: string, root: string, proxy: FaultProxy): Promise<string> {
  const app = await openHistory({ ...context, folder });
  await app.chooseFolder(root);
  await app.chooseFolder(folder);
  const connectionId = await connect(app, proxy);
  const settings: WatchSettings = {
    path: root,
    isRecursive: true,
    endings: ['.wav'],
    connectionId,
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5', format: '.wav' },
    outputFolder: join(folder, 'out'),
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
  };
  const { id } = await app.api.watch.save({ id: null, settings });
  await until('the folder is watched', async () => {
    const [view] = await app.api.watch.list();
    return view?.mode === 'watching' && view.checkedAt !== null && view.baseline === null;
  });
  await app.close();
  return id;
}

export const scenario: Scenario = {
  id: 'W21',
  title: 'damage found while a thousand files arrive throws nothing, and the folder is watched again without a loss',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
    const root = join(context.folder, 'in');
    const base = join(context.folder, 'base');
    await mkdir(root);
    const id = await makeBase(context, base, root, proxy);
    const rounds = context.size(2, 20);
    const files = context.size(300, 1000);
    let calls = 0;
    for (let round = 0; round < rounds; round += 1) {
      const what = damaged[round % damaged.length] ?? '';
      context.note(`round ${round}, ${what}`);
      const folder = join(context.folder, `round ${round}`);
      await cp(base, folder, { recursive: true });
      await damageRootPage(join(folder, 'data', databaseName), what);
      const gate = join(folder, 'check now');
      process.env['LATE_CHECK_GATE'] = gate;
      const app = await openHistory({
        ...context,
        folder,
        integrityWorker: lateCheck,
        clock: impatient,
        expects,
      });
      const looking = new AbortController();
      const looked = look(app, id, looking.signal);
      looked.catch(() => undefined);
      const { data } = app;
      const paid = proxy.count({ operation: 'convert' });
      const first = await data();
      const foundAfter = context.random.integer(0, files);
      let written = 0;
      for (; written < files; written += atOnce) {
        if (written >= foundAfter) await writeFile(gate, '');
        await Promise.all(
          Array.from({ length: Math.min(atOnce, files - written) }, (_, at) =>
            writeFile(join(root, `take ${written + at}.wav`), recording(written + at, 0.01)),
          ),
        );
      }
      await writeFile(gate, '');
      await until('the damage is told', () => app.damage.length > 0);
      await until('all are jobs', async () => (await data()).queue.store.page(null, -1).length >= files);
      must((await data()) !== first && first.signal.aborted, 'the damaged database is still in use');
      await until('they are converted', () => proxy.count({ operation: 'convert' }) > paid);
      const [view] = await app.api.watch.list();
      must(view?.mode === 'watching' && view.problems.length === 0, `the folder is ${JSON.stringify(view)}`);
      const jobs = (await data()).queue.store.page(null, -1);
      const sources = new Set(jobs.map((job) => (job.kind === 'conversion' ? job.source.path : '')));
      must(sources.size === files && jobs.length === files, `${jobs.length} jobs of ${sources.size} files`);
      const bad = jobs.filter(({ problem }) => problem !== null);
      must(bad.length === 0, `${bad.length} jobs went wrong: ${bad[0]?.problem?.code ?? ''}`);
      looking.abort();
      calls += await looked;
      await app.close();
      for (let k = 0; k < files; k += 1) await rm(join(root, `take ${k}.wav`));
      await rm(folder, { recursive: true });
    }
    must(most(paidCalls(proxy.calls)) === 1, 'nothing was converted, or something was paid for twice');
    return { rounds, files, 'calls of a page': calls, 'files lost': 0, 'uncaught exceptions': 0 };
  },
};
