import { resolve } from 'node:path';
import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import type { Job } from '../../main/core/jobs/job.ts';
import { unlessAborted } from '../../main/core/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { RepeatChanges } from '../../shared/schemas/history.ts';
import { mustSaveIn } from '../preflight.ts';
import { type FlagSource, type Invocation, mustBeInRange, text } from '../args.ts';
import { conclude, mustBeTaken, readChanges, sayEnded } from '../commands/convert.ts';
import { type ExitCode, UserError, usageError } from '../errors.ts';
import { runJobs } from '../run-jobs.ts';
import { openSession, storedConnection, type Session } from '../session.ts';
import { concludeSpeech, readSpeechChanges } from '../commands/speak.ts';
import { resolveId } from './list.ts';

/** Flags of the same again that only one kind of entry knows. */
const flagsOf: Readonly<Record<Job['kind'], readonly string[]>> = {
  conversion: ['format', 'pitch-control', 'auto-f0'],
  speech: ['language', 'platform'],
};
const other = { conversion: 'speech', speech: 'conversion' } as const;

/** What is to be another than it was. A flag that the entry does not know is refused: it would be passed over in silence. */
function readAgainChanges({ kind }: Job, asked: FlagSource): RepeatChanges {
  const { flags, messages } = asked;
  const stray = flagsOf[other[kind]].find((name) => flags[name] !== undefined);
  if (stray !== undefined) throw usageError(messages.cli.history.again.otherKind[kind](`--${stray}`));
  const out = text(flags, 'out');
  return {
    ...(kind === 'conversion' ? readChanges(asked) : readSpeechChanges(asked)),
    ...(out !== undefined && { outputFolder: resolve(out) }),
  };
}

/**
 * The session with the connection that is named, or with that of the entry: by its id or, of another computer's, by its name. One that is
 * a document is known only where it is given again.
 */
async function sessionOf({ connection }: Job, opened: Session, { flags, messages }: Invocation): Promise<Session> {
  if (text(flags, 'connection') !== undefined) return opened;
  const { core } = opened;
  const { again } = messages.cli.history;
  const all = core.connections.list();
  const found = all.find(({ id }) => id === connection.id) ?? all.find(({ name }) => name === connection.name);
  if (!found) throw new UserError('connection/not-found', again.noConnection(connection.name));
  if (found.id === localConnectionId) return opened;
  const { id, document } = await storedConnection(core, found.id, messages);
  return { core, connectionId: id, name: document.name };
}

/** Says of what is gone what to do about it, where the window has buttons for that. */
function inOurWords(error: unknown, then: Job, { flags, messages }: FlagSource): unknown {
  if (!(error instanceof AppError)) return error;
  const { again } = messages.cli.history;
  switch (error.code) {
    case 'voice/not-found':
    case 'voice/missing':
      return new UserError(error.code, again.noVoice(text(flags, 'voice') ?? then.voice.name));
    case 'input/missing':
      return then.kind === 'conversion' ? new UserError(error.code, again.noSource(then.source.path)) : error;
    default:
      return error;
  }
}

/**
 * `timbre history again ID`: the job of an entry once more, with the request as it was stored or with what the flags change. It is
 * followed to its end like any other.
 */
export async function makeAgain(given: string, invocation: Invocation): Promise<ExitCode> {
  const { output, messages, signal } = invocation;
  let message: string | null = null;
  const opened = await openSession(invocation, { onSpoken: (said) => void (message = said) });
  const { core } = opened;
  try {
    const { history, historyFiles } = await core.data();
    const { job: then } = history.detail(resolveId(history, given, messages));
    const session = await sessionOf(then, opened, invocation);
    const changes = { ...readAgainChanges(then, invocation), connectionId: session.connectionId };
    const { document } = core.connections.get(session.connectionId);
    const isLocal = session.connectionId === localConnectionId;
    if (then.kind === 'speech') mustBeInRange(changes, document, invocation, session.name);
    else mustBeTaken(changes, document, isLocal, invocation, session.name);
    if (changes.outputFolder) await mustSaveIn([changes.outputFolder], invocation);
    const { id } = await unlessAborted(historyFiles.resumeOrRepeat(then.id, changes), signal).catch(
      (error: unknown) => {
        throw inOurWords(error, then, invocation);
      },
    );
    return await runJobs(session, [id], invocation, {
      onEnded(job) {
        if (job.kind === 'conversion') sayEnded(job, output, messages);
      },
      conclude({ jobs: [job], end }) {
        if (!job) throw new AppError('job/not-found', `job ${id} is gone`);
        if (job.kind === 'conversion') return conclude([job], end, invocation);
        return concludeSpeech({ job, end, wish: undefined, message }, invocation);
      },
    });
  } finally {
    await core.stop();
  }
}
