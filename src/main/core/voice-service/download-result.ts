import { AppError } from '../../../shared/app-error.ts';
import { resultAddress } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { replyError } from './reply-error.ts';
import { authorizationOf, isOwnHost, timeoutsOf } from './service-call.ts';

export interface Download {
  readonly audioUrl: string;
  /** What is longer is refused: before its first byte where its length is announced. Default 64 GiB. */
  readonly maxBytes?: number;
  write(chunk: Buffer): Promise<void>;
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

/** A day of uncompressed stereo: more than any result, less than any disk. */
const maxResultBytes = 64 * 1024 ** 3;
const gone = new Set([403, 404, 410]);

function declaredLength(header: string): number | null {
  return /^\d+$/.test(header) ? Number(header) : null;
}

/**
 * Fetches a result. Its address may be on another host than the service's: that host gets no credential. Ends only when as many
 * bytes arrived as were announced.
 */
export async function downloadResult(
  http: Http,
  connection: Connection,
  { audioUrl, maxBytes = maxResultBytes, write, onProgress }: Download,
  signal: AbortSignal,
): Promise<void> {
  const access = await connection.access(signal);
  const address = resultAddress(audioUrl, access.hosts.voice);
  const reply = await http.send({
    method: 'GET',
    address,
    headers: isOwnHost(access, address) ? authorizationOf(connection, access, address) : {},
    ...timeoutsOf(connection),
    signal,
  });
  const refuse = (code: 'service/result-gone' | 'service/result-not-audio' | 'service/unavailable') => {
    reply.discard();
    return new AppError(code, `the result answered ${reply.status}`, { facts: { status: reply.status } });
  };
  if (gone.has(reply.status)) throw refuse('service/result-gone');
  const failure = replyError(reply, undefined);
  if (failure) {
    reply.discard();
    throw failure;
  }
  // A part of it, or nothing, although the whole was asked for.
  if (reply.status !== 200) throw refuse('service/unavailable');
  const encoding = reply.header('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw refuse('service/result-not-audio');
  if (/^(text|application\/json)\b/.test(reply.header('content-type'))) throw refuse('service/result-not-audio');

  const total = declaredLength(reply.header('content-length'));
  let received = 0;
  if (total !== null && total > maxBytes) throw refuse('service/result-not-audio');
  onProgress(0, total);
  for await (const chunk of reply.chunks()) {
    received += chunk.length;
    if (received > maxBytes) throw refuse('service/result-not-audio');
    await write(chunk);
    onProgress(received, total);
  }
  if (received === 0 || (total !== null && received !== total)) {
    throw new AppError('service/result-incomplete', `the result ended after ${received} of ${total} bytes`, {
      facts: { actualBytes: received, ...(total !== null && { promisedBytes: total }) },
    });
  }
}
