import type { ServerResponse } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { type ConnectionRegistry, createConnectionRegistry } from '../connections/connection-registry.ts';
import { openDatabase } from '../database/database.ts';
import { replyJson, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { failure, useServices } from '../voice-service/service.fixture.ts';
import { createVoiceCache, type VoiceCache } from './voice-cache.ts';
import { createVoiceCatalogue, createCatalogueAssembler, type VoiceCatalogue } from './voice-catalogue.ts';

describe('voice catalogue', () => {
  const { http, folder, start } = useServices();
  const voice = (id: string, language = 'en-GB') => ({ id, name: id, language, gender: 'male', category: 'c' });
  const listed = [voice('a'), voice('b'), voice('c', 'de-DE')];
  const model = {
    modelId: 'm',
    name: 'Mine',
    languageCode: 'en-GB',
    gender: 'male',
    creationDate: '2026-01-01T00:00:00Z',
  };

  let database: DatabaseSync;
  let service: ScriptedService;
  let connections: ConnectionRegistry;
  let catalogue: VoiceCatalogue;
  let cache: () => Promise<VoiceCache>;
  let defects: unknown[];
  let now: number;
  /** Replaces the service's replies while set. */
  let fault: ((response: ServerResponse) => void) | undefined;
  let modelFault: ((response: ServerResponse) => void) | undefined;
  const refuse = (status: number, error: string) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));

  function script({ url }: { readonly url: string }, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname.endsWith('/models/list')) {
      if (modelFault) return modelFault(response);
      return replyJson(response, {
        models: [model],
        pagination: { currentPage: 1, totalPages: 1, totalItems: 1 },
      });
    }
    if (fault) return fault(response);
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    const language = searchParams.get('language') ?? '';
    const found = listed.filter((one) => one.language.startsWith(language));
    replyJson(response, { page, limit, total: found.length, voices: found.slice(page * limit, (page + 1) * limit) });
  }

  beforeEach(async () => {
    database = await openDatabase(folder());
    service = await start(script);
    connections = createConnectionRegistry(http(), [service.connection()]);
    cache = () => Promise.resolve(createVoiceCache(database));
    defects = [];
    fault = modelFault = undefined;
    now = 1000;
    catalogue = createVoiceCatalogue({
      connections,
      cache: () => cache(),
      clock: { now: () => now },
      signal: new AbortController().signal,
      onDefect: (error) => defects.push(error),
    });
  });
  afterEach(() => database.close());

  const id = () => connections.list()[0]?.id ?? '';
  const page = (query: Partial<Parameters<VoiceCatalogue['listPage']>[1]> = {}) =>
    catalogue.listPage(id(), { page: 0, limit: 100, ...query });

  it('is read to its end if the service names a larger limit than it keeps', async () => {
    const all = Array.from({ length: 250 }, (_, k) => voice(`v${k}`));
    service = await start(({ url }, response) => {
      if (url.includes('/models/list')) return script({ url }, response);
      const page = Number(new URL(url, 'http://x').searchParams.get('page'));
      replyJson(response, { page, limit: 1000, total: 250, voices: all.slice(page * 100, (page + 1) * 100) });
    });
    connections.upsert(service.connection());
    expect((await catalogue.listAll(id())).voices).toHaveLength(251);
  });

  it.each([400, 404])('is complete although the service answers %i to a page after its last one', async (status) => {
    service = await start(({ url }, response) => {
      if (url.includes('/models/list')) return script({ url }, response);
      if (!url.includes('page=0')) return replyJson(response, { error: 'Invalid parameters.' }, status);
      // The service counts a voice that it does not list.
      replyJson(response, { page: 0, limit: 100, total: 3, voices: [voice('a'), voice('b')] });
    });
    connections.upsert(service.connection());
    const { voices, problem } = await catalogue.listAll(id());
    expect([voices.length, problem]).toEqual([3, null]);
  });

  it('has all own voices, also if the service does not say how many pages they have', async () => {
    const models = Array.from({ length: 150 }, (_, k) => ({ ...model, modelId: `m${k}`, name: `Mine ${k}` }));
    service = await start(({ url }, response) => {
      if (!url.includes('/models/list')) return script({ url }, response);
      const page = Number(new URL(url, 'http://x').searchParams.get('page'));
      const pagination = { currentPage: page, totalPages: -1, totalItems: 150 };
      replyJson(response, { models: models.slice((page - 1) * 100, page * 100), pagination });
    });
    connections.upsert(service.connection());
    expect((await catalogue.listAll(id())).voices).toHaveLength(153);
  });

  describe('a page of the catalogue', () => {
    it('comes from the service, with the time of the request', async () => {
      expect(await page()).toMatchObject({ total: 3, readAt: 1000, problem: null });
    });

    it.each([
      ['the network is gone', undefined, expect.stringMatching(/^network/) as string],
      ['the token is refused', refuse(401, 'Expired.'), 'auth/refused'],
      ['nothing is left of the quota', refuse(402, 'Used up.'), 'quota/used-up'],
      ['the service asks for a pause', refuse(429, 'Slowly.'), 'rate/limited'],
      ['the service is broken', refuse(503, 'Later.'), 'service/unavailable'],
      [
        'the service speaks of something else',
        (response: ServerResponse) => void response.end('<html>'),
        'service/not-understood',
      ],
    ])('comes from the cache, with its date and the reason, if %s', async (_case, broken, code) => {
      await page({ page: 0, limit: 2 });
      now = 2000;
      await page({ page: 1, limit: 2 });
      now = 3000;
      if (broken) fault = broken;
      else await service.stop();
      expect(await page({ language: 'en', limit: 1, page: 1 })).toMatchObject({
        page: 1,
        total: 2,
        voices: [{ id: 'b' }],
        readAt: 1000,
        problem: { code },
      });
    });

    it('is the service’s error if the request was wrong, cached or not', async () => {
      await page();
      fault = refuse(400, 'Invalid parameters.');
      expect((await failure(page())).code).toBe('service/refused');
      expect((await failure(catalogue.listPage('nobody', { page: 0, limit: 1 }))).code).toBe('connection/not-found');
      expect((await failure(page({ limit: 101 }))).code).toBe('request/invalid');
    });

    it('is the service’s error if no complete catalogue is cached', async () => {
      await page({ limit: 2 });
      await page({ language: 'de' });
      fault = refuse(503, 'Later.');
      expect((await failure(page())).code).toBe('service/unavailable');
    });

    it('works without a database, whose failure is not reported as a defect', async () => {
      cache = () => Promise.reject(new AppError('data/unreadable', 'no'));
      expect((await page()).total).toBe(3);
      fault = refuse(503, 'Later.');
      expect((await failure(page())).code).toBe('service/unavailable');
      expect(defects).toEqual([]);
    });

    it('works if it cannot be cached, which is reported as a defect', async () => {
      cache = () => Promise.reject(new Error('disk I/O error'));
      expect((await page()).total).toBe(3);
      expect(defects).toHaveLength(1);
    });

    it('of a connection that was removed meanwhile is not cached', async () => {
      const removed = id();
      cache = () => {
        connections.remove(removed);
        return Promise.resolve(createVoiceCache(database));
      };
      await page();
      expect(createVoiceCache(database).findPage(removed, { page: 0, limit: 1 })).toBeUndefined();
    });
  });

  describe('the voice of an id', () => {
    it('is found in the catalogue or among the user’s own, and requested once', async () => {
      expect(await catalogue.get(id(), 'c')).toMatchObject({ name: 'c', language: 'de-DE' });
      expect(await catalogue.get(id(), 'm')).toMatchObject({ name: 'Mine', category: 'model' });
      const { length } = service.requests;
      await catalogue.get(id(), 'm');
      expect(service.requests).toHaveLength(length);
    });

    it('is found in the cache while the service is unavailable', async () => {
      await page();
      fault = refuse(503, 'Later.');
      const second = createVoiceCatalogue({
        connections,
        cache,
        clock: { now: () => now },
        signal: new AbortController().signal,
        onDefect: (error) => defects.push(error),
      });
      expect((await second.get(id(), 'b')).name).toBe('b');
    });

    it('is not found if neither list has it, also at a service without models', async () => {
      expect((await failure(catalogue.get(id(), 'x'))).code).toBe('voice/not-found');
      modelFault = refuse(404, 'No such path.');
      expect((await failure(catalogue.get(id(), 'x'))).code).toBe('voice/not-found');
      expect((await failure(catalogue.get(id(), ''))).code).toBe('voice/missing');
    });

    it('is unknown, not missing, if the list of models could not be read', async () => {
      modelFault = refuse(503, 'Later.');
      expect((await failure(catalogue.get(id(), 'm'))).code).toBe('service/unavailable');
    });

    it('is requested again after an own voice of that name was deleted', async () => {
      await catalogue.get(id(), 'm');
      catalogue.forgetOwn(id(), 'Mine');
      modelFault = refuse(404, 'No such path.');
      expect((await failure(catalogue.get(id(), 'm'))).code).toBe('voice/not-found');
    });

    it.each([
      ['whose pages are always the same', () => [voice('same')], 1e6, 2],
      ['whose total is out of all reason', (page: number) => [voice(`v${page}`)], 1e15, 1],
      ['that always brings a new voice', (page: number) => [voice(`v${page}`)], 1e6, 500],
    ])('stops searching a catalogue %s', async (_, voicesOf, total, calls) => {
      let requests = 0;
      const endless = await start(({ url }, response) => {
        const page = Number(new URL(url, 'http://x').searchParams.get('page'));
        if (url.includes('/models/')) return replyJson(response, { error: 'No such list.' }, 404);
        requests += 1;
        return replyJson(response, { page, limit: 100, total, voices: voicesOf(page) });
      });
      connections.upsert(endless.connection());
      const error = await failure(catalogue.get('test', 'nobody'));
      expect(requests).toBe(calls);
      expect(error.code).toBe(calls === 2 ? 'voice/not-found' : 'service/endless-list');
    });

    it('finds an own voice despite an endless catalogue, and a voice on the last permitted page', async () => {
      const long = await start(({ url }, response) => {
        const page = Number(new URL(url, 'http://x').searchParams.get('page'));
        if (url.includes('/models/')) return replyJson(response, { models: [model], pagination: {} });
        replyJson(response, { page, limit: 10, total: 1e6, voices: [voice(`v${page}`)] });
      });
      connections.upsert(long.connection());
      expect(await catalogue.get('test', 'm')).toMatchObject({ id: 'm' });
      expect(await catalogue.get('test', 'v499')).toMatchObject({ id: 'v499' });
    });

    it('stops searching an endless list of own voices', async () => {
      let requests = 0;
      const endless = await start(({ url }, response) => {
        if (!url.includes('/models/')) return replyJson(response, { page: 0, limit: 100, total: 0, voices: [] });
        requests += 1;
        const models = [{ ...model, modelId: `m${requests % 3}` }];
        return replyJson(response, {
          models,
          pagination: { currentPage: requests, totalPages: 1e15, totalItems: 1e6 },
        });
      });
      connections.upsert(endless.connection());
      expect((await failure(catalogue.get('test', 'nobody'))).code).toBe('voice/not-found');
      expect(requests).toBe(4);
    });
  });
});

