import { AppError } from '../../../shared/app-error.ts';
import type { SpeechEngine, SpeechPlatform } from '../../../shared/wire/speech.ts';
import { heldWords } from '../secrets/strike-secrets.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http, HttpReply } from './http.ts';
import { replyError } from './reply-error.ts';
import { authorizationOf, timeoutsOf, withoutOmitted } from './service-call.ts';
import { mustBeSpeakable } from './must-be-speakable.ts';
import { findSound, isSoundItself } from './speech-delivery.ts';

export interface Speech {
  readonly text: string;
  readonly voice: string;
  /** A tag such as `en-GB`. */
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly engine: SpeechEngine;
  readonly platform: SpeechPlatform;
  /** Called only where the reply itself is or holds the sound. */
  write(chunk: Buffer): Promise<void>;
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

export type Spoken =
  | { readonly kind: 'address'; readonly audioUrl: string; readonly message: string | null }
  | { readonly kind: 'audio'; readonly sizeBytes: number; readonly message: string | null };

/** A day of uncompressed stereo, as for results. */
const maxSoundBytes = 64 * 1024 ** 3;
/** Base64 of some 100 MB of sound: it has to be held whole. */
const maxTextBytes = 128 * 1024 ** 2;
/** Enough for every format to show itself. */
const headBytes = 4096;

/** A decimal number with a point, whatever the system's language. */
function decimal(value: number): string {
  const text = value.toFixed(6).replace(/0+$/, '');
  return text.endsWith('.') ? `${text}0` : text;
}

function bodyOf({ document }: Connection, speech: Speech): string {
  const { text, voice, language, speed, pitch, engine, platform } = speech;
  const placed = withoutOmitted(document, 'speech', { engine, platform });
  const inParameter = document.speechPlacement === 'Parameter';
  const parameter = {
    'Parameter.Speed': decimal(speed),
    'Parameter.LanguageCode': language,
    'Parameter.Pitch': decimal(pitch),
  };
  const inside = Object.entries(withoutOmitted(document, 'speech', parameter)).map(([name, value]) => [
    name.replace('Parameter.', ''),
    value,
  ]);
  return JSON.stringify({
    ...withoutOmitted(document, 'speech', { AppId: '107', FeatureId: '22' }),
    speech: text,
    voice,
    Parameter: { ...(Object.fromEntries(inside) as Readonly<Record<string, unknown>>), ...(inParameter && placed) },
    ...(!inParameter && placed),
  });
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

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A reply whose first bytes were looked at; `chunks` begins with them. */
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
  while (size < headBytes) {
    const { done, value } = await rest.next();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  return {
    head: Buffer.concat(first),
    async *chunks() {
      yield* first;
      yield* rest;
    },
  };
}

async function textOf(reply: HttpReply, { chunks }: OpenedReply): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks()) {
    size += chunk.length;
    if (size > maxTextBytes) {
      reply.discard();
      throw new AppError('service/not-understood', `a reply of more than ${maxTextBytes} bytes`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function receiveSound(reply: HttpReply, { chunks }: OpenedReply, { write, onProgress }: Speech): Promise<number> {
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
  return received;
}

/**
 * Interface, operation 4: paid, so that it goes out once, on a connection of its own, and waits as long as making sound may take. How
 * the sound is delivered is a hole: `speechDelivery` of the connection. Throws `input/text-…` before anything is sent, and
 * `service/no-audio` with the reply in its words where no sound is found.
 */
export async function speakText(
  http: Http,
  connection: Connection,
  speech: Speech,
  signal: AbortSignal,
): Promise<Spoken> {
  mustBeSpeakable(speech.text, connection.document);
  const { speechDelivery, timeouts } = connection.document;
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.converter || access.hosts.voice, '/api/fsmstexttospeech');
  const reply = await http.send({
    method: 'POST',
    address,
    headers: { ...authorizationOf(connection, access, address), 'content-type': 'application/json' },
    body: bodyOf(connection, speech),
    ...timeoutsOf(connection),
    replyTimeoutMs: timeouts.convertMs,
    fresh: true,
    signal,
  });
  const opened = await openReply(reply);
  const encoding = reply.header('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    reply.discard();
    throw replyError(reply, undefined) ?? noAudio(reply, `content-encoding: ${encoding}`);
  }
  const isSuccess = reply.status >= 200 && reply.status < 300;
  if (isSuccess && isSoundItself(opened.head, reply.header('content-type'), speechDelivery)) {
    return { kind: 'audio', sizeBytes: await receiveSound(reply, opened, speech), message: null };
  }
  const text = await textOf(reply, opened);
  const body = json(text);
  const error = replyError(reply, body);
  if (error) throw error;
  const found = findSound(body, speechDelivery);
  if (!found) throw noAudio(reply, text);
  if (found.kind === 'address') return found;
  const { bytes, message } = found;
  await speech.write(bytes);
  speech.onProgress(bytes.length, bytes.length);
  return { kind: 'audio', sizeBytes: bytes.length, message };
}
