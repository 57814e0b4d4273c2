import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { startTestEngine, type TestEngine } from '../engine.fixture.ts';
import { refusal } from '../calls.fixture.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

describe('the voice list', () => {
  const list = (query: string) => engine.call('GET', `/api/pagevoices?${query}`);

  it('has pages that start at 0 and together contain every voice once', async () => {
    const ids: string[] = [];
    for (let page = 0; page * 50 < catalogue.length; page++) {
      const { body } = await list(`version=v2&page=${page}&limit=50`);
      const { voices, ...rest } = body as { readonly voices: readonly { readonly id: string }[] };
      expect(rest).toEqual({ page, limit: 50, total: catalogue.length });
      ids.push(...voices.map(({ id }) => id));
    }
    expect(ids).toEqual(catalogue.map(({ id }) => id));
  });

  it('filters by gender, category and language, and accepts a part of each', async () => {
    const voices = async (query: string) =>
      ((await list(`limit=100&${query}`)).body as { readonly voices: readonly Readonly<Record<string, string>>[] })
        .voices;
    expect((await voices('gender=female')).every(({ gender }) => gender === 'female')).toBe(true);
    expect(await voices('gender=all')).toHaveLength(100);
    const singing = catalogue.filter(({ category }) => category === 'singing').map(({ id }) => id);
    expect((await voices('category=singing')).map(({ id }) => id)).toEqual(singing);
    expect((await voices('language=en')).length).toBeGreaterThan((await voices('language=en-GB')).length);
    expect(await voices('language=xx')).toEqual([]);
    expect(Object.keys((await voices('gender=male'))[0] ?? {})).toEqual([
      'id',
      'name',
      'language',
      'gender',
      'category',
    ]);
  });

  it.each([
    ['limit=101', /limit exceeds the maximum allowed value/],
    ['limit=0', /limit/],
    ['limit=ten', /limit must be an integer/],
    ['page=-1', /page/],
    ['page=1.5', /page must be an integer/],
    ['gender=other', /gender/],
    ['version=v1', /version must be v2/],
  ])('rejects %s', async (query, details) => {
    expect(await list(query)).toEqual(refusal(400, 'Invalid parameters.', details));
  });
});

describe('the voice detail', () => {
  it('has every field of the interface', async () => {
    expect(await engine.call('GET', '/api/getvoicedetail?voiceId=low-bronze')).toEqual({
      status: 200,
      body: {
        status: 'success',
        voiceId: 'low-bronze',
        name: 'Low bronze',
        gender: 'male',
        language: 'en-US',
        category: 'natural',
        description: expect.any(String) as string,
        additionalDetails: {
          pitch: expect.any(String) as string,
          speed: expect.any(String) as string,
          supportedFormats: ['wav', 'mp3', 'flac', 'ogg'],
        },
      },
    });
  });

  it.each(['oak/ash', '50%-brass', 'blå-fjord', 'nebel-&-licht'])(
    'finds %j, which needs encoding in an address',
    async (id) => {
      const { status, body } = await engine.call('GET', `/api/getvoicedetail?voiceId=${encodeURIComponent(id)}`);
      expect([status, (body as { readonly voiceId: string }).voiceId]).toEqual([200, id]);
    },
  );

  it.each(['', '?voiceId=', '?voiceId=nobody', '?voiceId=%00'])('rejects %j', async (query) => {
    expect(await engine.call('GET', `/api/getvoicedetail${query}`)).toEqual(
      refusal(404, 'Invalid voice identifier.', /does not exist/),
    );
  });
});
