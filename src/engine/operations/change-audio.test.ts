import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buzz, encoded } from '../../sound/sound.fixture.ts';
import { startTestEngine, type TestEngine } from '../engine.fixture.ts';
import { createTaskId, formWith, rawCall, rawUpload, recordOf, refusal, soundRunsOf } from '../calls.fixture.ts';

const rate = 22_050;

let engine: TestEngine;
let wav: string;

beforeAll(async () => {
  engine = await startTestEngine();
  wav = join(engine.dataDirectory, 'buzz.wav');
  await writeFile(wav, await encoded('wav', [buzz(150, 1, rate)], rate));
});
afterAll(() => engine.remove());

const convert = (body: unknown) => engine.call('POST', '/api/changeaudiofile', body);

describe('convert', () => {
  it('rejects parameters with the wording of the interface', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    const rows: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ pitch: 0 }, /pitch must be a positive number/],
      [{ pitch: -1 }, /pitch must be a positive number/],
      [{ pitch: '1' }, /pitch must be a positive number/],
      [{ pitch: 11 }, /pitch must be a positive number/],
      [{ speed: 0 }, /speed must be a positive number/],
      [{ speed: 0.01 }, /speed must be a positive number/],
      [{ outputFormat: '.exe' }, /outputFormat/],
      [{ outputFormat: 3 }, /outputFormat/],
      [{ pitch_control: 'other' }, /pitch_control/],
      [{ auto_f0_adjust: 'yes' }, /auto_f0_adjust/],
      [{ engine: 'v1' }, /engine/],
      [{ voice: 'nobody' }, /nobody/],
      [{ uuid: undefined }, /uuid field is required/],
    ];
    for (const [change, details] of rows) {
      expect(await convert({ uuid, ...change })).toEqual(refusal(400, 'Invalid parameters.', details));
    }
    expect(await soundRunsOf(engine, uuid)).toBe(0);
  });

  it('rejects an unknown task and one without an upload', async () => {
    expect(await convert({ uuid: randomUUID() })).toEqual(refusal(404, 'Invalid parameters.', /does not exist/));
    expect(await convert({ uuid: await createTaskId(engine) })).toEqual(
      refusal(409, 'Invalid parameters.', /No audio file/),
    );
  });

  it('replies with an absolute address of its own and whole milliseconds', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    const { body } = await convert({ uuid, outputFormat: '.flac', audioName: 'Grüße/été.wav' });
    const { data } = body as { readonly data: { readonly audioUrl: string; readonly processingTime: number } };
    expect(body).toMatchObject({ status: 'success', message: expect.any(String) as string });
    expect(data.audioUrl).toMatch(new RegExp(`^${engine.origin}/results/${uuid}/[0-9a-f]+\\.flac$`));
    expect(Number.isInteger(data.processingTime)).toBe(true);
    const response = await engine.download(data.audioUrl);
    expect(response.headers.get('content-type')).toBe('audio/flac');
    expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain('été.flac');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  it('computes equal requests once, in sequence and concurrently', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    const body = { uuid, pitch: 1.1 };
    const replies = await Promise.all([convert(body), convert(body), convert(body)]);
    replies.push(await convert(body));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await soundRunsOf(engine, uuid)).toBe(1);
    await convert({ ...body, pitch: 1.2 });
    expect(await soundRunsOf(engine, uuid)).toBe(2);
  });

  it('replies with the stored result after the same file was uploaded again', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    const first = await convert({ uuid });
    await engine.upload(uuid, wav);
    expect(await convert({ uuid })).toEqual(first);
    expect(await soundRunsOf(engine, uuid)).toBe(1);
  });

  it('computes a result again if the stored one is gone', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    const { body } = await convert({ uuid });
    const { data } = body as { readonly data: { readonly audioUrl: string } };
    await rm(join(engine.dataDirectory, 'engine', 'tasks', uuid, data.audioUrl.split('/').pop() ?? ''));
    expect((await engine.download(data.audioUrl)).status).toBe(404);
    expect((await convert({ uuid })).status).toBe(200);
    expect((await engine.download(data.audioUrl)).status).toBe(200);
  });

  it('replies for a file that is damaged inside, and keeps running', async () => {
    const id = await createTaskId(engine);
    const bytes = Uint8Array.from(await encoded('flac', [buzz(150, 3, rate)], rate));
    bytes.fill(0x55, 5000, bytes.length - 20_000);
    expect((await rawUpload(engine, id, formWith('audioFile', bytes))).status).toBe(200);
    const broken = await convert({ uuid: id });
    expect(broken).toEqual(refusal(422, 'Invalid parameters.', /incomplete|no audio/));
    expect((await convert({ uuid: await engine.prepare('low-bronze', wav) })).status).toBe(200);
  });
});

describe('results', () => {
  it('are served only if they are on record', async () => {
    const uuid = await engine.prepare('low-bronze', wav);
    await convert({ uuid });
    for (const file of ['task.json', '..%2Ftask.json', 'nothing.wav', '..']) {
      expect((await rawCall(engine, { path: `/results/${uuid}/${file}` })).status).toBe(404);
    }
  });

  it('are kept for 24 hours after their download, and removed at a later start', async () => {
    let now = Date.now();
    const clock = { now: () => now };
    const first = await startTestEngine({ clock });
    const uuid = await first.prepare('low-bronze', wav);
    const { body } = await first.call('POST', '/api/changeaudiofile', { uuid });
    const { data } = body as { readonly data: { readonly audioUrl: string } };
    await (await first.download(data.audioUrl)).arrayBuffer();
    // The delivery is recorded after the last byte was sent.
    const deliveries = async () =>
      Object.values((await recordOf(first, uuid)).results).map((result) => result.deliveredAt);
    await expect.poll(deliveries).toEqual([now]);
    await first.stop();

    now += 23 * 3_600_000;
    const second = await startTestEngine({ clock, dataDirectory: first.dataDirectory });
    const path = new URL(data.audioUrl).pathname;
    expect((await second.download(second.origin + path)).status).toBe(200);
    await second.stop();

    now += 26 * 3_600_000;
    const third = await startTestEngine({ clock, dataDirectory: first.dataDirectory });
    expect((await third.download(third.origin + path)).status).toBe(404);
    await third.remove();
  });
});
