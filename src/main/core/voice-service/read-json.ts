import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { HttpReply } from './http.ts';
import { replyError } from './reply-error.ts';

/** A page of a hundred voices is some 30 kB: what is longer than this is not a reply of this interface. */
const maxReplyBytes = 4 * 1024 * 1024;

async function text(reply: HttpReply): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.chunks()) {
    size += chunk.length;
    if (size > maxReplyBytes) {
      reply.discard();
      throw new AppError('service/not-understood', `a reply of more than ${maxReplyBytes} bytes`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Text for people, which a service may leave out. */
export const openText = v.fallback(v.string(), '');

/** Reads a JSON reply: throws the service's error where it is one, and `service/not-understood` where the schema does not fit. */
export async function readJson<S extends v.GenericSchema>(
  reply: HttpReply,
  schema: S,
  isStatusFixed = false,
): Promise<v.InferOutput<S>> {
  const body = json(await text(reply));
  const error = replyError(reply, body, isStatusFixed);
  if (error) throw error;
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const field = v.getDotPath(parsed.issues[0]) ?? '';
  throw new AppError('service/not-understood', `${field || 'the reply'}: ${parsed.issues[0].message}`, {
    facts: { field },
  });
}

/**
 * The entries of a list that make sense. One that does not never costs the others; where none of them does, the first one's error
 * says why.
 */
export function readEntries<S extends v.GenericSchema, T>(
  entries: readonly unknown[],
  path: string,
  schema: S,
  toEntry: (entry: v.InferOutput<S>) => T,
): readonly T[] {
  let failure: AppError | undefined;
  const read = entries.flatMap((entry) => {
    try {
      const parsed = v.safeParse(schema, entry);
      if (parsed.success) return [toEntry(parsed.output)];
      const field = `${path}.${v.getDotPath(parsed.issues[0]) ?? ''}`;
      throw new AppError('service/not-understood', `${field}: ${parsed.issues[0].message}`, { facts: { field } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure ??= error;
      return [];
    }
  });
  if (failure && read.length === 0) throw failure;
  return read;
}
