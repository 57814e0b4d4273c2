import { basename } from 'node:path';
import * as v from 'valibot';
import { addressOf } from './address.ts';
import { audioForm } from './audio-form.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { openSource } from './open-source.ts';
import { readAhead } from './read-ahead.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, timeoutsOf } from './service-call.ts';

export interface NewModel {
  readonly name: string;
  readonly languageCode: string;
  /** The recording whose voice it gets. */
  readonly path: string;
}

export interface MadeModel {
  readonly modelId: string;
}

const made = v.object({ modelId: v.string() });

/**
 * The engine's one route beyond the interface: makes a person's own voice from a recording, which is streamed and not kept. Only this
 * computer has it. Throws `input/…` where the recording cannot be read, and what the engine says where it is no sound or the name is
 * taken.
 */
export async function createModel(
  http: Http,
  connection: Connection,
  { name, languageCode, path }: NewModel,
  signal: AbortSignal,
): Promise<MadeModel> {
  const access = await connection.access(signal);
  const { convertMs } = connection.document.timeouts;
  const file = await openSource(path);
  try {
    const { size } = await file.stat();
    const { contentType, head, tail } = audioForm({ fileName: basename(path), fields: { name, languageCode } });
    async function* body(): AsyncGenerator<Buffer> {
      yield head;
      yield* readAhead(file, size);
      yield tail;
    }
    const address = addressOf(access.hosts.models || access.hosts.voice, '/local/models');
    const reply = await http.send({
      method: 'POST',
      address,
      headers: {
        ...authorizationOf(connection, access, address),
        'content-type': contentType,
        'content-length': String(head.length + size + tail.length),
      },
      body: body(),
      ...timeoutsOf(connection),
      // The whole recording is listened to before the answer, as for a conversion.
      replyTimeoutMs: convertMs,
      totalTimeoutMs: convertMs,
      signal,
    });
    return await readJson(reply, made);
  } finally {
    await file.close();
  }
}
