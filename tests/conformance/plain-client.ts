import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { endpointOf, type Host, type OperationId } from './interface-table.ts';

/** What names a service leaves open; the interface does not show them. */
export interface Holes {
  readonly version: string;
  readonly category: string;
  readonly gender: string;
  readonly language: string;
  readonly voiceDetail: string;
  readonly modelPageSize: string;
  /** The field of a created task that goes into `Changer-Type`. */
  readonly changerType: string;
}

export interface Service {
  /** Base addresses, each without a slash at its end. */
  readonly hosts: Readonly<Record<Host, string>>;
  readonly token: string;
  readonly holes: Holes;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  /** For the `{…}` of the path. */
  readonly parameter?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged. */
  readonly json?: Json | string;
  readonly form?: Readonly<Record<string, Uint8Array>>;
  readonly withoutToken?: boolean;
}

const boundary = 'plain-client-boundary';

const formOf = (parts: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.concat([
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="sound.wav"\r\n`),
      Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

function bodyOf({ json, form }: Asked): { readonly type: string; readonly bytes: Buffer } | null {
  if (form) return { type: `multipart/form-data; boundary=${boundary}`, bytes: formOf(form) };
  if (json === undefined) return null;
  return { type: 'application/json', bytes: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)) };
}

async function exchange(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
): Promise<Buffer> {
  const request = address.startsWith('https:') ? requestHttps : requestHttp;
  const sent = request(address, { method, headers, agent: false });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of reply as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

export interface PlainClient {
  /** The JSON of a reply, whatever its HTTP status, because the interface specifies none. */
  ask(operation: OperationId, asked?: Asked): Promise<unknown>;
  /** The bytes at an address, which is asked with the token only on a host of the service. */
  download(address: string): Promise<Buffer>;
}

/**
 * A client of the interface that is made of Node's HTTP and the tables, and shares no code with ours, so that both cannot be wrong in
 * the same way.
 */
export function createPlainClient({ hosts, token }: Service): PlainClient {
  const authorization = `Bearer ${token}`;
  return {
    async ask(operation, asked = {}) {
      const { method, host, path } = endpointOf(operation);
      const { parameter = '', query = {}, headers = {}, withoutToken = false } = asked;
      const body = bodyOf(asked);
      const search = new URLSearchParams(query).toString();
      const address = hosts[host] + path.replace(/\{\w+\}/, encodeURIComponent(parameter)) + (search && `?${search}`);
      const reply = await exchange(
        address,
        method,
        {
          ...(withoutToken ? {} : { Authorization: authorization }),
          ...(body && { 'Content-Type': body.type, 'Content-Length': String(body.bytes.length) }),
          ...headers,
        },
        body?.bytes ?? null,
      );
      return JSON.parse(reply.toString('utf8')) as unknown;
    },
    download(address) {
      const isOwn = Object.values(hosts).some((base) => new URL(base).origin === new URL(address).origin);
      return exchange(address, 'GET', isOwn ? { Authorization: authorization } : {}, null);
    },
  };
}
