import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testToken, type TestEngine } from './engine.fixture.ts';

export const authorization = `Bearer ${testToken}`;

export interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A part of a form whose boundary is `line`, and its end. */
export const formWith = (name: string, content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`--line\r\ncontent-disposition: form-data; name="${name}"; filename="a.wav"\r\n\r\n`),
    content,
    Buffer.from('\r\n--line--\r\n'),
  ]);

/** Headers of an upload of `formWith`. */
export const uploadHeaders = {
  authorization,
  'changer-type': 'FVC',
  'content-type': 'multipart/form-data; boundary=line',
} as const;

/** What a refusal looks like, for `toEqual`. */
export const refusal = (status: number, error: string, details: RegExp) => ({
  status,
  body: { error, details: expect.stringMatching(details) as string },
});

/** A request with exactly these headers: fetch would not send a Host or Origin of our choice. */
export async function rawCall(
  { origin }: TestEngine,
  { method = 'GET', path = '/api/pagevoices', headers = { authorization }, body }: Raw,
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

/** A new task for Low bronze. */
export async function createTaskId(engine: TestEngine): Promise<string> {
  const { body } = await engine.call('POST', '/api/createaudiofilechanger', { voice: 'low-bronze' });
  return (body as { readonly taskId: string }).taskId;
}

/** The record of a task as it stands on disk. */
export async function recordOf({ dataDirectory }: TestEngine, id: string) {
  const text = await readFile(join(dataDirectory, 'engine', 'tasks', id, 'task.json'), 'utf8');
  return JSON.parse(text) as {
    readonly soundRuns: number;
    readonly results: Readonly<Record<string, { readonly deliveredAt: number | null }>>;
  };
}

/** How often sound work was started for a task. */
export const soundRunsOf = async (engine: TestEngine, id: string): Promise<number> =>
  (await recordOf(engine, id)).soundRuns;
