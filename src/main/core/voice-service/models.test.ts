import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine, testToken } from '../../../engine/engine.fixture.ts';
import type { Connection } from './connection.ts';
import { createModel, deleteModel, listModels } from './models.ts';
import { replyJson } from './scripted-service.fixture.ts';
import { failure, hostsAt, useServices } from './service.fixture.ts';

describe('models', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();

  const model = {
    modelId: '6f1f7f0e-3f0f-4d6e-8f0e-0c7a3b1d2e4f',
    name: 'a/b ü?#%',
    languageCode: 'en-GB',
    gender: 'male',
    creationDate: '2026-01-02T03:04:05Z',
  };
  const page = {
    status: 'success',
    models: [model],
    pagination: { currentPage: 2, totalPages: 3, totalItems: 21 },
  };

  describe('model list', () => {
    it('uses the connection’s own name for the page size, and reads every field', async () => {
      const service = await start((_, response) => replyJson(response, page));
      const connection = service.connection({ modelPageSizeQuery: 'perPage' });
      expect(await listModels(http(), connection, { page: 2, limit: 10 }, signal)).toEqual({
        page: 2,
        pages: 3,
        total: 21,
        models: [
          {
            id: model.modelId,
            name: model.name,
            voiceId: model.modelId,
            languageCode: 'en-GB',
            gender: 'male',
            creationDate: model.creationDate,
          },
        ],
      });
      expect(service.requests[0]).toMatchObject({
        url: '/api/models/list?page=2&perPage=10',
        headers: { authorization: 'Bearer secret' },
      });
    });

    it('uses the voice id from the field that the connection names', async () => {
      const service = await start((_, response) => replyJson(response, page));
      const byName = service.connection({ modelVoiceField: 'name' });
      expect((await listModels(http(), byName, { page: 1, limit: 1 }, signal)).models[0]?.voiceId).toBe(model.name);
      const byNothing = service.connection({ modelVoiceField: 'nothing' });
      expect((await failure(listModels(http(), byNothing, { page: 1, limit: 1 }, signal))).problem).toMatchObject({
        code: 'service/not-understood',
        facts: { field: 'models[].nothing' },
      });
    });

    it.each([0, -1, 1.5, NaN])('does not request page %s', async (number) => {
      const service = await start(() => undefined);
      const error = await failure(listModels(http(), service.connection(), { page: number, limit: 10 }, signal));
      expect(error.problem).toMatchObject({ code: 'request/invalid', facts: { field: 'page' } });
      expect(service.requests).toHaveLength(0);
    });
  });

  describe('deleting a model', () => {
    it.each(['plain', 'a/b ü?#%', '../list', 'x/../../y', '%2e%2e', ' ', '…'])(
      'deletes exactly %j: the name is one path segment and is never resolved',
      async (name) => {
        const service = await start((_, response) =>
          replyJson(response, { status: 'success', message: 'Deleted.', modelName: name }),
        );
        expect(await deleteModel(http(), service.connection(), name, signal)).toEqual({
          message: 'Deleted.',
          modelName: name,
        });
        const [request] = service.requests;
        expect(request).toMatchObject({ method: 'DELETE', headers: { authorization: 'Bearer secret' } });
        const segments = request?.url.split('/') ?? [];
        expect(segments.slice(0, 3)).toEqual(['', 'v1', 'models']);
        expect(segments.slice(3).map(decodeURIComponent)).toEqual([name]);
      },
    );

    it.each(['', '.', '..', '\ud800'])('is rejected before the call for %j', async (name) => {
      const service = await start(() => undefined);
      expect((await failure(deleteModel(http(), service.connection(), name, signal))).code).toBe('request/invalid');
      expect(service.requests).toHaveLength(0);
    });
  });
});

describe('create model', () => {
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
    it('is created by the engine under its exact name', async () => {
      const name = 'Ada’s "voice", ü 声\u{1F514}';
      const { modelId } = await make(name);
      const { models } = await listModels(http(), connection, { page: 1, limit: 10 }, signal);
      expect(models).toMatchObject([{ id: modelId, name, languageCode: 'de-DE' }]);
    });

    it('needs a unique name', async () => {
      await make('Twice');
      const error = await failure(make('Twice'));
      expect([error.code, error.problem.facts?.['status']]).toEqual(['service/refused', 409]);
    });

    it('is rejected for a file that is not audio, in the engine’s words, and for a missing file', async () => {
      const path = join(folder(), 'note.wav');
      await writeFile(path, 'not a sound');
      const error = await failure(make('Note', path));
      expect([error.code, error.problem.words]).toEqual(['service/refused', expect.stringMatching(/no audio/)]);
      expect((await failure(make('Gone', join(folder(), 'gone.wav')))).code).toBe('input/missing');
    });
  });
});
