import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from '@fastify/busboy';
import { HttpError, invalidInput } from './http-error.ts';

export interface ReceiveOptions {
  /** The form field to save; other parts are read and discarded. */
  readonly field: string;
  /** Target path, created or overwritten. The caller removes it after a failure. */
  readonly path: string;
  readonly maxBytes: number;
  /** Maximum time without data. */
  readonly stallMs: number;
}

export interface Received {
  /** File name from the client, without folders. */
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** The form's text fields; the first one of each name. */
  readonly fields: ReadonlyMap<string, string>;
}

export const tooLargeError = (maxBytes: number): HttpError =>
  new HttpError(413, 'Payload too large.', `An upload has at most ${maxBytes} bytes.`);

/** The file name may be missing, contrary to busboy's types. */
const nameOf = (fileName: string | undefined): string => fileName?.split(/[\\/]/).pop() ?? '';

const brokenForm = (cause: unknown) => invalidInput('The multipart form is broken.', 400, { cause });

export const stalledError = (ms: number): HttpError =>
  new HttpError(408, 'Request timeout.', `No data arrived for ${ms / 1000} seconds.`);

/**
 * Streams one file of a multipart form to disk in constant memory. Throws `HttpError` 400 (no such
 * field, broken form), 408 (stalled), 413 (too long), or the stream's error if the client
 * disconnected.
 */
export async function receiveUpload(request: IncomingMessage, options: ReceiveOptions): Promise<Received> {
  const { field, path, maxBytes, stallMs } = options;
  const required = () => invalidInput(`The ${field} field is required.`);
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw required();
  let form: ReturnType<typeof busboy>;
  try {
    form = busboy({ headers: { ...request.headers, 'content-type': contentType }, limits: { files: 16, fields: 64 } });
  } catch (cause) {
    throw invalidInput('The multipart form has no boundary.', 400, { cause });
  }

  const fields = new Map<string, string>();
  const saveFile = async (file: Readable, name: string): Promise<Received> => {
    const hash = createHash('sha256');
    let bytes = 0;
    const meter = new Transform({
      transform(piece: Buffer, _encoding, done) {
        bytes += piece.length;
        if (bytes > maxBytes) {
          done(tooLargeError(maxBytes));
          return;
        }
        hash.update(piece);
        done(null, piece);
      },
    });
    await pipeline(file, meter, createWriteStream(path));
    return { name, bytes, sha256: hash.digest('hex'), fields };
  };

  const saves: { readonly file: Readable; readonly done: Promise<Received> }[] = [];
  // Does not use `pipeline` for the request: on an error it would close the socket before the response
  // is sent.
  const { promise: formRead, resolve, reject } = Promise.withResolvers<void>();
  const startTimer = () => setTimeout(() => reject(stalledError(stallMs)), stallMs);
  let timer = startTimer();
  const onData = () => {
    clearTimeout(timer);
    timer = startTimer();
  };
  const onClose = () => {
    if (!request.complete) reject(new Error('the client went away'));
  };
  form.on('file', (name, file, fileName) => {
    if (name !== field || saves.length) {
      // A discarded part may also be truncated.
      file.on('error', (cause: unknown) => reject(brokenForm(cause)));
      file.resume();
      return;
    }
    const done = saveFile(file, nameOf(fileName));
    done.catch(reject);
    saves.push({ file, done });
  });
  form.on('field', (name: string, value: string) => {
    if (!fields.has(name)) fields.set(name, value);
  });
  form.on('finish', resolve);
  form.on('error', (cause: unknown) => reject(brokenForm(cause)));
  request.on('close', onClose);
  request.on('data', onData);
  request.pipe(form);
  try {
    await formRead;
    const [save] = saves;
    if (!save) throw required();
    return await save.done;
  } catch (error) {
    request.unpipe(form);
    form.destroy();
    for (const { file, done } of saves) {
      file.destroy();
      // Must be closed before the caller removes the file.
      await done.catch(() => undefined);
    }
    throw error;
  } finally {
    clearTimeout(timer);
    request.off('data', onData);
    request.off('close', onClose);
  }
}
