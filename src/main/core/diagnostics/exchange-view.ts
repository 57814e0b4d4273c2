import type { Exchange, ShownBody, ShownHeader } from '../../../shared/schemas/diagnostics.ts';
import { detectFormat } from '../../../sound/detect-format.ts';
import { type Redactor, redacted } from '../secrets/redact.ts';
import type { RecordedBody, RecordedExchange } from './recorded-http.ts';

/** A JSON string in canonical spelling: escapes such as `\u0041` and `\/` are resolved. */
function canonical(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}

const strings = /"(?:[^"\\]|\\.)*"/g;

/** Canonicalizes the strings of a text that starts like JSON, so that redaction finds secrets in them. */
const withCanonicalStrings = (text: string): string =>
  /^\s*[[{"]/.test(text) ? text.replace(strings, canonical) : text;

/** JSON without whitespace between its values, and with canonical strings. */
const compact = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? canonical(part) : ''));

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
/** Keeps numbers as they were sent; parsing would round long ones. */
const keepNumbers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value;

/**
 * Formats JSON with one value per line; null if the text is not JSON. JSON whose fields would be dropped or
 * reordered, because they are duplicate or look like numbers, stays as it is but for its strings.
 */
function prettyJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text, keepNumbers as Parameters<typeof JSON.parse>[1]);
    return JSON.stringify(value) === compact(text) ? JSON.stringify(value, null, 2) : withCanonicalStrings(text);
  } catch {
    return null;
  }
}

/** Far below the maximum size of an IPC message, in any script. */
const maxCharacters = 20_000;

/** Redacts credentials in URLs, after the question mark or before the host: they are as sensitive as a token. */
const withoutSignatures = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^\s"'<>/@]+@/gi, `$1${redacted}@`)
    .replace(/\b(https?:\/\/[^\s"'<>?#]+\?)[^\s"'<>]+/gi, `$1${redacted}`);

/** Decodes text whose last character may be cut; null if the bytes are not text. */
function textOf(bytes: Buffer, contentType: string): string | null {
  const isTextType = /^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(contentType);
  try {
    const text = new TextDecoder('utf-8', { fatal: !isTextType }).decode(bytes, { stream: true });
    return isTextType || !text.includes('\0') ? text : null;
  } catch {
    return null;
  }
}

/** Replaces control characters, which a terminal could interpret. */
const withoutControls = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');

interface BodyContext {
  readonly contentType: string;
  readonly secrets: Redactor;
  /** Replies may contain signed URLs, which are secrets of the service. */
  readonly isReply: boolean;
}

/** A body for the page: classified by type, without secrets, and short enough for a message. */
function showBody({ head, sizeBytes }: RecordedBody, { contentType, secrets, isReply }: BodyContext): ShownBody {
  const base = { text: '', format: '', sizeBytes, isCut: false };
  if (sizeBytes === 0) return { kind: 'empty', ...base };
  const bytes = Buffer.concat(head);
  if (/^multipart\//i.test(contentType)) {
    const partHead = bytes.toString('utf8').split('\r\n\r\n')[0] ?? '';
    return { kind: 'part', ...base, text: withoutControls(secrets.redact(partHead)).slice(0, maxCharacters) };
  }
  const format = detectFormat(bytes);
  if (/^audio\//i.test(contentType)) {
    return { kind: 'audio', ...base, format: format ?? secrets.redact(contentType.slice(6).split(';')[0] ?? '') };
  }
  const raw = textOf(bytes, contentType);
  if (raw === null) return format ? { kind: 'audio', ...base, format } : { kind: 'bytes', ...base };
  const isComplete = bytes.length === sizeBytes;
  const pretty = isComplete ? prettyJson(raw) : null;
  const redactedText = secrets.redact(pretty ?? withCanonicalStrings(raw));
  // The end of a cut body may be the first part of a secret.
  const safe = isComplete ? redactedText : redactedText.slice(0, Math.max(0, redactedText.length - secrets.longest));
  const text = withoutControls(isReply ? withoutSignatures(safe) : safe);
  return {
    kind: pretty === null ? 'text' : 'json',
    ...base,
    text: text.slice(0, maxCharacters).toWellFormed(),
    isCut: !isComplete || text.length > maxCharacters,
  };
}

/** Headers whose values are always secret. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const maxHeaders = 60;
const maxValue = 400;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function showHeaders(headers: Headers, redact: (text: string) => string): readonly ShownHeader[] {
  return Object.entries(headers)
    .flatMap(([name, value = []]) => (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const))
    .slice(0, maxHeaders)
    .map(([name, value]) => ({
      name: redact(name).slice(0, maxValue),
      value: secretHeaders.has(name.toLowerCase()) ? null : redact(value).slice(0, maxValue),
    }));
}

const valueOf = (headers: Headers, name: string): string => [headers[name] ?? []].flat()[0] ?? '';

/** One call's request and reply for the page, with every form of a secret redacted. */
export function showExchange(
  { request, reply, startedAtMs, endedAtMs }: RecordedExchange,
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
    ms: Math.max(0, (endedAtMs ?? now) - startedAtMs),
  };
}
