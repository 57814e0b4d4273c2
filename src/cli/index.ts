import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '../main/core/clock.ts';
import { ownDataFolder } from '../main/core/data-folder.ts';
import { createLog, type Log } from '../main/core/diagnostics/log.ts';
import { errnoOf } from '../main/core/files/errno.ts';
import { makeFolder } from '../main/core/files/folders.ts';
import { AppError } from '../shared/errors.ts';
import { loadMessages, type Messages } from '../shared/messages/index.ts';
import { isDebugging, type Line, parseLine, type Run, scanLine, type Scanned } from './args.ts';
import type { CommandName } from './command-table.ts';
import { completion } from './completion.ts';
import { connections } from './commands/connections.ts';
import { convert } from './commands/convert.ts';
import { doctor } from './commands/doctor.ts';
import { engine } from './commands/engine.ts';
import { history } from './commands/history.ts';
import { models } from './commands/models.ts';
import { plant } from './commands/plant.ts';
import { speak } from './commands/speak.ts';
import { token } from './commands/token.ts';
import { voices } from './commands/voices.ts';
import { watch } from './commands/watch.ts';
import { exitCodeOf, exitCodes, errorText, toAppError } from './errors.ts';
import { helpLines, helpOf, manPage } from './help.ts';
import { listenToSignals } from './session.ts';
import { createOutput, type Output } from './output.ts';
import { commandSettings, languageOf } from './command-settings.ts';

type Own = 'help' | 'version' | 'man';
const runs: Readonly<Record<Exclude<CommandName, Own>, Run>> = {
  convert,
  watch,
  speak,
  history,
  voices,
  models,
  token,
  connections,
  plant,
  engine,
  doctor,
  completion,
};

/** What a shell says of a command whose reader went away: 128 and SIGPIPE. */
const pipeClosed = 141;
const entryFolder = import.meta.dirname;

/** The same from the tree and from a package: two folders above the entry. */
async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(entryFolder, '../../package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

async function tellVersion(output: Output): Promise<void> {
  const version = await readVersion();
  output.say(`timbre ${version}`);
  output.event({ event: 'result', version });
}

function tellHelp({ of }: Extract<Line, { kind: 'help' }>, output: Output, messages: Messages): void {
  const lines = of === null ? helpLines(messages) : helpOf(of, messages);
  for (const line of lines) output.say(line, /^\S.*:$/.test(line) ? 'strong' : undefined);
  output.event({ event: 'result', help: lines.join('\n') });
}

/**
 * Node's exit joins the threads that wait for a file system or a name server. Where one may hang there, the process dies of the signal
 * that it was sent.
 */
function endAtOnce(signal: NodeJS.Signals): void {
  const isHeld = process.getActiveResourcesInfo().some((resource) => /Req(Callback|Promise|Wrap)$/.test(resource));
  if (!isHeld) process.exit(exitCodes.cancelled);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

interface Telling {
  readonly log: Log;
  readonly output: Output;
  readonly messages: Messages;
  readonly dataFolder: string;
}

/** What nobody expected may say anything, a token among it. */
const strikeInternal = ({ code }: AppError, message: string, log: Log): string =>
  code === 'internal' ? log.redact(message) : message;

/** Says what ended a command, once and in a sentence, and returns what it exits with. */
function tellError(given: unknown, { log, output, messages, dataFolder }: Telling): number {
  const error = toAppError(given, dataFolder, messages);
  const message = strikeInternal(error, errorText(messages, error), log);
  output.complain(message);
  if (error !== given) log.write('command', given);
  output.event({ event: 'error', code: error.code, message });
  return exitCodeOf(error.code);
}

function foldersOf({ flags }: Scanned): string {
  const given = flags['data-dir'];
  return typeof given === 'string' && given !== '' ? resolve(given) : ownDataFolder();
}

async function mustHaveFolder(dataFolder: string): Promise<void> {
  try {
    await makeFolder(dataFolder, 0o700);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    throw new AppError('data/unreadable', `${dataFolder}: ${String(cause)}`, { cause, facts: { name: dataFolder } });
  }
}

async function main(args: readonly string[]): Promise<number> {
  const scanned = scanLine(args);
  const { flags: everywhere } = scanned;
  const dataFolder = foldersOf(scanned);
  const { settings, isBroken } = commandSettings(dataFolder, process.env);
  const systemLocale = Intl.DateTimeFormat().resolvedOptions().locale;
  const messages = await loadMessages(languageOf(settings, process.env, systemLocale));
  const output = createOutput({ json: everywhere['json'] === true, quiet: everywhere['quiet'] === true }, process);
  const log = createLog({
    folder: dataFolder,
    now: systemClock.now,
    echo: (text) => {
      if (isDebugging()) output.trace(text);
    },
  });
  const given = process.env['TIMBRE_TOKEN'];
  if (given) log.addToken(given);
  const telling = { log, output, messages, dataFolder };
  const reader = { isGone: false };
  let waitedFor: string | null = null;
  const defects = new Set<string>();

  const { signal, leaving, leave } = listenToSignals(process, {
    end(name) {
      output.status(null);
      endAtOnce(name);
    },
    onSlow(mustEnd) {
      if (waitedFor === null && !mustEnd && !reader.isGone) output.complain(messages.cli.slowEnd);
      return waitedFor === null;
    },
    after: (ms, work) => void setTimeout(work, ms).unref(),
  });
  // Whoever reads us may have read enough, as `| head` has: what is under way ends as it does at SIGTERM.
  process.stdout.on('error', () => {
    reader.isGone = true;
    leave('a closed pipe');
  });
  // A terminal that was closed takes no complaints; what was asked for goes on to its orderly end.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    output.status(null);
    process.exit(reader.isGone ? pipeClosed : tellError(error, telling));
  });

  function onDefect(error: unknown): void {
    const told = toAppError(error, dataFolder, messages);
    const message = strikeInternal(told, errorText(messages, told), log);
    log.write('command', error);
    if (defects.has(message)) return;
    defects.add(message);
    output.complain(message);
  }

  async function perform(line: Line): Promise<number> {
    if (line.kind === 'help') tellHelp(line, output, messages);
    else if (line.kind === 'version') await tellVersion(output);
    else if (line.name === 'man') for (const each of manPage(messages, await readVersion())) output.say(each);
    else if (line.name !== 'help' && line.name !== 'version') {
      if (isBroken) output.complain(messages.cli.brokenSettings(join(dataFolder, 'settings.json')));
      if (line.name !== 'doctor' && line.name !== 'completion') await mustHaveFolder(dataFolder);
      const code = await runs[line.name]({
        ...line,
        output,
        messages,
        settings,
        dataFolder,
        entryFolder,
        signal,
        leaving,
        log,
        onDefect,
        waitsFor(sentence) {
          waitedFor = sentence;
          if (sentence !== null && !reader.isGone) output.complain(sentence);
        },
      });
      return code === exitCodes.done && defects.size > 0 ? exitCodes.other : code;
    }
    return exitCodes.done;
  }

  try {
    const code = await perform(parseLine(scanned, messages));
    return reader.isGone ? pipeClosed : code;
  } catch (error) {
    return reader.isGone ? pipeClosed : tellError(error, telling);
  }
}

process.exitCode = await main(process.argv.slice(2));
