import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { bytesSource } from '../../../sound/container-check.ts';
import { inspectSource } from '../../../sound/inspect-sound.ts';
import { hasFfmpeg } from '../../../sound/sound.fixture.ts';
import { snapshotOf } from '../files/identity.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { conversionJob } from './job.fixture.ts';
import { sample, useTestQueue } from './queue.fixture.ts';
import { createUploadSources, decideUploadForm } from './upload-source.ts';

const program = hasFfmpeg ? execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim() : '';
const test = useTestQueue();
let service: ScriptedService | undefined;
afterEach(() => service?.stop());

/** A service that takes these formats and returns the bundled sample. */
async function open(document: Partial<ConnectionDocument>): Promise<void> {
  const result = await readFile(sample);
  service = await startScriptedService(({ url }, response) => {
    if (url.includes('createaudiofilechanger')) return replyJson(response, { message: 'Made.', taskId: 't' });
    if (url.includes('uploadaudiofile')) return replyJson(response, { message: 'Kept.', uuid: 't' });
    if (url.includes('changeaudiofile')) {
      return replyJson(response, { status: 'success', data: { audioUrl: `${service?.origin ?? ''}/result` } });
    }
    return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(result);
  });
  await test().open(service.connection(document));
}

/** The file in the form that was uploaded, and its name. */
function uploaded() {
  const body = service?.requests.find(({ url }) => url.includes('uploadaudiofile'))?.body ?? Buffer.alloc(0);
  const form = body.toString('latin1');
  const [, name = ''] = /filename="([^"]*)"/.exec(form) ?? [];
  const head = form.indexOf('\r\n\r\n', form.indexOf('filename=')) + 4;
  return { name, bytes: Buffer.from(form.slice(head, form.lastIndexOf('\r\n--')), 'latin1') };
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const copies = () => readdir(join(test().folder, 'data', 'uploads')).catch(() => []);

