import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, outputError } from '../main/core/files/errno.ts';
import { AppError } from '../shared/errors.ts';
import type { CliMessages } from '../shared/messages/cli.ts';
import { UserError, usageError } from './errors.ts';

/** The error of a file for the user that could not be written: the disk is full, or a sentence that names the file. */
export function notWritten(error: unknown, path: string, { cli }: CliMessages): unknown {
  const known = outputError(error, dirname(path));
  const isNamed = known instanceof AppError && known.code.startsWith('output/') && known.code !== 'output/disk-full';
  return isNamed ? new UserError('output/not-writable', cli.connections.notWritten({ path })) : known;
}

/** Writes a file that the user named and that must not exist yet. If that fails, nothing is left that keeps the next attempt from it. */
export async function writeNewFile(path: string, text: string, messages: CliMessages): Promise<void> {
  let isCreated = false;
  try {
    const file = await open(path, 'wx');
    isCreated = true;
    await file.writeFile(text).finally(() => file.close());
  } catch (error) {
    if (isCreated) await rm(path).catch(() => undefined);
    if (errnoOf(error) === 'EEXIST') throw usageError(messages.cli.connections.exists({ path }));
    throw notWritten(error, path, messages);
  }
}
