/** Our client and each speech delivery, configured only by the connection document. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  startScriptedService,
  type ScriptedService,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { listener, signal, speech } from './client-calls.ts';
import { leavesOf } from './field-values.ts';
import type { Json } from './plain-client.ts';
import { json, type Answer } from './recording-service.ts';
import { useClient } from './test-client.ts';
import { toneWav } from './tone.ts';

const sound = toneWav();
const base64 = sound.toString('base64');
const { client: connect, keep, record } = useClient();

let store: ScriptedService | undefined;
afterEach(() => {
  store = undefined;
});

/** The address of the sound, on a server of its own. */
async function soundAddress(): Promise<string> {
  store = keep(
    await startScriptedService((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
    }),
  );
  return `${store.origin}/x.wav`;
}

/** Speaks at a service that answers so, and fetches the sound where only its address came. */
async function hear(document: Json, answer: Answer): Promise<Buffer> {
  const service = await record({ speech: answer });
  const client = connect({ ...document, hosts: service.hosts });
  const sink = listener();
  const spoken = await client.speakText(speech(sink), signal);
  if (spoken.kind === 'audio') return sink.heard();
  expect(sink.heard()).toHaveLength(0);
  await client.downloadResult({ audioUrl: spoken.audioUrl, ...sink }, signal);
  return sink.heard();
}

const body =
  (type: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(sound);
const decoy = 'https://decoy.example/x.wav';

/** A body with `value` at a dotted path. */
const at = (path: string, value: string): Json =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Json;

describe('client, automatic speech delivery', () => {
  it('as the body', async () => {
    expect(await hear({}, body('audio/wav'))).toEqual(sound);
  });

  it.each(['data.audioUrl', 'audioUrl', 'data.url', 'url', 'message'])('as an address in %s', async (path) => {
    const address = await soundAddress();
    expect(await hear({}, json({ message: 'Done.', ...at(path, address) }))).toEqual(sound);
    expect(store?.requests).toHaveLength(1);
  });

  it.each(['data.audio', 'audio'])('as base64 in %s', async (path) => {
    expect(await hear({}, json({ message: 'Done.', ...at(path, base64) }))).toEqual(sound);
  });

  it('fails and quotes the reply if there is no audio', async () => {
    const failed = await hear({}, json({ message: 'Done.' })).catch((error: unknown) => error);
    expect(failed).toMatchObject({ problem: { code: 'service/no-audio', words: '{"message":"Done."}' } });
  });
});

describe('client, speech delivery of the document', () => {
  it('body: the reply is the audio, whatever its type', async () => {
    expect(await hear({ speechDelivery: 'body' }, body('application/octet-stream'))).toEqual(sound);
  });

  it('message: an address in it', async () => {
    const message = await soundAddress();
    const reply = { message, data: { audioUrl: decoy }, url: decoy };
    expect(await hear({ speechDelivery: 'message' }, json(reply))).toEqual(sound);
  });

  it.each(['data.audioUrl', 'result.files.0.href'])('a dotted path, %s: an address only there', async (path) => {
    const reply = { message: decoy, url: decoy, ...at(path, await soundAddress()) };
    expect(await hear({ speechDelivery: path }, json(reply))).toEqual(sound);
  });

  it('a dotted path: base64 at it', async () => {
    const reply = { message: decoy, result: { sound: base64 } };
    expect(await hear({ speechDelivery: 'result.sound' }, json(reply))).toEqual(sound);
  });

  it('a dotted path: fails without audio at it, even if there is audio elsewhere', async () => {
    const reply = json({ message: 'Done.', data: { audio: base64 } });
    const failed = await hear({ speechDelivery: 'result.sound' }, reply).catch((error: unknown) => error);
    expect(failed).toMatchObject({ problem: { code: 'service/no-audio' } });
  });
});

describe('client, place of engine and platform of speech', () => {
  const common = [
    'AppId',
    'FeatureId',
    'speech',
    'voice',
    'Parameter.Speed',
    'Parameter.LanguageCode',
    'Parameter.Pitch',
  ];
  it.each([
    ['body', ['engine', 'platform']],
    ['Parameter', ['Parameter.engine', 'Parameter.platform']],
  ])('%s: only there', async (speechPlacement, placed) => {
    const service = await record();
    await connect({ hosts: service.hosts, speechPlacement }).speakText(speech(), signal);
    const sent = JSON.parse(service.seen('speech').body.toString()) as unknown;
    expect(leavesOf(sent)).toEqual([...common, ...placed].sort());
  });
});
