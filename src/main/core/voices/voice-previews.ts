import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { numberFact } from '../../../shared/messages/facts.ts';
import { engineSoundRevision } from '../../../shared/operations.ts';
import type {
  PreviewContent,
  PreviewMaterial,
  PreviewSpending,
  Voice,
  VoiceFeatures,
  VoicePreview,
} from '../../../shared/schemas/voice.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import { fileStampAt } from '../files/identity.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import { removeName, temporaryPathOf } from '../files/publish.ts';
import { wasNotCarriedOut } from '../voice-service/paid-call-outcome.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import type { Spoken } from '../voice-service/speech.ts';
import { assertSpeakable } from '../voice-service/text-limit.ts';
import type { Excerpts } from './excerpts.ts';
import {
  conversionSettingsOf,
  convertPreview,
  type PreviewCall,
  speakPreview,
  speechSettingsOf,
} from './preview-calls.ts';
import { contentHashOf, type PreviewKey, type PreviewStore } from './preview-store.ts';
import { previewSentence } from './preview-sentences.ts';

interface PreviewRequest {
  readonly connectionId: string;
  readonly voice: Voice;
  readonly content: PreviewContent;
  readonly spending: PreviewSpending;
}

/**
 * Previews of voices: each is made once, by a call of the user's, and kept with the catalogue, so that it can be heard
 * offline. A service's call is paid, so the store says before it that it may have been made.
 */
export interface VoicePreviews {
  /**
   * Returns the preview, after making it if `spending` allows that. The same preview asked for twice is made once. Waiting
   * requests give way to later ones, and reject with `job/cancelled`. Rejects like `speakText`, `convertAudio`, `downloadResult` and
   * `Excerpts.fileFor`.
   */
  request(request: PreviewRequest): Promise<VoicePreview>;
  /** Rejects what is being made with `job/cancelled`, unless a service may have been called for it: that is kept. */
  cancel(): void;
  features(connectionId: string): Readonly<Record<string, VoiceFeatures>>;
  /** Path of a preview that the page may play. */
  findSound(media: string): Promise<string | undefined>;
  /** Removes the previews of a connection whose service is another now. */
  forget(connectionId: string): void;
  /** Removes files without a preview, as a killed process leaves them. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly store: PreviewStore;
  readonly writes: Pick<WriteGate, 'write' | 'commit' | 'defer'>;
  readonly connections: Pick<ConnectionRegistry, 'get' | 'service'>;
  readonly excerpts: Pick<Excerpts, 'current' | 'fileFor'>;
  readonly clock: Clock;
  readonly folder: string;
  readonly inspectSound: InspectSound;
  readFeatures(path: string, options: { readonly signal: AbortSignal }): Promise<VoiceFeatures>;
}

/** A minute of uncompressed stereo; what is longer is no preview. */
const maxBytes = 32 * 1024 ** 2;
/**
 * Previews of the local engine that are kept; they cost nothing to make again. A service's are all kept. Those of recordings are about
 * 1 MB each.
 */
const mostFree = { text: 500, recording: 200 } as const;
/** Previews of a connection that are made at the same time, and that wait: a user who moves through a list wants the latest. */
const mostRunning = 2;
const mostWaiting = 4;

const maxRateWaitMs = 10_000;

/** Attempts to fetch a sound, which wait 1, 2 and 4 seconds in between. */
const mostTries = 4;
const firstRetryMs = 500;
/** While an arrow key is held, the focus rests at no voice for this long. */
const restMs = 150;
const transientCodes: ReadonlySet<ErrorCode> = new Set(['network/cut', 'network/timeout', 'service/unavailable']);
/** How storages answer for an address that has expired: 400 is Google's. */
const expiredCodes: ReadonlySet<ErrorCode> = new Set(['service/unavailable', 'service/refused']);
const expiredStatuses: ReadonlySet<number> = new Set([400, 403, 404]);

/** True if the sound at this address will not come any more. */
const isGone = ({ code, problem }: AppError): boolean =>
  code === 'service/result-gone' ||
  code === 'service/result-not-audio' ||
  (expiredCodes.has(code) && expiredStatuses.has(numberFact(problem.facts ?? {}, 'status') ?? 0));

const temporaryName = /^\.timbre-[0-9a-f]{64}\.part$/;
const mediaName = /^[0-9a-f]{64}(?:-\d+)?\.[a-z0-9]{1,16}$/;
const unknownFeatures: VoiceFeatures = { f0Hz: null, brightness: 0, levelDb: null };

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** What is to be heard, and the call that makes it. */
interface Making {
  readonly key: PreviewKey;
  /** Name of its files, without an ending. */
  readonly name: string;
  /** What the user's agreement is about. */
  readonly excerptId: string | null;
  readonly material: PreviewMaterial;
  call(call: PreviewCall): Promise<Spoken>;
}

/** Runs at most `mostRunning` at once, the latest first. */
function createTurns() {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  return {
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (running >= mostRunning) {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        if (waiting.length > mostWaiting) waiting.shift()?.reject(superseded());
        // It keeps the turn of the one that ended.
        await turn.promise;
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.pop();
        if (next) next.resolve();
        else running -= 1;
      }
    },
    rejectAll(error: Error): void {
      for (const turn of waiting.splice(0)) turn.reject(error);
    },
  };
}

