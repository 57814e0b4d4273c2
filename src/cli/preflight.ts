import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mustTakeFiles } from '../main/core/files/folders.ts';
import { unlessAborted } from '../main/core/clock.ts';
import { AppError } from '../shared/errors.ts';
import type { Voice } from '../shared/schemas/voice.ts';
import type { Invocation } from './args.ts';
import type { Session } from './session.ts';
import { UserError } from './errors.ts';

type Asked = Pick<Invocation, 'messages' | 'signal'>;

/** Makes the folders for results and writes to each, before anything is sent: what cannot be saved is not asked for. */
export async function mustSaveIn(folders: readonly string[], { messages: { cli }, signal }: Asked): Promise<void> {
  for (const folder of folders) {
    try {
      await unlessAborted(mustTakeFiles(folder), signal);
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('output/')) throw error;
      throw new UserError('output/not-writable', cli.folderTakesNothing(folder));
    }
  }
}

/** The path of a folder that was named and is there. */
export async function namedFolder(word: string, { messages: { cli } }: Pick<Asked, 'messages'>): Promise<string> {
  const seen = await stat(word).catch(() => undefined);
  if (!seen) throw new UserError('watch/missing', cli.noFolder(word));
  if (!seen.isDirectory()) throw new UserError('watch/not-a-folder', cli.notAFolder(word));
  return resolve(word);
}

/** The voice that was named, as it was typed where there is none. */
export async function wantedVoice(
  { core, connectionId, name }: Session,
  voiceId: string,
  { messages, signal }: Asked,
): Promise<Voice> {
  try {
    return await unlessAborted(core.voices.get(connectionId, voiceId), signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'voice/not-found') throw error;
    throw new UserError(error.code, messages.cli.noVoice(voiceId, name));
  }
}
