import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { startTestEngine, testToken } from '../../src/engine/engine.fixture.ts';
import type { Service } from './plain-client.ts';

export interface OpenedService extends Service {
  /** The name of a model that exists and may be deleted. */
  readonly model: string;
  /** Stops what was started for the tests, not a remote service. */
  close(): Promise<void>;
}

const engineHoles = {
  version: 'version',
  category: 'category',
  gender: 'gender',
  language: 'language',
  voiceDetail: 'voiceId',
  modelPageSize: 'limit',
  changerType: 'changerType',
};
const base = v.pipe(v.string(), v.url());
const givenSchema = v.strictObject({
  hosts: v.strictObject({ voice: base, upload: base, converter: base, models: base, sample: base }),
  token: v.string(),
  models: v.strictObject({ plain: v.string(), client: v.string() }),
  holes: v.optional(v.partial(v.strictObject(v.entriesFromList(Object.keys(engineHoles), v.string()))), {}),
});

async function startEngine(): Promise<OpenedService> {
  const engine = await startTestEngine();
  const { origin } = engine;
  const model = 'My own / voice';
  const form = new FormData();
  form.set('name', model);
  form.set(
    'audioFile',
    new Blob([await readFile(join(import.meta.dirname, '../../samples/harbour.wav'))]),
    'harbour.wav',
  );
  const made = await fetch(`${origin}/local/models`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testToken}` },
    body: form,
  });
  if (!made.ok) throw new Error(`no model could be made: ${await made.text()}`);
  return {
    hosts: { voice: origin, upload: origin, converter: origin, models: origin, sample: origin },
    token: testToken,
    holes: engineHoles,
    model,
    close: () => engine.remove(),
  };
}

/**
 * The service under test. `TIMBRE_CONFORMANCE` names one that runs already, as JSON: `hosts` (the five base addresses), `token`,
 * `models` (names of two models that the tests may delete, one each for `plain` and `client`) and, where they differ from the
 * engine's, `holes`. Without it the real engine is started, with a model made from a sample.
 */
export async function openService(user: 'plain' | 'client'): Promise<OpenedService> {
  const given = process.env['TIMBRE_CONFORMANCE'];
  if (!given) return startEngine();
  const { hosts, token, models, holes } = v.parse(givenSchema, JSON.parse(given));
  return {
    hosts,
    token,
    holes: { ...engineHoles, ...holes },
    model: models[user],
    close: () => Promise.resolve(),
  };
}
