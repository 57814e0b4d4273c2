import { createHash } from 'node:crypto';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../../../src/main/core/voice-service/scripted-service.fixture.ts';
import type { Random } from '../../../../src/main/core/random.fixture.ts';
import { wavHeader } from './wav-header.ts';

/** A service that produces audio at once without conversion, and fails at a given rate. */
export interface WhimsicalService {
  readonly service: ScriptedService;
  /** Arrivals of paid calls that were not clearly turned away, by task, or by text. */
  readonly paid: ReadonlyMap<string, number>;
  /** Paid calls with an unknown outcome or a lost result. */
  readonly doubted: ReadonlyMap<string, number>;
  /** From 0 to 1. */
  setWhim(whim: number): void;
}

const soundBytes = 3200;

/** A unique WAV file whose content identifies its job. */
export const soundOf = (key: string): Buffer =>
  Buffer.concat([wavHeader(soundBytes), Buffer.alloc(soundBytes, createHash('sha256').update(key).digest())]);

/** What a service may do instead of what it was asked for. Its 401, 402 and 429 alone say that it did not do it. */
const whims = ['vanish', 'work and vanish', 'babble', 401, 402, 429, 503, 500] as const;
const unclear: ReadonlySet<unknown> = new Set(['vanish', 'work and vanish', 'babble', 503, 500]);

const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

export async function startWhimsicalService(random: Random): Promise<WhimsicalService> {
  const paid = new Map<string, number>();
  const doubted = new Map<string, number>();
  let whim = 0;
  let tasks = 0;

  const service = await startScriptedService(({ url, body }, response) => {
    const moody = random.next() < whim ? random.pick(whims) : null;
    const json = () => JSON.parse(body.toString()) as { readonly uuid?: string; readonly speech?: string };
    const isSpeech = url.includes('texttospeech');
    const [, result] = /^\/result\/(.+)$/.exec(url) ?? [];
    const isPaid = isSpeech || url.includes('changeaudiofile');
    const key = isPaid ? ((isSpeech ? json().speech : json().uuid) ?? '') : decodeURIComponent(result ?? '');
    if (isPaid && (moody === null || unclear.has(moody))) add(paid, key);
    if (isPaid && unclear.has(moody)) add(doubted, key);

    if (moody === 'vanish' || moody === 'work and vanish') return void response.destroy();
    if (moody === 'babble') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"st');
    if (moody !== null) return replyJson(response, { error: 'No.' }, moody);
    if (result !== undefined) {
      // Now and then a result is no longer kept, or comes only in part.
      const mood = random.next();
      if (mood < whim / 4) {
        add(doubted, key);
        return void response.writeHead(410).end();
      }
      const sound = soundOf(key);
      return void response.end(mood < whim / 2 ? sound.subarray(0, 1000) : sound);
    }
    const address = `${service.origin}/result/${encodeURIComponent(key)}`;
    if (url.includes('create')) return replyJson(response, { taskId: `task ${(tasks += 1)}` });
    if (url.includes('upload')) return replyJson(response, { uuid: decodeURIComponent(url.split('/').at(-1) ?? '') });
    replyJson(response, { status: 'success', message: 'Spoken.', data: { audioUrl: address } });
  });
  return { service, paid, doubted, setWhim: (next) => void (whim = next) };
}