const superseded = () => new AppError('job/cancelled', 'a later preview took its place');
const isCancelled = (error: unknown): boolean => error instanceof AppError && error.code === 'job/cancelled';

export function createVoicePreviews(dependencies: Dependencies): VoicePreviews {
  const { store, writes, connections, excerpts, clock, folder, inspectSound, readFeatures } = dependencies;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** By connection: a service that does not reply must not hold up the voices of another. */
  const turnsById = new Map<string, ReturnType<typeof createTurns>>();
  /** By key, so that the same preview is never asked for twice at once. */
  const running = new Map<string, Promise<VoicePreview>>();
  let cancelling = new AbortController();

  function turnsOf(connectionId: string): ReturnType<typeof createTurns> {
    const turns = turnsById.get(connectionId) ?? createTurns();
    turnsById.set(connectionId, turns);
    return turns;
  }

  const findFile = async (file: string): Promise<string | undefined> => {
    const path = join(folder, file);
    return (await fileStampAt(path))?.isFile ? path : undefined;
  };

  async function findKept(key: PreviewKey): Promise<VoicePreview | undefined> {
    const kept = store.find(key);
    if (!kept || kept.file === null || (await findFile(kept.file)) === undefined) return undefined;
    const { file, f0Hz, brightness, levelDb } = kept;
    return { kind: 'ready', media: file, features: { f0Hz, brightness, levelDb } };
  }

  /** Checks, measures and names a sound that is complete in its temporary file. */
  async function keep(key: PreviewKey, name: string, output: PendingOutput): Promise<VoicePreview> {
    await output.flush();
    const found = await inspectSound(output.temporaryPath, { signal });
    if (found.kind !== 'sound') {
      throw new AppError('service/result-not-audio', `the preview is ${found.code}`, { facts: { ...found.facts } });
    }
    // The order by pitch and equal loudness need them, hearing does not.
    const features = await readFeatures(output.temporaryPath, { signal }).catch(() => unknownFeatures);
    await output.finish();
    let file = '';
    await output.publish({
      pathFor: (attempt) => join(folder, `${name}${attempt === 1 ? '' : `-${attempt}`}.${found.format}`),
      async onReserve(path) {
        file = basename(path);
        await writes.commit(() => store.change(key, { file, ...features }), signal);
      },
    });
    // Only now: a process that ends before the file has its name can still fetch it.
    writes.defer(() => store.change(key, { audioUrl: null }));
    return { kind: 'ready', media: file, features };
  }

  /** A temporary file that takes at most `maxBytes`. */
  async function withOutput<T>(
    name: string,
    fill: (write: (chunk: Buffer) => Promise<void>, keepIt: (key: PreviewKey) => Promise<VoicePreview>) => Promise<T>,
  ): Promise<T> {
    const output = await openOutput(folder, name);
    let bytes = 0;
    try {
      return await fill(
        async (chunk) => {
          bytes += chunk.length;
          if (bytes > maxBytes)
            throw new AppError('service/result-not-audio', `a preview of more than ${maxBytes} bytes`);
          await output.write(chunk);
        },
        (key) => keep(key, name, output),
      );
    } finally {
      await output.discard();
    }
  }

  const fetchOnce = (key: PreviewKey, name: string, service: ServiceClient, audioUrl: string): Promise<VoicePreview> =>
    withOutput(name, async (write, keepIt) => {
      await service.downloadResult({ audioUrl, maxBytes, write, onProgress: () => undefined }, signal);
      return keepIt(key);
    });

  /** A storage may not have the sound yet, and fetching it is free. */
  async function fetchSound(...args: Parameters<typeof fetchOnce>): Promise<VoicePreview> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await fetchOnce(...args);
      } catch (error) {
        if (tries === mostTries || !(error instanceof AppError) || !transientCodes.has(error.code)) throw error;
        await clock.sleep(firstRetryMs * 2 ** tries, signal);
      }
    }
  }

  /** Waits a moment: a call that leaves long after the press would surprise the user. */
  async function waitForRateLimit(service: ServiceClient, free: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const giveUp = () => waiting.abort(new AppError('rate/limited', 'the connection’s rate limit leaves no room'));
    clock.sleep(maxRateWaitMs, AbortSignal.any([free, waiting.signal])).then(giveUp, () => undefined);
    await service.waitForRateLimit(AbortSignal.any([free, waiting.signal])).finally(() => waiting.abort());
  }

  /** Makes the paid call. Removes its row if it was certainly not carried out, and none before it may have been. */
  async function callFor(
    { key, call }: Making,
    voice: Voice,
    free: AbortSignal,
    write: (chunk: Buffer) => Promise<void>,
  ): Promise<Spoken> {
    const { kind, document } = connections.get(key.connectionId);
    const service = connections.service(key.connectionId);
    const isFirst = store.find(key) === undefined;
    const sending = { hasBegun: false };
    try {
      return await call({
        service,
        document,
        voice,
        write,
        async begin() {
          await waitForRateLimit(service, free);
          free.throwIfAborted();
          writes.write(() => store.add(key, clock.now()));
          sending.hasBegun = true;
        },
        free,
        signal: kind === 'local' ? free : signal,
      });
    } catch (error) {
      if (sending.hasBegun && isFirst && error instanceof AppError && wasNotCarriedOut(error.problem))
        writes.defer(() => store.remove(key));
      throw error;
    }
  }

  async function make(making: Making, voice: Voice, free: AbortSignal): Promise<VoicePreview> {
    const { key, name } = making;
    await makeFolder(folder, 0o700);
    if ((await freeBytes(folder)) < maxBytes) throw diskFull(folder, maxBytes);
    let audioUrl = '';
    const made = await withOutput(name, async (write, keepIt) => {
      const spoken = await callFor(making, voice, free, write);
      if (spoken.kind === 'audio') return keepIt(key);
      audioUrl = spoken.audioUrl;
      await writes.commit(() => store.change(key, { audioUrl }), signal);
      return undefined;
    });
    return made ?? fetchSound(key, name, connections.service(key.connectionId), audioUrl);
  }

  /** Fetches a sound whose call was paid for; undefined if it is gone. */
  async function fetchPaid(key: PreviewKey, name: string): Promise<VoicePreview | undefined> {
    const audioUrl = store.find(key)?.audioUrl ?? null;
    if (audioUrl === null) return undefined;
    try {
      await makeFolder(folder, 0o700);
      return await fetchSound(key, name, connections.service(key.connectionId), audioUrl);
    } catch (error) {
      if (!(error instanceof AppError) || !isGone(error)) throw error;
      writes.write(() => store.change(key, { audioUrl: null }));
      return undefined;
    }
  }

  async function answer({ voice, spending }: PreviewRequest, making: Making, free: AbortSignal): Promise<VoicePreview> {
    const { key, name, excerptId, material } = making;
    const { connectionId } = key;
    const { kind, document } = connections.get(connectionId);
    const kept = await findKept(key);
    if (kept) return kept;
    if (kind === 'remote' && spending === 'nothing')
      return { kind: 'not-made', wasRequested: store.find(key)?.audioUrl === null };
    const turns = turnsOf(connectionId);
    const fetched = await turns.take(() => fetchPaid(key, name));
    if (fetched) return fetched;
    if (kind === 'remote' && spending !== 'agreed') {
      const before = store.find(key);
      if (before && document.unknownOutcome !== 'repeat')
        return { kind: 'ask', reason: before.file === null ? 'lost' : 'gone', material };
      if (!store.hasAny(connectionId, excerptId)) return { kind: 'ask', reason: 'first', material };
    }
    // The engine speaks to the end what it has begun, and the voice at which the focus rests would wait for all.
    if (spending === 'nothing') await clock.sleep(restMs, free);
    free.throwIfAborted();
    const made = await turns.take(() => make(making, voice, free));
    if (kind === 'local') {
      const old = writes.write(() => store.trim(connectionId, material.kind, mostFree[material.kind]));
      // A database that came from elsewhere may name any file.
      await Promise.all(old.filter((file) => mediaName.test(file)).map((file) => removeName(join(folder, file))));
    }
    return made;
  }

  async function plan({ connectionId, voice, content }: PreviewRequest): Promise<Making> {
    const { kind, document } = connections.get(connectionId);
    const revision = kind === 'local' ? [engineSoundRevision] : [];
    const toMaking = (excerptId: string | null, hash: string, rest: Pick<Making, 'material' | 'call'>): Making => {
      const contentHash = contentHashOf(excerptId, hash);
      const key = { connectionId, voiceId: voice.id, contentHash };
      return { key, name: hashOf(connectionId, voice.id, contentHash), excerptId, ...rest };
    };
    if (content.kind === 'text') {
      const text = content.text ?? previewSentence(voice.language);
      assertSpeakable(text, document);
      return toMaking(null, hashOf(text, voice.language, speechSettingsOf(document), ...revision), {
        material: { kind: 'text', text },
        call: (call) => speakPreview(text, call),
      });
    }
    const { excerptId } = content;
    const excerpt = await excerpts.current();
    if (excerpt?.id !== excerptId) throw new AppError('input/changed', `the part ${excerptId} is not kept any more`);
    const { name, seconds } = excerpt;
    return toMaking(excerptId, hashOf(document.hosts.voice, conversionSettingsOf(document), ...revision), {
      material: { kind: 'recording', name, seconds },
      call: async (call) => convertPreview(await excerpts.fileFor(excerptId, call.document), call),
    });
  }

  return {
    async request(request) {
      const free = AbortSignal.any([signal, cancelling.signal]);
      const making = await plan(request);
      const { name } = making;
      // Requests for the same preview run one after the other: only the first may find it missing and call.
      for (let before = running.get(name); before; before = running.get(name)) {
        // What was cancelled for another request may still be wanted by this one.
        const result = await before.catch((error: unknown) => {
          if (!isCancelled(error)) throw error;
        });
        if (result?.kind === 'ready') return result;
      }
      free.throwIfAborted();
      const answering = answer(request, making, free).finally(() => running.delete(name));
      running.set(name, answering);
      return answering;
    },
    cancel() {
      cancelling.abort(superseded());
      cancelling = new AbortController();
      for (const turns of turnsById.values()) turns.rejectAll(superseded());
    },
    features: (connectionId) => Object.fromEntries(store.features(connectionId)),
    findSound: (media) => (mediaName.test(media) ? findFile(media) : Promise.resolve(undefined)),
    forget: (connectionId) => writes.defer(() => store.forget(connectionId)),
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      const files = store.files();
      // The first previews may be made before this runs.
      const written = new Set([...running.keys()].map((name) => basename(temporaryPathOf(folder, name))));
      const ours = names.filter(
        (name) => (mediaName.test(name) && !files.has(name)) || (temporaryName.test(name) && !written.has(name)),
      );
      await Promise.all(ours.map((name) => removeName(join(folder, name))));
    },
    async stop() {
      stopping.abort(new AppError('job/cancelled', 'the program is ending'));
      for (const turns of turnsById.values()) turns.rejectAll(signal.reason as Error);
      await Promise.allSettled(running.values());
    },
  };
}
