import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createEngine, type EngineOptions } from './server.ts';
import { createVoiceChanger, type VoiceChanger } from './voice-changer.ts';

export interface TestEngine {
  readonly origin: string;
  readonly dataDirectory: string;
  /** Sends a request with the right token; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  upload(taskId: string, path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Creates a task and uploads a file, as before every conversion. */
  prepare(voice: string, path: string): Promise<string>;
  download(audioUrl: string): Promise<Response>;
  /** Texts that were not spoken before are not spoken either until the returned function is called. */
  holdSpeech(): () => void;
  /** Stops the engine and keeps its data. */
  stop(): Promise<void>;
  /** Stops the engine and removes its data. */
  remove(): Promise<void>;
}

export const testToken = 'test-token';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Starts the real engine on a free port with its own folder. A given `dataDirectory` starts it with
 * earlier data.
 */
export async function startTestEngine(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'timbre-engine-')));
  const voiceChanger =
    options.voiceChanger ??
    createVoiceChanger({ workerUrl: new URL('./voice-worker.ts', import.meta.url), workers: 1 });
  let held = Promise.resolve();
  const speak: VoiceChanger['speak'] = (...request) => held.then(() => voiceChanger.speak(...request));
  const engine = createEngine({
    token: testToken,
    ...options,
    dataDirectory,
    voiceChanger: { ...voiceChanger, speak },
  });
  const { port } = await engine.start(0);
  const origin = `http://127.0.0.1:${port}`;
  // Tests decode sound in the engine's own process: meanwhile the engine cannot close a connection that has been idle for too long.
  const usual = { authorization: `Bearer ${testToken}`, connection: 'close' };

  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init);
    return { status: response.status, body: await response.json() };
  };
  const call = (method: string, path: string, body?: unknown) =>
    send(path, {
      method,
      headers: { ...usual, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const upload = async (taskId: string, path: string) => {
    const form = new FormData();
    form.set('audioFile', new Blob([await readFile(path)]), basename(path));
    return send(`/api/uploadaudiofile/${encodeURIComponent(taskId)}`, {
      method: 'POST',
      headers: { ...usual, 'changer-type': 'FVC' },
      body: form,
    });
  };

  return {
    origin,
    dataDirectory,
    call,
    upload,
    async prepare(voice, path) {
      const created = await call('POST', '/api/createaudiofilechanger', { voice });
      const id = String(field(created.body, 'taskId'));
      const uploaded = await upload(id, path);
      if (uploaded.status !== 200) throw new Error(`upload answered ${JSON.stringify(uploaded)}`);
      return id;
    },
    download: (audioUrl) => fetch(audioUrl, { headers: usual }),
    holdSpeech() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    stop: () => engine.stop(),
    async remove() {
      await engine.stop();
      // A conversion that nobody waits for any more may still write its last file.
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
