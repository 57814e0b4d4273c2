// Fails when an entry of history does not say what was converted, how, by whom and with what result, or says something else once the
// connection has another name, or the voice is offered no longer.
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { Job } from '../../../src/main/core/jobs/job.ts';
import { testVoice } from '../../../src/main/core/jobs/job.fixture.ts';
import type { HistoryDetail, HistoryState } from '../../../src/shared/schemas/history.ts';
import type { Rule } from '../../faults/fault-rules.ts';
import { connect } from '../support/history/connect.ts';
import { noVoices } from '../support/history/no-voices.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

/** What an entry must name beside settings, voice, connection, attempts and timings, which each of them has. */
interface Row {
  readonly name: string;
  readonly kind: 'conversion' | 'speech';
  readonly state: HistoryState;
  readonly rules: readonly Rule[];
  /** Ends while the service holds this call. */
  readonly cancelledIn?: 'create-task' | 'convert' | 'speech';
  readonly has: { readonly source: boolean; readonly task: boolean; readonly result: boolean };
  readonly attempts: number;
  readonly problem: string | null;
}

const refusal = { kind: 'answer', status: 400, body: { error: 'no such sound' } } as const;
const lost = { kind: 'drop-after' } as const;
const nothing = { source: false, task: false, result: false };
const taken = { source: true, task: true, result: false };

const table: readonly Row[] = [
  {
    name: 'done',
    kind: 'conversion',
    state: 'done',
    rules: [],
    has: { ...taken, result: true },
    attempts: 0,
    problem: null,
  },
  {
    name: 'done after a try that failed',
    kind: 'conversion',
    state: 'done',
    rules: [{ operation: 'upload', times: 1, fault: lost }],
    has: { ...taken, result: true },
    attempts: 1,
    problem: null,
  },
  // A recording is hashed while it is sent, so one that was never sent has no hash.
  {
    name: 'failed before it was sent',
    kind: 'conversion',
    state: 'failed',
    rules: [{ operation: 'create-task', fault: refusal }],
    has: nothing,
    attempts: 1,
    problem: 'service/refused',
  },
  {
    name: 'failed when it was up there',
    kind: 'conversion',
    state: 'failed',
    rules: [{ operation: 'convert', fault: refusal }],
    has: taken,
    attempts: 1,
    problem: 'service/refused',
  },
  {
    name: 'cancelled before it was sent',
    kind: 'conversion',
    state: 'cancelled',
    rules: [],
    cancelledIn: 'create-task',
    has: nothing,
    attempts: 0,
    problem: null,
  },
  {
    name: 'cancelled while it was converted',
    kind: 'conversion',
    state: 'cancelled',
    rules: [],
    cancelledIn: 'convert',
    has: taken,
    attempts: 0,
    problem: 'service/may-charge',
  },
  {
    name: 'uncertain',
    kind: 'conversion',
    state: 'uncertain',
    rules: [{ operation: 'convert', fault: lost }],
    has: taken,
    attempts: 1,
    problem: 'service/uncertain',
  },
  // The interface gives speech no task, and it has no recording: its text takes the place of one.
  {
    name: 'speech done',
    kind: 'speech',
    state: 'done',
    rules: [],
    has: { ...nothing, result: true },
    attempts: 0,
    problem: null,
  },
  {
    name: 'speech failed',
    kind: 'speech',
    state: 'failed',
    rules: [{ operation: 'speech', fault: refusal }],
    has: nothing,
    attempts: 1,
    problem: 'service/refused',
  },
  {
    name: 'speech cancelled',
    kind: 'speech',
    state: 'cancelled',
    rules: [],
    cancelledIn: 'speech',
    has: nothing,
    attempts: 0,
    problem: 'service/may-charge',
  },
  {
    name: 'speech uncertain',
    kind: 'speech',
    state: 'uncertain',
    rules: [{ operation: 'speech', fault: lost }],
    has: nothing,
    attempts: 1,
    problem: 'service/uncertain',
  },
];

const settings = { pitch: 1.2, speed: 0.9, engine: 'v5', format: '.flac', autoF0: false } as const;
const speech = { pitch: 0.9, speed: 1.1, engine: 'v5', platform: 'web' } as const;

/** All that does not depend on which page asks. */
const lasting = ({ row, others, ...detail }: HistoryDetail) => ({
  ...detail,
  row: { ...row, sourceMedia: null, resultMedia: null },
  others: others.map(({ id }) => id),
});

async function details(app: HistoryCase, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => lasting(await app.api.history.detail({ id }))));
}

