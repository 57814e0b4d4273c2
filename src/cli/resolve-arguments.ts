import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { assertWritable } from '../main/core/files/folders.ts';
import { type Clock, systemClock, unlessAborted } from '../main/core/clock.ts';
import { createVoiceFinder } from '../main/core/voices/voice-catalogue.ts';
import { AppError } from '../shared/errors.ts';
import type { CliMessages } from '../shared/messages/cli.ts';
import { localConnectionId } from '../shared/schemas/connection.ts';
import type { Voice } from '../shared/schemas/voice.ts';
import { type Invocation, nearest, type ParsedLine, textFlag } from './args.ts';
import { argumentName, entryOf } from './command-table.ts';
import type { Session } from './session.ts';
import { sentence, usageError, UserError } from './errors.ts';
import { shellWord } from './shell-word.ts';

type CommandContext = Pick<Invocation, 'messages' | 'output' | 'signal'>;
type VoiceContext = Pick<Invocation, 'messages' | 'signal' | 'flags'>;

/** Throws a usage error for an empty argument, and for an output that is no file or folder. */
export function assertArguments(
  { name, verb, args, flags }: Extract<ParsedLine, { kind: 'command' }>,
  { cli: { usage } }: CliMessages,
): void {
  const form = entryOf(name).forms.find((one) => (one.verb ?? '') === verb);
  const index = args.indexOf('');
  if (form && !form.mayBeEmpty && index >= 0)
    throw usageError(usage.emptyArgument({ argument: argumentName(form, index) }));
  if (textFlag(flags, 'out') === '-') throw usageError(usage.outIsStdout);
}

/** A disk that has to spin up answers about then. */
const silentAfterMs = 10_000;

/**
 * Settles as `work` on the disk of a path does, or rejects with the signal's reason on abort. If the disk does not answer, says once
 * that the command waits for it.
 */
export async function untilAnswered<T>(
  path: string,
  work: Promise<T>,
  { messages: { cli }, output, signal }: CommandContext,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<T> {
  const answered = new AbortController();
  clock.sleep(silentAfterMs, answered.signal).then(
    () => {
      const message = cli.diskSilent({ path });
      output.error(message);
      output.event({ event: 'wait', message });
    },
    () => undefined,
  );
  return unlessAborted(work, signal).finally(() => answered.abort());
}

/** Creates the output folders and test-writes to each before anything is sent, so that no result is paid for and then lost. */
export async function prepareOutputFolders(folders: readonly string[], context: CommandContext): Promise<void> {
  for (const folder of folders) {
    try {
      await untilAnswered(folder, assertWritable(folder), context);
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('output/')) throw error;
      throw new UserError('output/not-writable', context.messages.cli.folderTakesNothing({ path: folder }));
    }
  }
}

/** The absolute path of an existing folder. Throws `watch/missing` or `watch/not-a-folder`. */
export async function resolveFolder(path: string, context: CommandContext): Promise<string> {
  const { cli } = context.messages;
  const found = await untilAnswered(
    path,
    stat(path).catch(() => undefined),
    context,
  );
  if (!found) throw new UserError('watch/missing', cli.noFolder({ path }));
  if (!found.isDirectory()) throw new UserError('watch/not-a-folder', cli.notAFolder({ path }));
  return resolve(path);
}

/**
 * The error for a voice that a connection does not have, with the closest of those that it has, and the command that lists them.
 */
export function noVoice(
  { connectionId, name }: Pick<Session, 'connectionId' | 'name'>,
  id: string,
  { messages, flags }: Pick<Invocation, 'messages' | 'flags'>,
  voices: readonly Pick<Voice, 'id' | 'name'>[] = [],
): UserError {
  const { cli } = messages;
  const near = nearest(
    id,
    voices.flatMap((voice) => [voice.id, voice.name]),
  );
  const closest = voices.find((voice) => voice.id === near || voice.name === near);
  // A connection of a file has no name that a command knows.
  const connection = textFlag(flags, 'connection') ?? (connectionId === localConnectionId ? undefined : name);
  const option = connection === undefined ? '' : ` --connection ${shellWord(connection, process.platform)}`;
  const command = `timbre voices list${option}`;
  const text = closest
    ? cli.noVoiceNear({ id, name, near: shellWord(closest.id, process.platform), command })
    : cli.noVoice({ id, name, command });
  return new UserError('voice/not-found', text);
}

/** Finds a voice by id, or by a name that only one has. Throws `voice/not-found` with what was typed. */
export async function resolveVoice(session: Session, given: string, context: VoiceContext): Promise<Voice> {
  const { core, connectionId } = session;
  try {
    return await unlessAborted(core.voices.get(connectionId, given), context.signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'voice/not-found') throw error;
    const { voices } = await unlessAborted(core.voices.listAll(connectionId), context.signal);
    const [voice, ...others] = createVoiceFinder(voices)(given);
    if (!voice) throw noVoice(session, given, context, voices);
    if (others.length === 0) return voice;
    const problem = { code: 'table/several-voices', facts: { name: given } } as const;
    throw new UserError('voice/not-found', sentence(context.messages, problem));
  }
}

/**
 * Like `resolveVoice`, for `--dry-run`: if the service does not answer, the user is told so, and the dry run goes on with null.
 */
export async function checkVoice(
  session: Session,
  given: string,
  { messages, output, signal, flags }: VoiceContext & Pick<Invocation, 'output'>,
): Promise<Voice | null> {
  try {
    return await resolveVoice(session, given, { messages, signal, flags });
  } catch (error) {
    if (!(error instanceof AppError) || error.code.startsWith('voice/')) throw error;
    const { cli, format } = messages;
    output.error(format.sentences(cli.voiceUnchecked({ id: given }), sentence(messages, error.problem)));
    return null;
  }
}
