import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { assertWritable } from '../main/core/files/folders.ts';
import { unlessAborted } from '../main/core/clock.ts';
import { AppError } from '../shared/errors.ts';
import type { Voice } from '../shared/schemas/voice.ts';
import type { Invocation } from './args.ts';
import type { Session } from './session.ts';
import { UserError } from './errors.ts';

type CommandContext = Pick<Invocation, 'messages' | 'signal'>;

/** Creates the output folders and test-writes to each before anything is sent, so that no result is paid for and then lost. */
export async function prepareOutputFolders(
  folders: readonly string[],
  { messages: { cli }, signal }: CommandContext,
): Promise<void> {
  for (const folder of folders) {
    try {
      await unlessAborted(assertWritable(folder), signal);
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('output/')) throw error;
      throw new UserError('output/not-writable', cli.folderTakesNothing({ path: folder }));
    }
  }
}

/** The absolute path of an existing folder. Throws `watch/missing` or `watch/not-a-folder`. */
export async function resolveFolder(
  path: string,
  { messages: { cli } }: Pick<CommandContext, 'messages'>,
): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UserError('watch/missing', cli.noFolder({ path }));
  if (!found.isDirectory()) throw new UserError('watch/not-a-folder', cli.notAFolder({ path }));
  return resolve(path);
}

/** Finds a voice by id. Throws `voice/not-found` with the id as typed. */
export async function resolveVoice(
  { core, connectionId, name }: Session,
  voiceId: string,
  { messages, signal }: CommandContext,
): Promise<Voice> {
  try {
    return await unlessAborted(core.voices.get(connectionId, voiceId), signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'voice/not-found') throw error;
    throw new UserError(error.code, messages.cli.noVoice({ id: voiceId, name }));
  }
}
