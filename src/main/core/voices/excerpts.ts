import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { type Excerpt, maxExcerptSeconds, type OpenedRecording } from '../../../shared/schemas/voice.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import { isOutputFormat, type OutputFormat } from '../../../sound/sound-format.ts';
import type { SoundReader } from '../../../sound/sound-reader.ts';
import { bytesPerColumn, type Waveform } from '../../../sound/waveform.ts';
import { contentHash, readSmallText } from '../files/content.ts';
import { diskFull } from '../files/errno.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import { fileStampAt, snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { writePrivateFile } from '../files/private-file.ts';

/** A file of the part in a format that a service takes. */
export interface ExcerptFile {
  readonly path: string;
  readonly snapshot: SourceSnapshot;
}

/**
 * The part of a recording that voices are tried on: a file of its own in the data folder, so that it outlives the recording. There is
 * one at a time. A recording is opened to choose the part; until then only the page's request says which one it is.
 */
export interface Excerpts {
  current(): Promise<Excerpt | null>;
  /**
   * Opens a recording; null opens the one whose part is kept. Ends an earlier call, which rejects with `job/cancelled`. Throws what
   * `readWaveform` throws.
   */
  open(path: string | null): Promise<OpenedRecording>;
  /** Path of the recording that is open, by its id, for the page to play. */
  findRecording(id: string): string | undefined;
  /** Keeps a part of the open recording, instead of the one before. Throws `input/changed` if another one is open. */
  cut(part: {
    readonly recordingId: string;
    readonly startSeconds: number;
    readonly seconds: number;
  }): Promise<Excerpt>;
  remove(): Promise<void>;
  /** The part as it is sent to a service. Throws `input/missing`, `service/format`, `service/too-large` and `input/too-long`. */
  fileFor(id: string, document: Pick<ConnectionDocument, 'uploadFormats' | 'limits'>): Promise<ExcerptFile>;
  /** Ends what is read and written, and waits for it. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  readonly soundReader: Pick<SoundReader, 'readWaveform' | 'cut'>;
}

/** Ten seconds of uncompressed stereo at 192 kHz. */
const maxBytes = 16 * 1024 ** 2;
const maxStoredBytes = 64 * 1024;
/** Quieter columns are silence: 34 dB below the loudest peak. */
const silence = 5;
/** A part that voices are tried on has so much sound at least. */
const leastSound = 0.5;

const stored = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: v.string(),
  path: v.string(),
  startSeconds: v.pipe(v.number(), v.finite(), v.minValue(0)),
  seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(maxExcerptSeconds)),
});
type Stored = v.InferOutput<typeof stored>;

const fileName = /^(?:[0-9a-f]{64}\.[a-z0-9]+|\.timbre-[0-9a-f-]{36}\.part)$/;

/** The first part with sound: one that begins with a click and goes on in silence is passed over. */
export function firstSoundingPart({ columns, durationSeconds }: Waveform): { startSeconds: number; seconds: number } {
  const count = columns.length / bytesPerColumn;
  const seconds = Math.min(maxExcerptSeconds, durationSeconds);
  const perColumn = durationSeconds / count;
  const width = Math.max(1, Math.round(seconds / perColumn));
  const isSounding = Array.from({ length: count }, (_, at) => (columns[at * bytesPerColumn + 1] ?? 0) >= silence);
  let best = { at: 0, sounding: 0 };
  for (let at = 0; at < count; at += 1) {
    if (!isSounding[at]) continue;
    const sounding = isSounding.slice(at, at + width).filter(Boolean).length;
    if (sounding > best.sounding) best = { at, sounding };
    if (sounding >= leastSound * width) break;
  }
  return { startSeconds: Math.max(0, Math.min(best.at * perColumn, durationSeconds - seconds)), seconds };
}

