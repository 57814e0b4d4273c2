import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { offeredFormats } from '../../../shared/schemas/settings.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { sample, silence, useTestQueue } from './queue.fixture.ts';

const test = useTestQueue();
let service: ScriptedService | undefined;
afterEach(() => service?.stop());

/** Starts a service whose conversions all return these bytes. */
async function startServiceReturning(result: Buffer): Promise<ScriptedService> {
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
const conversionRequest = (): Readonly<Record<string, unknown>> => {
  const seen = service?.requests.find(({ url }) => url.includes('changeaudiofile'));
  return JSON.parse(String(seen?.body)) as Readonly<Record<string, unknown>>;
};

async function convert(result: Buffer, format: '.ape' | '.m4a' | '.mp3' | '.WAVE') {
  const other = await startServiceReturning(result);
  await test().open(other.connection());
  const source = join(test().folder, 'a.mp3');
  await copyFile(sample, source);
  test().request = { ...test().request, settings: { ...test().request.settings, format } };
  const { jobs } = await test().run([source]);
  return { job: jobs[0], outputs: await test().outputs() };
}

describe('a result in a format of the service', () => {
  it('that Timbre cannot detect is requested and kept with its extension', async () => {
    const { job, outputs } = await convert(Buffer.from('MAC \x96\x0f\0\0', 'latin1'), '.ape');
    expect([job?.state, conversionRequest()['outputFormat']]).toEqual(['done', '.ape']);
    expect(outputs).toEqual([expect.stringMatching(/^a.*\.ape$/)]);
  });

  it('that differs from the requested one is named by the detected one', async () => {
    const { job, outputs } = await convert(await readFile(sample), '.m4a');
    expect([job?.state, basename(job?.output?.path ?? '')]).toEqual(['done', outputs[0]]);
    expect([extname(outputs[0] ?? ''), job?.outputFormat]).toEqual(['.mp3', '.mp3']);
    const { outputs: other } = await convert(silence(50_000), '.mp3');
    expect(other.map((name) => extname(name)).sort()).toEqual(['.mp3', '.wav']);
  });

  it('that is the recording as it was sent leaves that a recording', async () => {
    await convert(await readFile(sample), '.mp3');
    await mkdir(join(test().folder, 'in'));
    await copyFile(sample, join(test().folder, 'in/b.mp3'));
    expect(await test().add([join(test().folder, 'in')])).toMatchObject({ added: 1, ignored: 0 });
  });

  it('keeps a requested extension that also stands for it', async () => {
    const { outputs } = await convert(silence(50_000), '.WAVE');
    expect(outputs.map((name) => extname(name))).toEqual(['.wave']);
  });

  it('that is not audio is rejected', async () => {
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
  ])('come from the connection %j, or the conversion %j', async (document, settings, sent) => {
    const other = await startServiceReturning(await readFile(sample));
    await test().open(other.connection(document));
    const source = join(test().folder, 'a.mp3');
    await writeFile(source, await readFile(sample));
    test().request = { ...test().request, settings: { ...test().request.settings, ...settings } };
    await test().run([source]);
    expect(conversionRequest()).toMatchObject(sent);
  });
});

it('offers our formats and those that the voice lists, but no executable extension', () => {
  expect(offeredFormats(['wav', 'm4a', 'exe', 'a/b', 'desktop', 'WMA'], '.amr')).toEqual([
    ...['same', '.wav', '.mp3', '.flac', '.ogg', '.m4a', '.WMA', '.amr'],
  ]);
});
