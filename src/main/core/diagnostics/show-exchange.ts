import type { Exchange, ShownHeader } from '../../../shared/wire/console.ts';
import type { Recording } from '../voice-service/recorded-http.ts';
import { showBody, withoutSignatures } from './show-body.ts';
import type { Secrets } from '../secrets/strike-secrets.ts';

/** Their values are secrets, whatever stands in them. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const maxHeaders = 60;
const maxValue = 400;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function showHeaders(headers: Headers, strike: (text: string) => string): readonly ShownHeader[] {
  return Object.entries(headers)
    .flatMap(([name, value = []]) => (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const))
    .slice(0, maxHeaders)
    .map(([name, value]) => ({
      name: strike(name).slice(0, maxValue),
      value: secretHeaders.has(name.toLowerCase()) ? null : strike(value).slice(0, maxValue),
    }));
}

const valueOf = (headers: Headers, name: string): string => [headers[name] ?? []].flat()[0] ?? '';

/** What passed in one call, as a page may see it: no form of a secret is left in it. */
export function showExchange(
  { request, reply, beganAtMs, endedAtMs }: Recording,
  secrets: Secrets,
  now: number,
): Pick<Exchange, 'request' | 'reply' | 'ms'> {
  const { origin, path } = request.address;
  const inReply = (text: string) => withoutSignatures(secrets.strike(text));
  return {
    request: {
      method: request.method,
      address: secrets.strike(origin + path),
      headers: showHeaders({ host: new URL(origin).host, ...request.headers }, secrets.strike),
      body: showBody(request.body, {
        contentType: valueOf(request.headers, 'content-type'),
        secrets,
        isReply: false,
      }),
    },
    reply: reply && {
      status: reply.status,
      headers: showHeaders(reply.headers, inReply),
      body: showBody(reply.body, { contentType: valueOf(reply.headers, 'content-type'), secrets, isReply: true }),
      isWhole: reply.body.isWhole,
    },
    ms: Math.max(0, (endedAtMs ?? now) - beganAtMs),
  };
}
