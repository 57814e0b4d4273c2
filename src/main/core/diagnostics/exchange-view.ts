import type { Exchange, ShownBody, ShownHeader } from '../../../shared/schemas/diagnostics.ts';
import { detectFormat } from '../../../sound/detect-format.ts';
import { type Redactor, redacted } from '../secrets/redact.ts';
import type { RecordedBody, Recording } from './recorded-http.ts';

const parts = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A string of JSON in its usual spelling: `\u0041` and `\/` are written as what they mean. */
function usual(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}

/** The strings of a text that is, or begins like, JSON in their usual spelling, so that what is looked for in it is found. */
export const withUsualStrings = (text: string): string =>
  /^\s*[[{"]/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"/g, usual) : text;

/**
 * JSON, one value a line; null where the text is none. Only spaces and the spelling of strings change: a parser would round long
 * numbers, turn the order of fields and drop the first of two that have one name.
 */
export function prettyJson(text: string): string | null {
  if (!isJson(text)) return null;
  let depth = 0;
  let out = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  const all = text.match(parts) ?? [];
  all.forEach((part, k) => {
    const isEmptyPair = /^[{[]$/.test(part) && /^[}\]]$/.test(all[k + 1] ?? '');
    if (part === '{' || part === '[') {
      depth += 1;
      out += isEmptyPair ? part : part + line();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      out += /^[{[]$/.test(all[k - 1] ?? '') ? part : line() + part;
    } else if (part === ',') out += part + line();
    else if (part === ':') out += ': ';
    else out += part.startsWith('"') ? usual(part) : part;
  });
  return out;
}

/** Far below what one message of the bridge may hold, in any script. */
const maxCharacters = 20_000;

/** A signature stands in an address, behind the question mark or before the host: it is as good as a token. */
export const withoutSignatures = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^\s"'<>/@]+@/gi, `$1${redacted}@`)
    .replace(/\b(https?:\/\/[^\s"'<>?#]+\?)[^\s"'<>]+/gi, `$1${redacted}`);

/** The text in these bytes, of which the last character may be cut; null where they are none. */
function textOf(bytes: Buffer, contentType: string): string | null {
  const isSaid = /^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(contentType);
  try {
    const text = new TextDecoder('utf-8', { fatal: !isSaid }).decode(bytes, { stream: true });
    return isSaid || !text.includes('\0') ? text : null;
  } catch {
    return null;
  }
}

/** What no line of text needs, and a screen might obey. */
const withoutControls = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');

interface From {
  readonly contentType: string;
  readonly secrets: Redactor;
  /** A service's own words may hold addresses that are secrets of theirs. */
  readonly isReply: boolean;
}

/** A body as a page may see it: told by its kind, without secrets, and no longer than a message may be. */
export function showBody({ head, sizeBytes }: RecordedBody, { contentType, secrets, isReply }: From): ShownBody {
  const none = { text: '', format: '', sizeBytes, isCut: false };
  if (sizeBytes === 0) return { kind: 'empty', ...none };
  const bytes = Buffer.concat(head);
  if (/^multipart\//i.test(contentType)) {
    const partHead = bytes.toString('utf8').split('\r\n\r\n')[0] ?? '';
    return { kind: 'part', ...none, text: withoutControls(secrets.redact(partHead)).slice(0, maxCharacters) };
  }
  const format = detectFormat(bytes);
  if (/^audio\//i.test(contentType)) {
    return { kind: 'audio', ...none, format: format ?? secrets.redact(contentType.slice(6).split(';')[0] ?? '') };
  }
  const raw = textOf(bytes, contentType);
  if (raw === null) return format ? { kind: 'audio', ...none, format } : { kind: 'bytes', ...none };
  const isKeptWhole = bytes.length === sizeBytes;
  const pretty = isKeptWhole ? prettyJson(raw) : null;
  const said = secrets.redact(pretty ?? withUsualStrings(raw));
  // What was not kept may have begun with the rest of a secret.
  const sure = isKeptWhole ? said : said.slice(0, Math.max(0, said.length - secrets.longest));
  const text = withoutControls(isReply ? withoutSignatures(sure) : sure);
  return {
    kind: pretty === null ? 'text' : 'json',
    ...none,
    text: text.slice(0, maxCharacters).toWellFormed(),
    isCut: !isKeptWhole || text.length > maxCharacters,
  };
}

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
  secrets: Redactor,
  now: number,
): Pick<Exchange, 'request' | 'reply' | 'ms'> {
  const { origin, path } = request.address;
  const inReply = (text: string) => withoutSignatures(secrets.redact(text));
  return {
    request: {
      method: request.method,
      address: secrets.redact(origin + path),
      headers: showHeaders({ host: new URL(origin).host, ...request.headers }, secrets.redact),
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