export function createExcerpts({ folder, soundReader }: Dependencies): Excerpts {
  const stopping = new AbortController();
  const listPath = join(folder, 'excerpt.json');
  let opened: { readonly id: string; readonly path: string } | undefined;
  let opening = new AbortController();
  const serialized = createSerializer();

  async function read(): Promise<Stored | null> {
    try {
      const text = await readSmallText(listPath, maxStoredBytes);
      const found = text === null ? null : v.parse(stored, JSON.parse(text));
      return found && (await fileStampAt(join(folder, `${found.id}.wav`)))?.isFile ? found : null;
    } catch {
      // It can be chosen again.
      return null;
    }
  }

  async function removeAllBut(id: string | null): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const old = names.filter((name) => fileName.test(name) && (id === null || !name.startsWith(id)));
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
  }

  /** Writes a part under a temporary name, and gives it the one that `nameFor` makes of its hash. */
  async function write(
    part: {
      readonly path: string;
      readonly startSeconds: number;
      readonly seconds: number;
      readonly format: OutputFormat;
    },
    nameFor: (sha256: string) => string,
  ): Promise<{ readonly sha256: string; readonly seconds: number }> {
    const { signal } = stopping;
    await makeFolder(folder, 0o700);
    if ((await freeBytes(folder)) < maxBytes) throw diskFull(folder, maxBytes);
    const to = join(folder, `.timbre-${randomUUID()}.part`);
    try {
      const seconds = await soundReader.cut({ ...part, to }, { signal });
      const sha256 = await contentHash(to, (await stat(to)).size, signal);
      if (sha256 === null) throw new AppError('input/changed', `${to} changed while it was read`);
      await rename(to, join(folder, nameFor(sha256)));
      return { sha256, seconds };
    } finally {
      await rm(to, { force: true });
    }
  }

  function formatFor({ uploadFormats }: Pick<ConnectionDocument, 'uploadFormats'>, name: string): OutputFormat {
    if (typeof uploadFormats === 'string' || uploadFormats.includes('wav')) return 'wav';
    const found = uploadFormats.includes('flac') ? 'flac' : uploadFormats.find(isOutputFormat);
    if (found) return found;
    throw new AppError('service/format', 'the service takes no format that Timbre writes', {
      facts: { name, format: 'wav', taken: uploadFormats.join(', ') },
    });
  }

  const infoOf = ({ id, name, startSeconds, seconds }: Stored): Excerpt => ({ id, name, startSeconds, seconds });

  return {
    async current() {
      const found = await read();
      return found && infoOf(found);
    },
    async open(path) {
      opening.abort(new AppError('job/cancelled', 'another recording is opened'));
      opening = new AbortController();
      const signal = AbortSignal.any([opening.signal, stopping.signal]);
      const kept = await read();
      const wanted = path ?? kept?.path;
      if (wanted === undefined) throw new AppError('input/missing', 'no part is kept', { facts: { name: '' } });
      const waveform = await soundReader.readWaveform(wanted, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        const facts = { ...error.problem.facts, name: basename(wanted), system: process.platform };
        throw new AppError(error.code, error.message, { facts, cause: error });
      });
      signal.throwIfAborted();
      opened = { id: randomUUID(), path: wanted };
      const { durationSeconds, columns } = waveform;
      const isKept = kept?.path === wanted && kept.startSeconds + kept.seconds <= durationSeconds + 0.1;
      const { startSeconds, seconds } = isKept ? kept : firstSoundingPart(waveform);
      const name = basename(wanted);
      const drawing = { durationSeconds, columns: Buffer.from(columns).toString('base64') };
      return { id: opened.id, name, startSeconds, seconds, ...drawing };
    },
    findRecording: (id) => (opened?.id === id ? opened.path : undefined),
    cut: ({ recordingId, startSeconds, seconds }) =>
      serialized(async () => {
        if (opened?.id !== recordingId) throw new AppError('input/changed', 'another recording is open');
        const { path } = opened;
        const made = await write({ path, startSeconds, seconds, format: 'wav' }, (sha256) => `${sha256}.wav`);
        const kept = { id: made.sha256, name: basename(path), path, startSeconds, seconds: made.seconds };
        await writePrivateFile(listPath, JSON.stringify(kept));
        await removeAllBut(kept.id);
        return infoOf(kept);
      }),
    remove: () =>
      serialized(async () => {
        await rm(listPath, { force: true });
        await removeAllBut(null);
      }),
    fileFor: (id, document) =>
      serialized(async () => {
        const kept = await read();
        if (kept?.id !== id) throw new AppError('input/missing', `the part ${id} is gone`, { facts: { name: '' } });
        const { name, seconds } = kept;
        const { maxUploadBytes, maxSeconds } = document.limits;
        if (maxSeconds !== null && seconds > maxSeconds) {
          const facts = { name, limitSeconds: maxSeconds, actualSeconds: seconds };
          throw new AppError('input/too-long', `the part has ${seconds} s`, { facts });
        }
        const format = formatFor(document, name);
        const path = join(folder, `${id}.${format}`);
        if (!(await fileStampAt(path))) {
          await write({ path: join(folder, `${id}.wav`), startSeconds: 0, seconds: maxExcerptSeconds, format }, () =>
            basename(path),
          );
        }
        const snapshot = snapshotOf(await stat(path, { bigint: true }));
        if (maxUploadBytes !== null && snapshot.sizeBytes > maxUploadBytes) {
          const facts = { name, limitBytes: maxUploadBytes, actualBytes: snapshot.sizeBytes };
          throw new AppError('service/too-large', `the part is too large as ${format}`, { facts });
        }
        return { path, snapshot };
      }),
    async stop() {
      stopping.abort(new AppError('job/cancelled', 'the program is ending'));
      await serialized(() => Promise.resolve());
    },
  };
}
