import { createInterface } from 'node:readline';
import { addAbortSignal, type Readable, Writable } from 'node:stream';
import { systemClock } from '../../main/core/clock.ts';
import { enterToken } from '../../main/core/connections/connection-registry.ts';
import { testConnection } from '../../main/core/connections/test-connection.ts';
import type { Core } from '../../main/core/core.ts';
import type { Connection } from '../../main/core/voice-service/connection.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import { type ConnectionCheck, isToken } from '../../shared/schemas/connection.ts';
import type { Invocation, Run } from '../args.ts';
import { AppError } from '../../shared/errors.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence, UserError, usageError } from '../errors.ts';
import { printable } from '../output.ts';
import { connectionChoice, openCore, openSession, storedConnection } from '../session.ts';

/** One line with the result of an operation's test. */
function checkLine({ operation, outcome, ms, problem, suspect }: ConnectionCheck, messages: CliMessages): string {
  const { cli, format } = messages;
  const { token } = cli;
  const took = outcome === 'not-asked' ? '' : ` (${format.number(Math.round(ms))} ms)`;
  return format.sentences(
    format.sentence(format.labelled(token.operation[operation], `${token.outcome[outcome]}${took}`)),
    problem ? sentence(messages, problem).replaceAll('\n', ' ') : '',
    suspect === null ? '' : token.suspect({ field: suspect }),
  );
}

/** `process.stdin`, or a pipe in a test. */
type SecretInput = Readable & { readonly isTTY?: boolean };

interface Listeners {
  onReady(): void;
  onInterrupt(): void;
}

/** Longer than any token in any encoding. */
const maxPipedLength = 256 * 1024;

/**
 * The line that is piped in, trimmed, with what arrives at once with it: a second line is not lost unnoticed, and nobody has to end the
 * input. Of more than a token can be, only the beginning.
 */
async function readPiped(source: SecretInput, signal: AbortSignal): Promise<string> {
  source.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of addAbortSignal(signal, source) as AsyncIterable<string>) {
      text += chunk;
      if (text.length > maxPipedLength || text.trimStart().includes('\n')) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
  return text.trim();
}

/**
 * Reads a secret from stdin, trimmed; empty if there is none. Of a terminal it is a line, which is not echoed: `onReady` is called once
 * echo is off, and `onInterrupt` on Ctrl-C, which raises no signal in raw mode. Throws the signal's reason when it is aborted.
 */
export async function readSecret(
  source: SecretInput,
  { onReady, onInterrupt }: Listeners,
  signal: AbortSignal,
): Promise<string> {
  if (source.isTTY !== true) return readPiped(source, signal);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: source, output: nowhere, terminal: true, historySize: 0 });
  const stop = () => lines.close();
  signal.addEventListener('abort', stop);
  lines.on('SIGINT', onInterrupt);
  onReady();
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    signal.throwIfAborted();
    return line.trim();
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}

type Action = (core: Core, connection: Connection, invocation: Invocation) => Promise<void>;

async function readToken(name: string, { messages: { cli }, signal }: Invocation): Promise<string> {
  const listeners = {
    // On stderr, because stdout carries the result.
    onReady: () => void (process.stdin.isTTY && process.stderr.write(printable(`${cli.token.prompt({ name })} `))),
    onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  };
  try {
    const token = await readSecret(process.stdin, listeners, signal);
    if (token === '') throw usageError(cli.token.none);
    if (!isToken(token)) throw usageError(cli.token.characters);
    return token;
  } finally {
    if (process.stdin.isTTY) process.stderr.write('\n');
    process.stdin.destroy();
  }
}

/** Rejects a token that could only be kept for the session, since it would be lost when the command ends. */
const set: Action = async (core, connection, invocation) => {
  const { id } = connection;
  const { name } = connection.document;
  const { flags, output, messages } = invocation;
  const { token: texts } = messages.cli;
  const inFile = flags['store-in-file'] === true;
  // Before the user types it.
  if (inFile && !core.secrets.hasFiles) throw new AppError('auth/portable', 'portable data holds no tokens');
  const problem = inFile ? null : await core.secrets.keychainProblem();
  if (problem !== null) throw new UserError('auth/missing', texts.notKept({ why: problem }));
  const secret = await readToken(name, invocation);
  const place = await enterToken(core.secrets, connection, secret, inFile ? 'file' : undefined);
  if (place === 'session')
    throw new UserError('auth/missing', texts.notKept({ why: (await core.secrets.keychainProblem()) ?? '' }));
  // Jobs that waited for a token resume from the same step.
  (await core.queue()).scheduler.resume(id);
  output.print(texts.kept[place]({ name }));
  output.event({ event: 'result', connection: name, place });
};

const clear: Action = async (core, { id, document: { name } }, { output, messages }) => {
  const problem = (await core.secrets.clear(id)) ? null : ((await core.secrets.keychainProblem()) ?? '');
  if (problem === null) output.print(messages.cli.token.cleared({ name }));
  else output.error(messages.cli.token.perhapsThere({ why: problem }));
  output.event({ event: 'result', connection: name, place: null, keychainProblem: problem });
};

async function test(invocation: Invocation): Promise<ExitCode> {
  const { output, messages, signal } = invocation;
  const { core, connectionId } = await openSession(invocation);
  try {
    const service = core.connections.service(connectionId);
    const { firstVoicePage, name } = core.connections.get(connectionId).document;
    const checks = await testConnection({ service, firstVoicePage, clock: systemClock }, signal);
    for (const check of checks) output.print(checkLine(check, messages));
    output.event({ event: 'result', connection: name, checks });
    const failed = checks.find(({ problem }) => problem !== null);
    return failed?.problem ? exitCodeOf(failed.problem.code) : exitCodes.done;
  } finally {
    await core.stop();
  }
}

export const token: Run = async (invocation) => {
  const { verb, flags, messages } = invocation;
  if (flags['connection'] === undefined) throw usageError(messages.cli.usage.nameConnection);
  if (verb === 'test') return test(invocation);
  const choice = connectionChoice(flags);
  if (choice.kind === 'local') throw usageError(messages.cli.token.notHere);
  if (choice.kind === 'file') throw usageError(messages.cli.token.notForFile);
  const core = openCore(invocation);
  try {
    const connection = await storedConnection(core, choice.name, messages);
    await (verb === 'set' ? set : clear)(core, connection, invocation);
    return exitCodes.done;
  } finally {
    await core.stop();
  }
};
