// Fails when a service can make Timbre ask without an end, fill its memory, or hide good entries behind bad ones.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createConnectionRegistry } from '../../../src/main/core/connections/connection-registry.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import { createVoiceCatalogue } from '../../../src/main/core/voices/voice-catalogue.ts';
import { replyJson, startScriptedService } from '../../../src/main/core/voice-service/scripted-service.fixture.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { must, type Scenario } from '../support/scenario.ts';

const good = { id: 'good', name: 'Good', language: 'en-GB', gender: 'female', category: 'news' };
const goodModel = {
  modelId: 'good',
  name: 'Good',
  languageCode: 'en-GB',
  gender: 'male',
  creationDate: '2026-01-01T00:00:00Z',
};
type Page = (page: number) => { readonly entries: readonly unknown[]; readonly total: unknown };

const bad: readonly unknown[] = [
  ...[
    null,
    5,
    'x',
    true,
    [],
    {},
    [[]],
    { id: null },
    { id: 'b' },
    { name: 'B' },
    { id: '', name: 'B' },
    { id: {}, name: 'B' },
  ],
  ...[
    { id: 'x'.repeat(5000), name: 'B' },
    { id: '\ud800', name: 'B' },
    { modelId: 5, name: 'B' },
    { modelId: 'b', name: 7 },
  ],
];
const totals: readonly unknown[] = [0, 1, -1, 1e6, 1e15, 1.5, null, 'many', [], 1e308];
const shapes: readonly (readonly [name: string, page: Page])[] = [
  ...bad.map(
    (entry) => [`bad ${JSON.stringify(entry).slice(0, 30)}`, () => ({ entries: [entry, entry], total: 2 })] as const,
  ),
  ...totals.map(
    (total) => [`total ${String(total)}, the same page`, () => ({ entries: [good, goodModel], total })] as const,
  ),
  ...totals.map((total) => [`total ${String(total)}, nothing`, () => ({ entries: [], total })] as const),
  ...totals.map(
    (total) =>
      [
        `total ${String(total)}, always new`,
        (page: number) => ({ entries: [{ ...good, id: `v${page}` }], total }),
      ] as const,
  ),
  [
    'long texts',
    (page) => ({
      entries: Array.from({ length: 30 }, (_, k) => ({ ...good, id: `v${page} ${k}`, name: 'n'.repeat(100_000) })),
      total: 3e4,
    }),
  ],
];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is held; the service that makes these lists is in this process, and what it threw away does not count. */
function keptBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export const scenario: Scenario = {
  id: 'S19',
  title: 'endless or invalid lists cost little and show their valid entries',
  async run(context) {
    let mostCalls = 0;
    let most = 0;
    const http = createHttp({ proxy: 'direct' });
    for (const [name, pageOf] of shapes) {
      context.note(name);
      let calls = 0;
      const service = await startScriptedService(({ url }, response) => {
        calls += 1;
        const page = Number(new URL(url, 'http://x').searchParams.get('page'));
        const { entries, total } = pageOf(page);
        if (url.includes('/models/')) {
          return replyJson(response, {
            models: entries,
            pagination: { currentPage: page, totalPages: total, totalItems: total },
          });
        }
        replyJson(response, { page, limit: 100, total, voices: entries });
      });
      const connections = createConnectionRegistry(http, [service.connection()]);
      const catalogue = createVoiceCatalogue({
        connections,
        cache: () => Promise.reject(new AppError('data/unreadable', 'none here')),
        clock: { now: () => 0 },
        signal: new AbortController().signal,
        onDefect: (error) => must(false, `${name}: ${String(error)}`),
      });
      const before = keptBytes();
      const error: unknown = await catalogue.get('test', 'nobody').catch((cause: unknown) => cause);
      most = Math.max(most, keptBytes() - before);
      catalogue.forgetOwn('test', 'nobody');
      must(error instanceof AppError && error.code !== 'internal', `${name}: ${String(error)}`);
      must(calls <= 1000, `${name}: ${calls} calls`);
      mostCalls = Math.max(mostCalls, calls);
      await service.stop();
    }
    // Good entries beside each bad one.
    for (const entry of bad) {
      const service = await startScriptedService(({ url }, response) =>
        url.includes('/models/')
          ? replyJson(response, { status: 'ok', models: [entry, goodModel], pagination: {} })
          : replyJson(response, { voices: [entry, good], total: 2, limit: 100, page: 0 }),
      );
      const opened = createConnectionRegistry(http, [service.connection()]).service('test');
      const { signal } = new AbortController();
      const { voices } = await opened.listVoices({ page: 0, limit: 100 }, signal);
      must(
        voices.some(({ id }) => id === 'good'),
        `a good voice is hidden by ${JSON.stringify(entry).slice(0, 40)}`,
      );
      const { models } = await opened.listModels({ page: 1, limit: 100 }, signal);
      must(
        models.some(({ id }) => id === 'good'),
        `a good model is hidden by ${JSON.stringify(entry).slice(0, 40)}`,
      );
      await service.stop();
    }
    await http.close();
    const mebibytes = Math.round(most / 2 ** 20);
    must(mebibytes <= 64, `${mebibytes} MiB`);
    return { shapes: shapes.length + bad.length, 'most calls': mostCalls, 'kept MiB': mebibytes };
  },
};
