// Fails when "same again" asks the service for anything else than the entry says, or asks it at all where voice, connection or recording
// are not there any more.
import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { AppError } from '../../../src/shared/errors.ts';
import type { RepeatChanges } from '../../../src/shared/schemas/history.ts';
import type { Call } from '../../faults/call.ts';
import type { FaultProxy } from '../../faults/start-fault-proxy.ts';
import { connect } from '../support/history/connect.ts';
import { noVoices } from '../support/history/no-voices.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { putFile, recording } from '../support/watch/recordings.ts';

/** None of them is the default. */
const conversions = [
  { pitch: 1.25, speed: 0.8, pitchControl: 'shift-formants', autoF0: false, engine: 'v5', format: '.flac' },
  { pitch: 0.75, speed: 1.5, pitchControl: 'shift-formants', autoF0: false, engine: 'v5', format: '.mp3' },
] as const;
const speech = { language: 'en-GB', speed: 1.25, pitch: 0.8, engine: 'v5', platform: 'phone' } as const;
const otherVoice = 'open-field';

/** What it was asked for, with its own names for things taken out. */
function asked({ operation, method, path, body, task, receivedBytes, headers }: Call) {
  const text = JSON.stringify({
    method,
    path,
    body,
    // Of a body in parts only the boundary differs.
    receivedBytes,
    type: headers['content-type']?.replace(/boundary=.*/, 'boundary'),
    authorization: headers.authorization,
  });
  return { operation, request: task === null ? text : text.replaceAll(task, 'TASK') };
}

const isWork = ({ operation }: Call) => ['create-task', 'upload', 'convert', 'speech'].includes(operation);

/** What the service is asked for while something is done. */
async function requestsOf(proxy: FaultProxy, work: () => Promise<unknown>) {
  const from = proxy.calls.length;
  await work();
  return proxy.calls.slice(from).filter(isWork).map(asked);
}

async function again(app: HistoryCase, id: string, changes: RepeatChanges = {}): Promise<void> {
  const before = await app.ids();
  const { added } = await app.api.history.repeat({ choice: { ids: [id] }, changes });
  must(added === 1, `${added} jobs like one entry`);
  const [job] = await app.endedSince(before, 1);
  must(job?.state === 'done', `the same again ended ${job?.state ?? 'nowhere'} ${JSON.stringify(job?.problem)}`);
}

/** Nothing is sent, and the reason is said. */
async function mustRefuse(app: HistoryCase, proxy: FaultProxy, id: string, code: string): Promise<void> {
  let said = 'nothing';
  const sent = await requestsOf(proxy, () =>
    app.api.history.repeat({ choice: { ids: [id] } }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      said = error.code;
    }),
  );
  must(said === code, `it says ${said} instead of ${code}`);
  must(sent.length === 0, `${code}: ${sent.length} calls went out`);
}

type Requests = Awaited<ReturnType<typeof requestsOf>>;

function mustBeEqual(what: string, first: Requests, second: Requests): void {
  must(first.length > 0, `${what}: nothing was asked for`);
  must(isDeepStrictEqual(first, second), `${what}: ${JSON.stringify(first)} became ${JSON.stringify(second)}`);
}

/** They differ, and do not any more where what was changed is taken out of both. */
function mustDifferOnlyIn(what: string, first: Requests, second: Requests, without: (request: string) => string): void {
  must(!isDeepStrictEqual(first, second), `${what} makes no difference`);
  // The length of a body with something else in it.
  const bare = (all: Requests) =>
    all.map(({ operation, request }) => ({ operation, request: without(request.replace(/"receivedBytes":\d+,/, '')) }));
  mustBeEqual(what, bare(first), bare(second));
}

