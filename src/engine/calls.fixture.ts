import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testToken, type TestEngine } from './engine.fixture.ts';

export const authorization = `Bearer ${testToken}`;

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A form body with one file part and the boundary `line`. */
export const formWith = (name: string, content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`--line\r\ncontent-disposition: form-data; name="${name}"; filename="a.wav"\r\n\r\n`),
    content,
    Buffer.from('\r\n--line--\r\n'),
  ]);

/** Headers for uploading `formWith`. */
export const uploadHeaders = {
  authorization,
  'changer-type': 'FVC',
  'content-type': 'multipart/form-data; boundary=line',
} as const;

/** The response to a rejected request, for `toEqual`. */
export const refusal = (status: number, error: string, details: RegExp) => ({
  status,
  body: { error, details: expect.stringMatching(details) as string },
});

/** Sends a request with exactly these headers; fetch would not send our Host or Origin. */
export async function rawCall(
  { origin }: TestEngine,
  { method = 'GET', path = '/api/pagevoices', headers = { authorization }, body }: RawRequest,
) {
  const { port } = new URL(origin);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, resolve);
    request.on('error', reject);
    request.end(body);
  });
  const pieces: Buffer[] = [];
  for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(pieces).toString()) as unknown };
}

export const rawUpload = (
  engine: TestEngine,
  id: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
) =>
  rawCall(engine, {
    method: 'POST',
    path: `/api/uploadaudiofile/${id}`,
    headers: { ...uploadHeaders, ...headers },
    body,
  });

/** Creates a task for Low bronze. */
export async function createTaskId(engine: TestEngine): Promise<string> {
  const { body } = await engine.call('POST', '/api/createaudiofilechanger', { voice: 'low-bronze' });
  return (body as { readonly taskId: string }).taskId;
}

/** Reads the record of a task from disk. */
export async function recordOf({ dataDirectory }: TestEngine, id: string) {
  const text = await readFile(join(dataDirectory, 'engine', 'tasks', id, 'task.json'), 'utf8');
  return JSON.parse(text) as {
    readonly soundRuns: number;
    readonly results: Readonly<Record<string, { readonly deliveredAt: number | null }>>;
  };
}

/** Number of times that audio work was started for a task. */
export const soundRunsOf = async (engine: TestEngine, id: string): Promise<number> =>
  (await recordOf(engine, id)).soundRuns;
