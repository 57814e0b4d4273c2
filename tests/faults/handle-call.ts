import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLog, OpenCall } from './call-log.ts';
import { deliverSpeech, type SpeechDelivery } from './speech-delivery.ts';
import type { Decision, Side, Wait } from './fault.ts';
import { firstBytes, throttle } from './body-streams.ts';
import { taskOfResult, textAt } from './identify-call.ts';
import { bytesOf, jsonOf, replyFromAnswer, replyOf, replyWith, type Reply } from './reply.ts';
import type { FaultRules } from './fault-rules.ts';
import { breakOff, sendReply, type Client } from './send-reply.ts';
import { sendPart, sendToService, type Forwarded } from './send-to-service.ts';

export interface Service {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** In place of the client's, where it sent one; null: the client's. */
  readonly token: string | null;
}

export interface Surroundings {
  readonly log: CallLog;
  readonly rules: FaultRules;
  readonly delivery: SpeechDelivery;
  /** Put behind every result address; null: nothing. */
  readonly resultQuery: string | null;
  /** Of the proxy itself. */
  origin(): string;
  /** Where calls go now: an engine that was started again has another address and token. */
  service(): Service;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

async function waitFor(waits: readonly Wait[], side: Side, signal: AbortSignal): Promise<void> {
  for (const wait of waits.filter(({ at = 'request' }) => at === side)) {
    if (wait.kind === 'latency') await sleep(wait.ms, undefined, { signal });
    else await Promise.race([wait.until, once(signal, 'abort')]);
    signal.throwIfAborted();
  }
}

/** Takes one call from its request line to its end, with what the rules make of it. Never throws: the log says how it ended. */
export async function handleCall(
  request: IncomingMessage,
  response: ServerResponse,
  surroundings: Surroundings,
): Promise<void> {
  const { log, rules, delivery, resultQuery, origin } = surroundings;
  const call: OpenCall = log.open(request);
  const leaving = new AbortController();
  const { signal } = leaving;
  // First listener of the event: a client that has the whole reply may disconnect at once.
  response.once('finish', () => log.end(call, 'answered'));
  response.once('close', () => {
    log.end(call, 'left');
    leaving.abort();
  });
  request.on('error', () => undefined);
  response.on('error', () => undefined);

  let mayContinue = request.headers.expect?.toLowerCase() !== '100-continue';
  const acceptBody = () => {
    if (!mayContinue) response.writeContinue();
    mayContinue = true;
  };
  /**
   * Starts to read the body. A reader that stops keeps the connection open, because the reply still has to be sent; a client that
   * disconnects halfway breaks it.
   */
  function openBody(): Readable {
    const passing = new Transform({
      transform(chunk: Buffer, _, done) {
        log.note(call, { receivedBytes: call.receivedBytes + chunk.length });
        done(null, chunk);
      },
    });
    // Whether anybody still reads it or not.
    passing.on('error', () => undefined);
    request.once('close', () => request.complete || passing.destroy(new Error('the client left')));
    request.pipe(passing);
    // What a service left unread must not block the next call of this connection. After `pipe`, which stops the flow at the same event.
    passing.once('close', () => request.resume());
    return passing;
  }

  /** Small JSON bodies are read before a rule is chosen, because task and text stand in them. */
  async function nameByBody(): Promise<() => Readable> {
    if (!['create-task', 'convert', 'speech'].includes(call.operation)) return openBody;
    acceptBody();
    const bytes = await bytesOf(openBody());
    const body = parsed(bytes.toString());
    log.note(call, { body, task: textAt(body, 'uuid'), text: textAt(body, 'speech') });
    return () => Readable.from(bytes.length > 0 ? [bytes] : []);
  }

  const forwarded = (service: Service, body: Readable): Forwarded => ({
    target: service.origin,
    method: call.method,
    path: call.path,
    rawHeaders: request.rawHeaders,
    body,
    signal,
    serviceToken: service.token,
    onReached: () => log.note(call, { reachedService: true }),
    onContinue: acceptBody,
  });

  const fetchResult = async (service: Service, address: string): Promise<Reply> => {
    const { authorization = '' } = request.headers;
    const rawHeaders = ['authorization', authorization, 'accept-encoding', 'identity'];
    const { pathname } = new URL(address);
    const ask = { ...forwarded(service, Readable.from([])), method: 'GET', path: pathname, rawHeaders };
    return replyOf(await sendToService({ ...ask, onReached: () => undefined }));
  };

  /** The service's reply as the client is to see it: its addresses lead here, and speech comes the way it was asked to. */
  async function translated(service: Service, raw: Reply): Promise<Reply> {
    const json = await jsonOf(raw);
    if (!json) return raw;
    const body = parsed(json.text);
    const address = textAt(body, 'data.audioUrl');
    const task = textAt(body, 'taskId') ?? (address === null ? null : taskOfResult(address));
    if (task !== null) log.note(call, { task: call.task ?? task });
    const publicText = (text: string) => {
      const led = text.replaceAll(service.origin, origin());
      if (resultQuery === null) return led;
      return led.replaceAll(/\/(?:results|speech)\/[^/"]+\/[^/"]+/g, (path) => `${path}?${resultQuery}`);
    };
    if (call.operation === 'speech' && delivery !== 'address') {
      const delivered = await deliverSpeech(body, delivery, (result) => fetchResult(service, result), publicText);
      if (delivered) return delivered;
    }
    if (!json.text.includes(service.origin)) return json.reply;
    return replyWith(raw.status, raw.headers, Buffer.from(publicText(json.text)));
  }

  /** What the request's side of a fault leaves to send on. */
  function held(body: Readable, decision: Decision | null): Readable {
    if (decision?.kind === 'slow' && decision.at === 'request') {
      return Readable.from(throttle(body, decision.bytesPerSecond, signal));
    }
    if (decision?.kind !== 'stall' || decision.at !== 'request') return body;
    const { afterBytes } = decision;
    return Readable.from(
      (async function* () {
        yield* firstBytes(body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, afterBytes);
        if (!signal.aborted) await once(signal, 'abort');
      })(),
    );
  }

  async function answerAlone(body: Readable, decision: Decision & { kind: 'answer' }, client: Client): Promise<void> {
    const reply = replyFromAnswer(decision);
    if (!decision.early) {
      acceptBody();
      await bytesOf(body);
      await sendReply(reply, null, client);
      return;
    }
    const bytes = await bytesOf(reply.body);
    response.writeHead(reply.status, [...reply.headers, 'connection', 'close']);
    response.write(bytes);
    log.note(call, { status: reply.status, sentBytes: bytes.length });
    // Closing with unread bytes would reset the connection and lose the reply.
    await bytesOf(body);
    response.end();
    await once(response, 'finish');
  }

  async function work(client: Client): Promise<'answered' | 'broken'> {
    const body = await nameByBody();
    const { waits, decision, kind } = rules.match(call);
    log.note(call, { fault: kind });
    await waitFor(waits, 'request', signal);
    if (decision?.kind === 'drop-before') {
      if (decision.at === 'body') {
        acceptBody();
        await bytesOf(body());
      }
      breakOff(response, decision.reset);
      return 'broken';
    }
    if (decision?.kind === 'answer' && !decision.reachService) {
      await answerAlone(body(), decision, client);
      return 'answered';
    }
    const service = surroundings.service();
    if (decision?.kind === 'cut' && decision.in.startsWith('request')) {
      acceptBody();
      const { in: part } = decision;
      if (part !== 'request-line' && part !== 'request-headers' && part !== 'request-body') throw new Error(part);
      const half = Math.floor(Number(request.headers['content-length'] ?? 0) / 2);
      await sendPart(forwarded(service, body()), part, part === 'request-body' ? (decision.afterBytes ?? half) : 0);
      breakOff(response, decision.reset);
      return 'broken';
    }
    const message = await sendToService(forwarded(service, held(body(), decision)));
    log.note(call, { serviceStatus: message.statusCode ?? 0 });
    const reply = await translated(service, replyOf(message));
    await waitFor(waits, 'reply', signal);
    return sendReply(reply, decision, client);
  }

  try {
    log.note(call, {});
    const outcome = await work({
      response,
      signal,
      onStatus: (status) => log.note(call, { status }),
      onBytes: (bytes) => log.note(call, { sentBytes: call.sentBytes + bytes }),
    });
    log.end(call, outcome);
  } catch (error) {
    // The client left, or the service did: then the client loses its connection as it would without us.
    if (!signal.aborted) call.error = error;
    log.end(call, signal.aborted ? 'left' : 'broken');
    response.destroy();
  }
}
