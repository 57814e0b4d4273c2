import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';

/** What a plain client received: status and body, or an error code. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly bytes: Buffer;
  /** undici's error code if the reply is incomplete. */
  readonly error: string | null;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions['body'];
  readonly json?: unknown;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  readonly signal?: AbortSignal;
}

const codeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: string };
  return code ?? String(error);
};

/** One call on a connection of its own. Network errors are in the reply's `error`. */
export async function ask(address: string, options: RequestOptions = {}): Promise<HttpReply> {
  const { json, headers = {}, body = json === undefined ? null : JSON.stringify(json), ...rest } = options;
  const dispatcher = new Agent({ pipelining: 1 });
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const chunks: Buffer[] = [];
  let reply: Dispatcher.ResponseData | undefined;
  let error: string | null = null;
  try {
    reply = await request(address, { method: 'GET', ...rest, headers: { ...type, ...headers }, body, dispatcher });
    for await (const chunk of reply.body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (cause) {
    error = codeOf(cause);
  } finally {
    await dispatcher.destroy();
  }
  return { status: reply?.statusCode ?? 0, headers: reply?.headers ?? {}, bytes: Buffer.concat(chunks), error };
}

export const jsonOf = ({ bytes }: HttpReply): unknown => JSON.parse(bytes.toString());

/** Opens a TCP connection and sends text; `all` resolves with everything received until it closes. */
export async function openSocket(
  origin: string,
  text: string,
): Promise<{ readonly socket: Socket; all(): Promise<string> }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const closed = new Promise<string>((resolve) => {
    socket.on('error', (error) => (received += `<${codeOf(error)}>`));
    socket.on('close', () => resolve(received));
  });
  await once(socket, 'connect').catch(() => undefined);
  socket.write(text);
  return { socket, all: () => closed };
}
