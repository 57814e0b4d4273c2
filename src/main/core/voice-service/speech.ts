import { AppError } from '../../../shared/errors.ts';
import type { SpeechEngine, SpeechPlatform } from '../../../shared/operations.ts';
import { detectFormat } from '../../../sound/detect-format.ts';
import { heldWords } from '../secrets/redact.ts';
import type { Connection } from './connection.ts';
import type { Http, HttpReply } from './http.ts';
import { readBody, replyError } from './reply.ts';
import { baseOf, jsonBody, sendOperation } from './send-operation.ts';
import { assertSpeakable } from './text-limit.ts';

/** The audio of a JSON reply. `message` is the service's, null if it has none or if the message was the URL. */
export type FoundSound =
  | { readonly kind: 'address'; readonly audioUrl: string; readonly message: string | null }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly message: string | null };

/** The places that `auto` checks, in this order. */
const addressPaths = ['data.audioUrl', 'audioUrl', 'data.url', 'url', 'message'];
const base64Paths = ['data.audio', 'audio'];

/** The value at a dotted path; own properties only. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      body,
    );
}

/**
 * The value if it is an http(s) URL and nothing else. A sentence may begin with one, but only a message is a sentence: elsewhere,
 * blanks are those of a file name.
 */
function addressAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const isSentence = path === 'message' && /\s/.test(text);
  return /^https?:\/\/\S/i.test(text) && !isSentence && URL.canParse(text) ? text : undefined;
}

/**
 * The value if it is a path on the service's host, or an address without its scheme. Base64 may look like a path, too, so look for
 * sound first; it may begin with two slashes, as MP3 does, but has no dot.
 */
function pathAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === 'string' && /^\/(?:\/[\w-]+\.[\w.-]+(?::\d+)?\/|[^/\\\s])\S{0,2000}$/.test(value.trim())
    ? value.trim()
    : undefined;
}

/** Decodes base64 audio, plain or as a `data:` URL; undefined if it does not start like audio. */
function soundAt(body: unknown, path: string): Buffer | undefined {
  const value = valueAt(body, path);
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '');
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return detectFormat(bytes) ? bytes : undefined;
}

/**
 * Finds the audio in a JSON reply; its address may be a path on the service's host. `delivery` is the connection's
 * `speechDelivery`: `auto` checks the usual places, a dotted path such as `message` only that one.
 */
export function findSound(body: unknown, delivery: string): FoundSound | undefined {
  const isAuto = delivery === 'auto';
  const message = valueAt(body, 'message');
  const messageUnless = (path: string): string | null =>
    typeof message === 'string' && path !== 'message' ? message : null;
  for (const path of isAuto ? addressPaths : [delivery]) {
    const audioUrl = addressAt(body, path);
    if (audioUrl !== undefined) return { kind: 'address', audioUrl, message: messageUnless(path) };
  }
  for (const path of isAuto ? base64Paths : [delivery]) {
    const bytes = soundAt(body, path);
    if (bytes) return { kind: 'bytes', bytes, message: messageUnless(path) };
  }
  for (const path of isAuto ? addressPaths : [delivery]) {
    const audioUrl = pathAt(body, path);
    if (audioUrl !== undefined) return { kind: 'address', audioUrl, message: messageUnless(path) };
  }
  return undefined;
}

/**
 * True if the reply's body is audio. Its first bytes decide if they can, because content types are often wrong and
 * the reply is paid for; otherwise the content type decides, or the connection's `delivery`, `body`.
 */