describe('createCatalogueAssembler', () => {
  const voice = (id: string): Voice => ({ id, name: id, language: 'en-GB', gender: 'male', category: 'c' });
  const pages = [['a', 'b'], ['c', 'd'], ['e']].map((ids) => ids.map(voice));

  function setUp() {
    const assembler = createCatalogueAssembler();
    const add = (page: number, { total = 5, voices = pages[page] ?? [], limit = 2, language = '', at = page } = {}) =>
      assembler.add('c', { page, limit, language }, { page, limit, total, voices }, at);
    return { add, idsOf: (pass: ReturnType<typeof add>) => pass?.voices.map(({ id }) => id).join('') };
  }

  describe('a catalogue snapshot', () => {
    it('ends with the page that brings the last voice, and has the time of its first page', () => {
      const { add, idsOf } = setUp();
      expect(add(0, { at: 10 })).toBeUndefined();
      expect(add(1, { at: 20 })).toBeUndefined();
      const pass = add(2, { at: 30 });
      expect([idsOf(pass), pass?.startedAt]).toEqual(['abcde', 10]);
    });

    it('is one page if all voices fit on it, and none if there are no voices', () => {
      const { add } = setUp();
      expect(add(0, { total: 2 })?.voices).toHaveLength(2);
      expect(add(0, { total: 0, voices: [] })?.voices).toEqual([]);
    });

    it('ends when the service has no more voices, whatever total it states', () => {
      const { add, idsOf } = setUp();
      for (const page of [0, 1, 2]) expect(add(page, { total: 99 })).toBeUndefined();
      expect(idsOf(add(3, { total: 99 }))).toBe('abcde');
      expect(add(0, { total: 99, voices: [] })).toBeUndefined();
    });

    it.each([
      ['a page is left out', [0, 2]],
      ['it does not begin at the first page', [1, 2]],
      ['a page comes twice', [0, 1, 1, 2]],
    ])('is incomplete if %s', (_case, order) => {
      const { add } = setUp();
      expect(order.map((page) => add(page)).every((pass) => pass === undefined)).toBe(true);
    });

    it('is discarded if the catalogue grew meanwhile, and starts again with the next first page', () => {
      const { add, idsOf } = setUp();
      add(0);
      add(1);
      expect(add(2, { total: 6 })).toBeUndefined();
      add(0);
      add(1);
      expect(idsOf(add(2))).toBe('abcde');
    });

    it('ignores filtered pages, and is not affected by them or by other readers', () => {
      const { add, idsOf } = setUp();
      expect(add(0, { language: 'de', total: 2 })).toBeUndefined();
      add(0);
      add(0, { language: 'de', total: 2 });
      add(0, { limit: 3, voices: [voice('a'), voice('b'), voice('c')] });
      add(1);
      expect(idsOf(add(1, { limit: 3, voices: [voice('d'), voice('e')] }))).toBe('abcde');
      expect(idsOf(add(2))).toBe('abcde');
    });
  });
});