export const scenario: Scenario = {
  id: 'H10',
  title: 'a repeat of each kind of entry sends the stored request, except for ids and requested changes',
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
    const app = await openHistory({ ...context, folder: join(context.folder, 'first') });
    const connectionId = await connect(app, proxy);
    await app.sound();
    const paths = await Promise.all(
      conversions.map((_, k) => putFile(join(app.folder, 'in'), `take ${k}.wav`, recording(k))),
    );

    const stored = new Map<string, Requests>();
    for (const [k, settings] of conversions.entries()) {
      context.note(`conversion ${k}`);
      let id = '';
      const requests = await requestsOf(proxy, async () => {
        const [job] = await app.convert([paths[k] ?? ''], settings);
        must(job?.state === 'done', `conversion ${k} ended ${job?.state ?? 'nowhere'}`);
        ({ id } = job);
      });
      stored.set(id, requests);
    }
    context.note('speech');
    let spokenId = '';
    const spoken = await requestsOf(proxy, async () => {
      const job = await app.speak('Good evening, and welcome.', speech);
      must(job.state === 'done', `speech ended ${job.state} ${JSON.stringify(job.problem)}`);
      spokenId = job.id;
    });
    stored.set(spokenId, spoken);
    // The settings of today are no part of it.
    await app.settings({ nameTemplate: '{name} {voice}', outputFolder: join(app.folder, 'elsewhere') });

    for (const [id, first] of stored) {
      const { voice } = await app.job(id);
      context.note(`again: ${id}`);
      mustBeEqual('the same again', first, await requestsOf(proxy, () => again(app, id)));
      for (const { what, changes, without } of [
        {
          what: 'another voice',
          changes: { voiceId: otherVoice },
          without: (request: string) => request.replaceAll(otherVoice, voice.id),
        },
        {
          what: 'another speed',
          changes: { speed: 0.5 },
          without: (request: string) => request.replaceAll(/("speed":)"?[\d.]+"?/gi, '$1'),
        },
      ])
        mustDifferOnlyIn(what, first, await requestsOf(proxy, () => again(app, id, changes)), without);
      const entries = await app.rows('');
      const newest = await Promise.all(entries.slice(0, 3).map((row) => app.api.history.detail({ id: row.id })));
      const own = (await app.job(id)).settings;
      const settings = newest.map((detail) => detail.settings).reverse();
      must(
        isDeepStrictEqual(settings, [own, { ...own, voiceId: otherVoice }, { ...own, speed: 0.5 }]),
        'the new entries have other settings',
      );
    }

    context.note('imported');
    const [convertedId = ''] = stored.keys();
    app.person.answer = join(context.folder, 'history.jsonl');
    await app.api.history.export({ choice: { ids: [...stored.keys()] }, what: 'list' });
    const other = await openHistory({ ...context, folder: join(context.folder, 'second') });
    await connect(other, proxy);
    await other.sound();
    other.person.answer = app.person.answer;
    await other.api.history.import();
    await mustRefuse(other, proxy, convertedId, 'input/missing');
    const sounds = join(other.folder, 'brought along');
    await mkdir(sounds);
    await putFile(sounds, 'take 0.wav', recording(0));
    other.person.answer = sounds;
    const found = await other.api.history.findFile({ id: convertedId, which: 'source' });
    must(found?.kind === 'found', 'the recording of an imported entry is not found by its bytes');
    mustBeEqual(
      'an imported conversion',
      stored.get(convertedId) ?? [],
      await requestsOf(proxy, () => again(other, convertedId)),
    );
    mustBeEqual('imported speech', spoken, await requestsOf(proxy, () => again(other, spokenId)));

    context.note('what is not there any more');
    await app.close();
    const later = await openHistory({ ...context, folder: app.folder });
    await later.sound();
    proxy.script([noVoices]);
    for (const id of stored.keys()) await mustRefuse(later, proxy, id, 'voice/not-found');
    proxy.script([]);
    await later.settings({ connectionId: 'local' });
    await later.api.connections.remove({ id: connectionId });
    for (const id of stored.keys()) await mustRefuse(later, proxy, id, 'connection/not-found');
    await later.close();
    await other.close();
    return {
      entries: stored.size + 2,
      'requests compared': [...stored.values()].flat().length * 3 + 4,
      differences: 0,
    };
  },
};
