import { compactVerify, importJWK } from 'jose';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type ReleaseFile, type ReleaseList, releaseList } from '../../../shared/schemas/release-list.ts';
import { inFolder } from '../files/errno.ts';
import type { Http, HttpReply, HttpRequest } from '../voice-service/http.ts';

/** Where the releases are listed, and the key that signs the list: what a package carries in its `package.json`. */
export interface ReleaseFeed {
  /** An https address; on this computer also http. */
  readonly address: string;
  /** The public Ed25519 key, 32 bytes in base64url. */
  readonly key: string;
}

const feedSchema = v.object({
  updates: v.object({
    feed: v.pipe(
      v.string(),
      v.check((text) => URL.canParse(text)),
    ),
    key: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  }),
});

/** Reads the feed from the content of a `package.json`; null if it names none. */
export function readFeed(manifest: unknown): ReleaseFeed | null {
  const parsed = v.safeParse(feedSchema, manifest);
  if (!parsed.success) return null;
  const { feed, key } = parsed.output.updates;
  return { address: feed, key };
}

const maxListBytes = 1_000_000;
const timeoutMs = 30_000;
/** A list that arrives byte by byte would otherwise keep Timbre from looking again. */
const listTimeoutMs = 60_000;
/** Hosts of releases point to the servers that have the files. */
const maxRedirects = 5;

const invalid = (why: string, cause?: unknown): AppError =>
  new AppError('update/list-invalid', `the list of releases is not valid: ${why}`, { cause });
const failed = (why: string): AppError => new AppError('update/failed', `the update could not be downloaded: ${why}`);

/** Requests a public file. Nothing of the user's is sent, so a redirect may lead anywhere that is safe. */
async function get(
  { send }: Pick<Http, 'send'>,
  from: URL,
  limits: Pick<HttpRequest, 'signal' | 'totalTimeoutMs'>,
): Promise<HttpReply> {
  let url = from;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const reply = await send({
      method: 'GET',
      address: { origin: url.origin, path: url.pathname + url.search },
      headers: { 'cache-control': 'no-cache' },
      connectTimeoutMs: timeoutMs,
      replyTimeoutMs: timeoutMs,
      stallTimeoutMs: timeoutMs,
      ...limits,
    });
    if (reply.status === 200) return reply;
    reply.discard();
    const target = reply.header('location');
    if (reply.status < 300 || reply.status > 399 || target === '' || !URL.canParse(target, url.href))
      throw failed(`status ${reply.status}`);
    url = new URL(target, url);
  }
  throw failed('too many redirects');
}

/** Downloads the signed list. Throws `network/…`, `update/failed`, and `update/list-invalid` if it is longer than any list. */
export async function downloadList(http: Pick<Http, 'send'>, address: string, signal: AbortSignal): Promise<string> {
  const reply = await get(http, new URL(address), { signal, totalTimeoutMs: listTimeoutMs });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.chunks()) {
    bytes += chunk.length;
    if (bytes > maxListBytes) throw invalid('it is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

/** What a release lists of a file, and where it is. */
export interface ListedFile extends Pick<ReleaseFile, 'bytes' | 'sha512'> {
  readonly address: URL;
}

/**
 * Downloads a file of a release to a path at which there is none. Throws `network/…`, `output/…`, and `update/failed` for a file that
 * is not the listed one; what is then at the path is not to be used.
 */
export async function downloadFile(
  http: Pick<Http, 'send'>,
  { address, bytes, sha512 }: ListedFile,
  path: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const reply = await get(http, address, { signal });
  const hash = createHash('sha512');
  let received = 0;
  await inFolder(dirname(path), () =>
    pipeline(
      reply.chunks(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          received += chunk.length;
          if (received > bytes) throw failed('it is longer than the list says');
          hash.update(chunk);
          yield chunk;
          onProgress(received / bytes);
        }
      },
      createWriteStream(path, { flags: 'wx', flush: true }),
    ),
  );
  if (hash.digest('base64') !== sha512) throw failed('it is not the file of the list');
}

/** Reads a list of releases, a JWS in compact form. Throws `update/list-invalid` unless the key signed it and it has the shape of a list. */
export async function verifyList(signed: string, key: string): Promise<ReleaseList> {
  try {
    const publicKey = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: key }, 'EdDSA');
    const { payload } = await compactVerify(signed, publicKey, { algorithms: ['EdDSA'] });
    return v.parse(releaseList, JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch (cause) {
    throw invalid(String(cause), cause);
  }
}