export function isSoundItself(head: Uint8Array, contentType: string, delivery: string): boolean {
  if (detectFormat(head)) return true;
  const isText =
    /^\s*[[{<"]/.test(Buffer.from(head).toString('latin1')) || /^(text\/|application\/json)/i.test(contentType);
  return !isText && head.length > 0 && (/^audio\//i.test(contentType) || delivery === 'body');
}

export interface Speech {
  readonly text: string;
  readonly voice: string;
  /** A tag such as `en-GB`. */
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly engine: SpeechEngine;
  readonly platform: SpeechPlatform;
  /** Called only if the audio is in the reply itself. */
  write(chunk: Buffer): Promise<void>;
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

export type Spoken =
  | { readonly kind: 'address'; readonly audioUrl: string; readonly message: string | null }
  | { readonly kind: 'audio'; readonly message: string | null };

/** A day of uncompressed stereo, as for results. */
const maxSoundBytes = 64 * 1024 ** 3;
/** Base64 of about 100 MB of audio, which must fit in memory. */
const maxTextBytes = 128 * 1024 ** 2;
/** Enough to detect any format. */
const headBytes = 4096;

/** A decimal number with a point in any locale. */
function decimal(value: number): string {
  const text = value.toFixed(6).replace(/0+$/, '');
  return text.endsWith('.') ? `${text}0` : text;
}

function bodyOf({ document }: Connection, speech: Speech): string {
  const { text, voice, language, speed, pitch, engine, platform } = speech;
  const values = {
    speech: text,
    voice,
    'Parameter.Speed': decimal(speed),
    'Parameter.LanguageCode': language,
    'Parameter.Pitch': decimal(pitch),
    engine,
    platform,
  };
  const isMoved = (field: string) =>
    document.speechPlacement === 'Parameter' && (field === 'engine' || field === 'platform');
  return jsonBody(document, 'speech', values, (field) => (isMoved(field) ? `Parameter.${field}` : field));
}

function noAudio(reply: HttpReply, shown: string): AppError {
  return new AppError('service/no-audio', 'the reply holds no sound', {
    facts: { status: reply.status, contentType: reply.header('content-type') },
    words: shown
      .slice(0, heldWords)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  });
}

/** A reply whose first bytes have been read; `chunks` starts with them, and throws what cut it. */
interface OpenedReply {
  readonly head: Buffer;
  chunks(): AsyncGenerator<Buffer>;
}

async function openReply(reply: HttpReply): Promise<OpenedReply> {
  const rest = (async function* (): AsyncGenerator<Buffer, undefined> {
    yield* reply.chunks();
  })();
  const first: Buffer[] = [];
  let size = 0;
  let failure: Error | undefined;
  try {
    while (size < headBytes) {
      const { done, value } = await rest.next();
      if (done) break;
      first.push(value);
      size += value.length;
    }
  } catch (error) {
    failure = error as Error;
  }
  return {
    head: Buffer.concat(first),
    async *chunks() {
      yield* first;
      if (failure) throw failure;
      yield* rest;
    },
  };
}

async function receiveSound(reply: HttpReply, { chunks }: OpenedReply, { write, onProgress }: Speech): Promise<void> {
  const declared = reply.header('content-length');
  const total = /^\d+$/.test(declared) ? Number(declared) : null;
  let received = 0;
  onProgress(0, total);
  try {
    for await (const chunk of chunks()) {
      received += chunk.length;
      if (received > maxSoundBytes) throw new AppError('service/result-not-audio', `more than ${maxSoundBytes} bytes`);
      await write(chunk);
      onProgress(received, total);
    }
  } catch (error) {
    reply.discard();
    throw error;
  }
  if (total !== null && received !== total) {
    throw new AppError('network/cut', `the sound ended after ${received} of ${total} bytes`, {
      facts: { actualBytes: received, promisedBytes: total },
    });
  }
}

/**
 * Interface, operation 4, which is paid. Sent once; the reply may take `convertMs`. The interface leaves open how the
 * audio is delivered: `speechDelivery` of the connection. Throws `input/text-…` before anything is sent, and
 * `service/no-audio` with the reply's text if it contains no audio.
 */
export async function speakText(
  http: Http,
  connection: Connection,
  speech: Speech,
  signal: AbortSignal,
): Promise<Spoken> {
  assertSpeakable(speech.text, connection.document);
  const { speechDelivery } = connection.document;
  const reply = await sendOperation(http, connection, 'speech', { body: bodyOf(connection, speech) }, signal);
  const opened = await openReply(reply);
  const encoding = reply.header('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    reply.discard();
    throw replyError(reply, undefined) ?? noAudio(reply, `content-encoding: ${encoding}`);
  }
  const isSuccess = reply.status >= 200 && reply.status < 300;
  if (isSuccess && isSoundItself(opened.head, reply.header('content-type'), speechDelivery)) {
    await receiveSound(reply, opened, speech);
    return { kind: 'audio', message: null };
  }
  const { text, body } = await readBody({ chunks: opened.chunks, discard: reply.discard }, maxTextBytes);
  // An error text beside the sound is a warning: the sound is paid for.
  const found = isSuccess ? findSound(body, speechDelivery) : undefined;
  if (!found) throw replyError(reply, body) ?? noAudio(reply, text);
  if (found.kind === 'address') {
    if (!found.audioUrl.startsWith('/')) return found;
    const { hosts } = await connection.access(signal);
    return { ...found, audioUrl: new URL(found.audioUrl, baseOf(hosts, 'speech')).href };
  }
  const { bytes, message } = found;
  await speech.write(bytes);
  speech.onProgress(bytes.length, bytes.length);
  return { kind: 'audio', message };
}
