import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, testToken, type TestEngine } from '../../../engine/start-test-engine.ts';
import type { Connection } from './connection.ts';
import { createModel } from './create-model.ts';
import { listModels } from './models.ts';
import { failure, hostsAt, useServices } from './service.fixture.ts';

const { http, folder, start } = useServices();
const { signal } = new AbortController();
const recording = join(import.meta.dirname, '../../../../samples/harbour.wav');
let engine: TestEngine;
let connection: Connection;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

const make = async (name: string, path = recording) => {
  const { connection: of } = await start(() => undefined);
  connection = of({ hosts: hostsAt(engine.origin) }, testToken);
  return createModel(http(), connection, { name, languageCode: 'de-DE', path }, signal);
};

describe('a voice from a recording', () => {
  it('is made by the engine, under its name to the last letter', async () => {
    const name = 'Ada’s "voice", ü 声\u{1F514}';
    const { modelId } = await make(name);
    const { models } = await listModels(http(), connection, { page: 1, limit: 10 }, signal);
    expect(models).toMatchObject([{ id: modelId, name, languageCode: 'de-DE' }]);
  });

  it('has a name of its own', async () => {
    await make('Twice');
    const error = await failure(make('Twice'));
    expect([error.code, error.problem.facts?.['status']]).toEqual(['service/refused', 409]);
  });

  it('is refused from what is no sound, in the engine’s words, and from what is not there', async () => {
    const path = join(folder(), 'note.wav');
    await writeFile(path, 'not a sound');
    const error = await failure(make('Note', path));
    expect([error.code, error.problem.words]).toEqual(['service/refused', expect.stringMatching(/no audio/)]);
    expect((await failure(make('Gone', join(folder(), 'gone.wav')))).code).toBe('input/missing');
  });
});