async function check(
  row: Row,
  job: Job,
  detail: HistoryDetail,
  sourceHash: string,
  connectionId: string,
): Promise<void> {
  const { name } = row;
  const { source, result, voice } = { ...detail, ...detail.row };
  const say = (what: string, value: unknown) => `${name}: ${what} is ${JSON.stringify(value)}`;
  must(detail.row.state === row.state, say('its state', [detail.row.state, detail.row.problem]));
  must((detail.row.problem?.code ?? null) === row.problem, say('its problem', detail.row.problem));
  must(isDeepStrictEqual(voice, testVoice), say('its voice', voice));
  must(detail.connectionId === connectionId, say('its connection', detail.connectionId));
  must(detail.connectionName === 'Studio', say('its connection', detail.connectionName));
  const asked = { voiceId: testVoice.id, ...(row.kind === 'speech' ? speech : settings) };
  const wrong = Object.entries(asked).filter(([key, value]) => detail.settings[key as 'pitch'] !== value);
  must(wrong.length === 0, say('what was asked for', wrong));
  must(detail.attempts === row.attempts, say('how often it was tried', detail.attempts));
  must(detail.startedAt !== null && detail.startedAt >= detail.createdAt, say('its start', detail.startedAt));
  must(detail.row.endedAt >= detail.startedAt, say('its end', detail.row.endedAt));
  const spent = Object.values(detail.timings).reduce((sum, each) => sum + each, 0);
  const lasted = detail.row.endedAt - detail.createdAt;
  must(spent > 0 && Math.abs(spent - lasted) <= 50, say(`its time in states (of ${lasted} ms)`, detail.timings));
  if (row.kind === 'speech') must(detail.text === name && source === null, say('its text', detail.text));
  else {
    must(source?.name === `${name}.wav`, say('its source', source));
    must(source.sha256 === (row.has.source ? sourceHash : null), say('the hash of its source', source.sha256));
  }
  must((detail.taskId !== null) === row.has.task, say('its task', detail.taskId));
  must((result !== null) === row.has.result, say('its result', result));
  if (result === null) return;
  const bytes = await readFile(job.output?.path ?? '');
  must(result.sha256 === sha256Of(bytes), say('the hash of its result', result.sha256));
  must(result.sizeBytes === bytes.length, say('the size of its result', result.sizeBytes));
}

export const scenario: Scenario = {
  id: 'H11',
  title: 'an entry of each outcome keeps all its data, also if connection and voice change later',
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
    const app = await openHistory({ ...context, folder: join(context.folder, 'history') });
    const connectionId = await connect(app, proxy);
    await app.sound();
    const ids: string[] = [];
    for (const [k, row] of table.entries()) {
      context.note(row.name);
      const held = Promise.withResolvers<void>();
      const hold: readonly Rule[] =
        row.cancelledIn === undefined
          ? []
          : [{ operation: row.cancelledIn, fault: { kind: 'hold', until: held.promise } }];
      proxy.script([...row.rules, ...hold]);
      const called = proxy.calls.length;
      if (row.cancelledIn !== undefined) {
        const before = await app.ids();
        void proxy
          .waitFor((call) => call.order > called && call.operation === row.cancelledIn)
          .then(async () => {
            const { scheduler } = (await app.data()).queue;
            for (const id of await app.ids()) if (!before.has(id)) scheduler.cancel(id);
          });
      }
      const path = await putFile(join(app.folder, 'in'), `${row.name}.wav`, recording(k));
      const [job] = row.kind === 'speech' ? [await app.speak(row.name, speech)] : await app.convert([path], settings);
      held.resolve();
      must(job !== undefined, `${row.name}: no job`);
      await check(row, job, await app.api.history.detail({ id: job.id }), sha256Of(recording(k)), connectionId);
      ids.push(job.id);
    }

    context.note('another name, and no voices any more');
    const before = await details(app, ids);
    proxy.script([noVoices]);
    await app.api.connections.save({ id: connectionId, document: { ...proxy.document({ name: 'Another name' }) } });
    const { voices } = await app.api.voices.list({
      connectionId,
      page: 0,
      limit: 100,
      category: '',
      gender: '',
      language: '',
    });
    must(voices.length === 0, `the service still offers ${voices.length} voices`);
    must(isDeepStrictEqual(await details(app, ids), before), 'entries say something else than before');
    await app.close();

    context.note('the connection is gone');
    const again = await openHistory({ ...context, folder: app.folder });
    await again.api.connections.list();
    await again.api.connections.remove({ id: connectionId });
    must(isDeepStrictEqual(await details(again, ids), before), 'entries say something else after a new start');
    const found = await again.listed('from:studio');
    must(found.matches === table.length, `the name of then finds ${found.matches} of ${table.length}`);
    await again.close();
    return { entries: table.length, 'end states': new Set(table.map(({ state }) => state)).size, 'fields lost': 0 };
  },
};
