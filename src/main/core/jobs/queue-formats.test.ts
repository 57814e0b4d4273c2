import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { offeredFormats } from '../../../shared/schemas/settings.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { sample, useTestQueue } from './queue.fixture.ts';

const test = useTestQueue();
let service: ScriptedService | undefined;
afterEach(() => service?.stop());

/** A service that answers each conversion with these bytes. */
async function answering(result: Buffer): Promise<ScriptedService> {
  service = await startScriptedService(({ url }, response) => {
    if (url.includes('createaudiofilechanger')) return replyJson(response, { message: 'Made.', taskId: 't' });
    if (url.includes('uploadaudiofile')) return replyJson(response, { message: 'Kept.', uuid: 't' });
    if (url.includes('changeaudiofile')) {
      return replyJson(response, { status: 'success', data: { audioUrl: `${service?.origin ?? ''}/result` } });
    }
    return void response.writeHead(200, { 'content-type': 'audio/x-other' }).end(result);
  });
  return service;
}
const asked = (): Readonly<Record<string, unknown>> => {
  const seen = service?.requests.find(({ url }) => url.includes('changeaudiofile'));
  return JSON.parse(String(seen?.body)) as Readonly<Record<string, unknown>>;
};

async function convert(result: Buffer, format: '.wma' | '.m4a' | '.mp3') {
  const other = await answering(result);
  await test().open(other.connection());
  const source = join(test().folder, 'a.mp3');
  await copyFile(sample, source);
  test().order = { ...test().order, settings: { ...test().order.settings, format } };
  const { jobs } = await test().run([source]);
  return { job: jobs[0], outputs: await test().outputs() };
}

describe('a result in a format of the service', () => {
  it('that Timbre does not know is asked for, kept and named by it', async () => {
    const { job, outputs } = await convert(Buffer.from('30 26 b2 75 8e 66 cf 11', 'latin1'), '.wma');
    expect([job?.state, asked()['outputFormat']]).toEqual(['done', '.wma']);
    expect(outputs).toEqual([expect.stringMatching(/^a.*\.wma$/)]);
  });

  it('that is another sound than was asked for is named by what it is', async () => {
    const { job, outputs } = await convert(await readFile(sample), '.m4a');
    expect([job?.state, basename(job?.output?.path ?? '')]).toEqual(['done', outputs[0]]);
  });

  it('that is no sound is not taken for one of ours', async () => {
    const { job, outputs } = await convert(Buffer.from('not a sound'), '.mp3');
    expect([job?.state === 'done', outputs]).toEqual([false, []]);
  });
});

describe('platform and audio name of a conversion', () => {
  it.each([
    [{}, {}, { platform: '', audioName: 'a' }],
    [{ platform: 'win', audioName: 'Studio' }, {}, { platform: 'win', audioName: 'Studio' }],
    [
      { platform: 'win', audioName: 'Studio' },
      { platformInfo: 'mac', audioName: 'Mine' },
      { platform: 'mac', audioName: 'Mine' },
    ],
  ])('are those of the connection %j, or of the conversion %j', async (document, settings, sent) => {
    const other = await answering(await readFile(sample));
    await test().open(other.connection(document));
    const source = join(test().folder, 'a.mp3');
    await writeFile(source, await readFile(sample));
    test().order = { ...test().order, settings: { ...test().order.settings, ...settings } };
    await test().run([source]);
    expect(asked()).toMatchObject(sent);
  });
});

it('formats are ours, those that the voice lists, and no ending of a program', () => {
  expect(offeredFormats(['wav', 'm4a', 'exe', 'a/b', 'desktop', 'WMA'], '.amr')).toEqual([
    ...['same', '.wav', '.mp3', '.flac', '.ogg', '.m4a', '.WMA', '.amr'],
  ]);
});
