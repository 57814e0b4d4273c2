import { resolve } from 'node:path';
import { localConnectionId } from '../../shared/schemas/connection.ts';
import type { Job } from '../../main/core/jobs/job.ts';
import { unlessAborted } from '../../main/core/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { RepeatChanges } from '../../shared/schemas/history.ts';
import { prepareOutputFolders, resolveVoice } from '../resolve-arguments.ts';
import { type FlagSource, type Invocation, assertInRange, textFlag } from '../args.ts';
import { summarize, assertSupported, readGivenSettings, reportEnd } from '../commands/convert.ts';
import { type ExitCode, UserError, usageError } from '../errors.ts';
import { runJobs } from '../run-jobs.ts';
import { openSession, storedConnection, type Session } from '../session.ts';
import { summarizeSpeech, readGivenSpeechSettings } from '../commands/speak.ts';
import { resolveId } from './list.ts';

/** Flags of `history again` that apply to only one kind of entry. */
const flagsByKind: Readonly<Record<Job['kind'], readonly string[]>> = {
  conversion: ['format', 'pitch-control', 'auto-f0'],
  speech: ['language', 'platform'],
};
const otherKind = { conversion: 'speech', speech: 'conversion' } as const;

/** The changes given as flags. Rejects a flag for the other kind of entry, which would be silently ignored. */
function readRepeatChanges({ kind }: Job, source: FlagSource): RepeatChanges {
  const { flags, messages } = source;
  const stray = flagsByKind[otherKind[kind]].find((name) => flags[name] !== undefined);
  if (stray !== undefined) throw usageError(messages.cli.history.repeat.otherKind[kind]({ flag: `--${stray}` }));
  const out = textFlag(flags, 'out');
  return {
    ...(kind === 'conversion' ? readGivenSettings(source) : readGivenSpeechSettings(source)),
    ...(out !== undefined && { outputFolder: resolve(out) }),
  };
}

/**
 * The session with the connection from `--connection`, otherwise with that of the entry, by id or, for an imported entry,
 * by name. A connection from a document file is unknown unless it is given again.
 */
async function sessionOf({ connection }: Job, opened: Session, { flags, messages }: Invocation): Promise<Session> {
  if (textFlag(flags, 'connection') !== undefined) return opened;
  const { core } = opened;
  const { repeat } = messages.cli.history;
  const all = core.connections.list();
  const found = all.find(({ id }) => id === connection.id) ?? all.find(({ name }) => name === connection.name);
  if (!found) throw new UserError('connection/not-found', repeat.noConnection({ name: connection.name }));
  if (found.id === localConnectionId) return opened;
  const { id, document } = await storedConnection(core, found.id, messages);
  return { core, connectionId: id, name: document.name };
}

/** Replaces errors about a missing voice or file by sentences with a suggestion; the window has buttons instead. */
function explainError(error: unknown, original: Job, { messages }: Pick<FlagSource, 'messages'>): unknown {
  if (!(error instanceof AppError)) return error;
  const { repeat } = messages.cli.history;
  switch (error.code) {
    case 'voice/not-found':
    case 'voice/missing':
      return new UserError(error.code, repeat.noVoice({ name: original.voice.name }));
    case 'input/missing':
      return original.kind === 'conversion'
        ? new UserError(error.code, repeat.noSource({ path: original.source.path }))
        : error;
    default:
      return error;
  }
}

/** `timbre history again ID`: repeats the job of an entry with its stored request and the changes in the flags. */
export async function repeatEntry(given: string, invocation: Invocation): Promise<ExitCode> {
  const { output, messages, signal } = invocation;
  let message: string | null = null;
  const opened = await openSession(invocation, { onSpoken: (spoken) => void (message = spoken) });
  const { core } = opened;
  try {
    const { history, historyFiles } = await core.data();
    const { job: original } = history.detail(resolveId(history, given, messages));
    const session = await sessionOf(original, opened, invocation);
    const flagged = readRepeatChanges(original, invocation);
    const { voiceId = original.voice.id } = flagged;
    // The entry knows its own voice, also offline.
    const voice = voiceId === original.voice.id ? null : await resolveVoice(session, voiceId, invocation);
    const changes = { ...flagged, ...(voice && { voiceId: voice.id }), connectionId: session.connectionId };
    const { document } = core.connections.get(session.connectionId);
    const isLocal = session.connectionId === localConnectionId;
    if (original.kind === 'speech') assertInRange(changes, document, invocation, session.name);
    else assertSupported(changes, document, isLocal, invocation, session.name);
    if (changes.outputFolder) await prepareOutputFolders([changes.outputFolder], invocation);
    const { id } = await unlessAborted(historyFiles.resumeOrRepeat(original.id, changes, signal), signal).catch(
      (error: unknown) => {
        throw explainError(error, original, invocation);
      },
    );
    return await runJobs(session, [id], invocation, {
      onEnded(job) {
        if (job.kind === 'conversion') reportEnd(job, output, messages);
      },
      summarize({ jobs: [job], end }) {
        if (!job) throw new AppError('job/not-found', `job ${id} is gone`);
        if (job.kind === 'conversion') return summarize([job], end, invocation);
        return summarizeSpeech({ job, end, target: undefined, message }, invocation);
      },
    });
  } finally {
    await core.stop();
  }
}