/** A recording in ALAC in CAF, as voice memos are exported, which only ffmpeg decodes. */
function makeCaf(name: string): string {
  const path = join(test().folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=f=220:d=2', '-c:a', 'alac', path]);
  return path;
}

describe('a recording', () => {
  it.each([
    ['any', 'as-is', 'as-is'],
    ['decodable', 'as-is', 'flac'],
    [['wav', 'caf'], 'as-is', 'as-is'],
    [['wav', 'mp3'], 'wav', 'wav'],
    [['mp3', 'wav', 'flac'], 'flac', 'flac'],
    [['mp3', 'ogg'], null, null],
  ] as const)(
    'that a service takes (%j) is sent as it is, any other losslessly or not at all',
    (taken, own, foreign) => {
      const decide = (unsupportedCodec?: string) =>
        decideUploadForm(
          { format: 'caf', ...(unsupportedCodec !== undefined && { unsupportedCodec }) },
          { uploadFormats: taken },
        );
      expect([decide(), decide('alac')]).toEqual([own, foreign]);
    },
  );

  it('in a format that the service does not take is sent as a lossless copy, and recorded as itself', async () => {
    await open({ uploadFormats: ['wav', 'flac'] });
    const source = join(test().folder, 'two words.mp3');
    await copyFile(sample, source);
    const { jobs } = await test().run([source]);
    expect(jobs[0]).toMatchObject({ state: 'done', sourceSha256: hashOf(await readFile(sample)) });
    const { name, bytes } = uploaded();
    expect(name).toBe('two words.flac');
    const length = jobs[0]?.durationSeconds ?? 0;
    const sent = await inspectSource(bytesSource(bytes));
    expect(sent).toMatchObject({ kind: 'sound', format: 'flac' });
    expect(sent.kind === 'sound' && Math.abs((sent.durationSeconds ?? 0) - length)).toBeLessThan(0.01);
    expect(await copies()).toEqual([]);
    expect(
      test()
        .progress.filter(({ direction }) => direction === 'upload')
        .at(-1),
    ).toMatchObject({
      doneBytes: bytes.length,
      totalBytes: bytes.length,
    });
  });

  it('is refused before anything is sent if the service takes no lossless format either', async () => {
    await open({ uploadFormats: ['ogg', 'opus'] });
    const source = join(test().folder, 'a.mp3');
    await copyFile(sample, source);
    const { jobs } = await test().run([source]);
    const facts = { name: 'a.mp3', ending: 'mp3', format: 'mp3', taken: 'ogg, opus' };
    expect(jobs[0]).toMatchObject({ state: 'failed', problem: { code: 'service/format', facts } });
    expect(service?.requests).toEqual([]);
  });

  it('that is too large as a copy fails without a paid call, and leaves no copy', async () => {
    const { limits } = conversionJob().connection.document;
    await open({ uploadFormats: ['wav'], limits: { ...limits, maxUploadBytes: 40_000 } });
    const source = join(test().folder, 'a.mp3');
    await copyFile(sample, source);
    const { jobs } = await test().run([source]);
    expect(jobs[0]).toMatchObject({ state: 'failed', problem: { code: 'service/too-large' } });
    expect(service?.requests.map(({ url }) => url).filter((url) => /upload|changeaudiofile/.test(url))).toEqual([]);
    expect(await copies()).toEqual([]);
  });

  it('that changes while it is copied is not sent', async () => {
    const folder = join(test().folder, 'uploads');
    const source = join(test().folder, 'a.mp3');
    await copyFile(sample, source);
    const uploads = createUploadSources({
      folder,
      inspectSound: () => Promise.resolve({ kind: 'sound', format: 'mp3' }),
      async transcode(path, { to }) {
        await writeFile(to, 'a copy');
        await writeFile(path, 'another recording');
      },
      ffmpeg: () => Promise.resolve(null),
    });
    const job = conversionJob({
      source: { path: source, subfolder: '', snapshot: snapshotOf(await stat(source, { bigint: true })) },
    });
    const document = { ...job.connection.document, uploadFormats: ['flac' as const] };
    const sent: string[] = [];
    const send = ({ path }: { readonly path: string }) => {
      sent.push(path);
      return Promise.resolve('');
    };
    await expect(
      uploads.sendSource({ ...job, connection: { ...job.connection, document } }, send, new AbortController().signal),
    ).rejects.toMatchObject({ code: 'input/changed' });
    expect([sent, await readdir(folder)]).toEqual([[], []]);
  });
});

describe.skipIf(!hasFfmpeg)('a recording that only ffmpeg decodes (skipped if it is not installed)', () => {
  it('is sent as it is to a service that takes any format, also without ffmpeg', async () => {
    await open({});
    const source = makeCaf('memo.caf');
    const { jobs } = await test().run([source]);
    expect(jobs[0]?.state).toBe('done');
    expect(uploaded()).toEqual({ name: 'memo.caf', bytes: await readFile(source) });
  });

  it('is refused with its format and system without ffmpeg, and converted on a retry once there is one', async () => {
    await open({ uploadFormats: 'decodable' });
    const { jobs } = await test().run([makeCaf('memo.caf')]);
    const facts = { name: 'memo.caf', ending: 'caf', format: 'caf/alac', system: process.platform };
    expect(jobs[0]).toMatchObject({ state: 'failed', problem: { code: 'input/needs-ffmpeg', facts } });
    expect(service?.requests).toEqual([]);
    test().ffmpeg.path = program;
    test().scheduler.retry(jobs[0]?.id ?? '');
    await expect.poll(() => test().store.get(jobs[0]?.id ?? '')?.state).toBe('done');
    expect(uploaded().name).toBe('memo.flac');
  });
});

const sourcesIn = (folder: string) =>
  createUploadSources({
    folder,
    inspectSound: () => Promise.reject(new Error('not asked')),
    transcode: () => Promise.reject(new Error('not asked')),
    ffmpeg: () => Promise.resolve(null),
  });

it('copies that a killed process left are removed at the next start, except those of open jobs', async () => {
  const folder = join(test().folder, 'data', 'uploads');
  await mkdir(folder, { recursive: true });
  const [gone, open] = [randomUUID(), randomUUID()];
  for (const name of [`${gone}.flac`, `${open}.flac`, 'thesis.wav']) await writeFile(join(folder, name), 'x');
  const uploads = sourcesIn(folder);
  await uploads.removeAbandoned((id) => id === open);
  expect((await readdir(folder)).sort()).toEqual([`${open}.flac`, 'thesis.wav'].sort());
});

it('a link in place of the folder of copies leads to nothing that is removed', async () => {
  const elsewhere = join(test().folder, 'recordings');
  await mkdir(elsewhere);
  const name = `${randomUUID()}.flac`;
  await writeFile(join(elsewhere, name), 'x');
  const folder = join(test().folder, 'uploads');
  await symlink(elsewhere, folder);
  await sourcesIn(folder).removeAbandoned(() => false);
  expect(await readdir(elsewhere)).toEqual([name]);
});
