import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { SoundInspection } from '../../../sound/inspect-sound.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import type { LosslessFormat, TranscodeSound } from '../../../sound/transcode-sound.ts';
import { contentHash } from '../files/content.ts';
import { diskFull, isNotFound } from '../files/errno.ts';
import { isOwnFolder } from '../files/folders.ts';
import { isUnchangedSource, snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import type { ConversionJob } from './job.ts';

type Sound = Extract<SoundInspection, { readonly kind: 'sound' }>;

/** How a recording is sent: as it is, or as a copy in a format that the service takes; null if it takes none. */
type UploadForm = 'as-is' | LosslessFormat | null;

/** Decides by what the service takes. A lossy format would lose quality a second time. */
export function decideUploadForm(
  { format, unsupportedCodec }: Pick<Sound, 'format' | 'unsupportedCodec'>,
  { uploadFormats }: Pick<ConnectionDocument, 'uploadFormats'>,
): UploadForm {
  if (uploadFormats === 'any') return 'as-is';
  if (uploadFormats === 'decodable') return unsupportedCodec === undefined ? 'as-is' : 'flac';
  if (uploadFormats.includes(format)) return 'as-is';
  return (['flac', 'wav'] as const).find((each) => uploadFormats.includes(each)) ?? null;
}

/** What is sent of a recording. */
interface UploadSource {
  readonly path: string;
  readonly fileName: string;
  readonly snapshot: SourceSnapshot;
  /** Hex SHA-256 that it must have, if it is known. */
  readonly sha256?: string;
}

/** Makes copies of recordings whose format a service does not take, and removes each after its upload. */
export interface UploadSources {
  /**
   * Sends a recording: calls `send`, which returns the hash of what it sent. Returns the hash of the
   * recording itself. Throws `input/changed`, `service/too-large`, `output/disk-full` and what decoding throws.
   */
  sendSource(job: ConversionJob, send: (source: UploadSource) => Promise<string>, signal: AbortSignal): Promise<string>;
  /** Removes copies that killed processes left, except those of these jobs. */
  removeAbandoned(isOpen: (jobId: string) => boolean): Promise<void>;
}

interface Dependencies {
  /** Of the copies; made when the first one is. */
  readonly folder: string;
  readonly inspectSound: InspectSound;
  readonly transcode: TranscodeSound;
  readonly ffmpeg: () => Promise<string | null>;
}

/** As 16-bit stereo at 48 kHz, of which a lossless copy never takes more. */
const maxBytesPerSecond = 192_000;
const copyName = /^[0-9a-f-]{36}\.(?:flac|wav)$/;

export function createUploadSources({ folder, inspectSound, transcode, ffmpeg }: Dependencies): UploadSources {
  async function sendCopy(
    { id, source, connection, durationSeconds }: ConversionJob,
    format: LosslessFormat,
    send: (source: UploadSource) => Promise<string>,
    signal: AbortSignal,
  ): Promise<string> {
    const { path, snapshot } = source;
    const changed = () => new AppError('input/changed', `${path} changed since it was queued`);
    const copy = join(folder, `${id}.${format}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await transcode(path, { to: copy, format, ffmpeg: await ffmpeg(), signal });
      const sha256 = await contentHash(path, snapshot?.sizeBytes ?? 0, signal).catch((error: unknown) => {
        throw isNotFound(error) ? changed() : error;
      });
      const after = snapshotOf(await stat(path, { bigint: true }));
      if (sha256 === null || (source.sha256 !== undefined && sha256 !== source.sha256)) throw changed();
      if (snapshot && !isUnchangedSource(snapshot, after)) throw changed();
      const made = snapshotOf(await stat(copy, { bigint: true }));
      const { maxUploadBytes } = connection.document.limits;
      if (maxUploadBytes !== null && made.sizeBytes > maxUploadBytes) {
        const facts = { name: basename(path), limitBytes: maxUploadBytes, actualBytes: made.sizeBytes };
        throw new AppError('service/too-large', `${path} is too large as ${format}`, { facts });
      }
      const fileName = `${basename(path, extname(path))}.${format}`;
      await send({ path: copy, fileName, snapshot: made });
      return sha256;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'output/disk-full') throw error;
      throw diskFull(folder, Math.ceil((durationSeconds ?? 60) * maxBytesPerSecond));
    } finally {
      await rm(copy, { force: true });
    }
  }

  return {
    async sendSource(job, send, signal) {
      const { path, snapshot, sha256 } = job.source;
      if (!snapshot) throw new Error(`job ${job.id} is sent before it was checked`);
      if (job.connection.document.uploadFormats !== 'any') {
        const found = await inspectSound(path, { signal });
        // A file that changed since is found to have changed.
        const form = found.kind === 'sound' ? decideUploadForm(found, job.connection.document) : 'as-is';
        if (form !== 'as-is' && form !== null) return sendCopy(job, form, send, signal);
      }
      return send({ path, fileName: basename(path), snapshot, ...(sha256 !== undefined && { sha256 }) });
    },
    async removeAbandoned(isOpen) {
      const names = (await isOwnFolder(folder)) ? await readdir(folder) : [];
      const abandoned = names.filter((name) => copyName.test(name) && !isOpen(basename(name, extname(name))));
      await Promise.all(abandoned.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
