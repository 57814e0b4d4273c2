import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestEngine, testToken, type TestEngine } from '../../src/engine/engine.fixture.ts';
import { formWith, uploadHeaders } from '../../src/engine/calls.fixture.ts';
import { buzz, encoded } from '../../src/sound/sound.fixture.ts';
import { textAt } from './identify-call.ts';
import { startFaultProxy, type FaultProxy } from './start-fault-proxy.ts';
import { ask, jsonOf, type RequestOptions, type HttpReply } from './http-client.ts';

/** The real engine behind the fault proxy, and the interface's calls by a plain client. */
export interface ProxiedEngine {
  readonly engine: TestEngine;
  readonly proxy: FaultProxy;
  /** A second of audio as WAV. */
  readonly sound: Uint8Array;
  create(options?: RequestOptions): Promise<HttpReply>;
  upload(task: string, options?: RequestOptions): Promise<HttpReply>;
  convert(task: string, options?: RequestOptions): Promise<HttpReply>;
  /** With the token, as core downloads results from its connection's own host. */
  get(address: string, options?: RequestOptions): Promise<HttpReply>;
  newTask(): Promise<string>;
  /** Runs all three steps, and returns the address of the result. */
  result(): Promise<string>;
  stop(): Promise<void>;
}

const sampleRate = 22_050;
export const authorization = `Bearer ${testToken}`;

export async function startProxiedEngine(): Promise<ProxiedEngine> {
  const engine = await startTestEngine();
  const proxy = await startFaultProxy({ target: engine.origin });
  const sound = await encoded('wav', [buzz(150, 1, sampleRate)], sampleRate);
  await writeFile(join(engine.dataDirectory, 'buzz.wav'), sound);
  const post = (path: string, json: unknown, options: RequestOptions = {}) =>
    ask(proxy.origin + path, { method: 'POST', headers: { authorization }, json, ...options });

  const create = (options?: RequestOptions) => post('/api/createaudiofilechanger', { voice: 'low-bronze' }, options);
  const convert = (task: string, options?: RequestOptions) => post('/api/changeaudiofile', { uuid: task }, options);
  const upload = (task: string, options: RequestOptions = {}) =>
    ask(`${proxy.origin}/api/uploadaudiofile/${task}`, {
      method: 'POST',
      headers: uploadHeaders,
      body: formWith('audioFile', sound),
      ...options,
    });
  const newTask = async () => textAt(jsonOf(await create()), 'taskId') ?? '';

  return {
    engine,
    proxy,
    sound,
    create,
    upload,
    convert,
    newTask,
    get: (address, options = {}) => ask(address, { headers: { authorization }, ...options }),
    async result() {
      const task = await newTask();
      await upload(task);
      return textAt(jsonOf(await convert(task)), 'data.audioUrl') ?? '';
    },
    async stop() {
      await proxy.stop();
      await engine.remove();
    },
  };
}
