import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '../main/core/clock.ts';
import { type DataPlace, ownDataPlace } from '../main/core/data-folder.ts';
import { createLog, type Log, logLevelOf } from '../main/core/diagnostics/log.ts';
import { errnoOf, isDiskFull, outputError } from '../main/core/files/errno.ts';
import { makeFolder } from '../main/core/files/folders.ts';
import { openPortableData } from '../main/core/portable.ts';
import { AppError } from '../shared/errors.ts';
import { loadCliMessages, type CliMessages } from '../shared/messages/cli.ts';
import { defaultSettings } from '../shared/schemas/settings.ts';
import { hasBusyWorkers } from '../sound/worker-pool.ts';
import { isDebugging, type ParsedLine, parseLine, type Program, scanLine, type ScannedLine } from './args.ts';
import { exitCodeOf, exitCodes, errorText, isCurrentFolderGone, toAppError } from './errors.ts';
import { helpLines, helpOf, manPage } from './help.ts';
import { assertArguments } from './resolve-arguments.ts';
import { handleSignals } from './signals.ts';
import { createOutput, type Output } from './output.ts';
import { commandSettings, formatLocaleOf, languageOf } from './command-settings.ts';

/** Exit code after a closed pipe, as shells report it: 128 + SIGPIPE. */
const pipeClosed = 141;

/** A terminal that was closed reports EIO; so does a file on a disk that fails. */
function isReaderGone(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EPIPE' || code === 'EOF' || (code === 'EIO' && process.stdout.isTTY);
}

/** package.json is two folders above the entry, both in the source tree and in a package. */
async function readVersion(entryFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(entryFolder, '../../package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

async function printVersion(output: Output, entryFolder: string): Promise<void> {
  const version = await readVersion(entryFolder);
  output.print(`timbre ${version}`);
  output.event({ event: 'result', version });
}

function printHelp({ of }: Extract<ParsedLine, { kind: 'help' }>, output: Output, messages: CliMessages): void {
  const lines = of === null ? helpLines(messages) : helpOf(of, messages);
  for (const line of lines) output.print(line, /^\S.*:$/.test(line) ? 'strong' : undefined);
  output.event({ event: 'result', help: lines.join('\n') });
}

/**
 * `process.exit` waits for threads blocked in a file system or DNS call. If one may hang, the process kills itself
 * with the signal instead.
 */
function endAtOnce(signal: NodeJS.Signals): void {
  const resources = process.getActiveResourcesInfo();
  const mayHang = hasBusyWorkers() || resources.some((resource) => /Req(Callback|Promise|Wrap)$/.test(resource));
  // In Electron, `exit` returns.
  if (!mayHang) {
    // The command may be over while something it started is not.
    process.exit(process.exitCode ?? exitCodes.cancelled);
  } else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

interface ErrorContext {
  readonly log: Log;
  readonly output: Output;
  readonly messages: CliMessages;
  readonly dataFolder: string;
  /** Messages that the user has seen already. */
  readonly reported: ReadonlySet<string>;
}

/** The message of an unexpected error may contain anything, including a token. */
const redactInternal = ({ code }: AppError, message: string, log: Log): string =>
  code === 'internal' ? log.redact(message) : message;

/** Reports the error that ended a command in one sentence, and returns the exit code. */
function reportError(given: unknown, { log, output, messages, dataFolder, reported }: ErrorContext): number {
  const error = toAppError(given, dataFolder, messages);
  const message = redactInternal(error, errorText(messages, error), log);
  if (!reported.has(message)) output.error(message);
  if (error !== given) log.error('command', given);
  output.event({ event: 'error', code: error.code, message });
  return exitCodeOf(error.code);
}

/** Null if its path is relative to the current folder, which was deleted. */
function findDataPlace({ flags }: ScannedLine, entryFolder: string): DataPlace | null {
  const given = flags['data-dir'];
  try {
    if (typeof given === 'string' && given !== '') return { folder: resolve(given), computerFolder: null };
    return ownDataPlace(entryFolder);
  } catch (error) {
    if (!isCurrentFolderGone(error)) throw error;
    return null;
  }
}

async function assertFolder(dataFolder: string): Promise<void> {
  try {
    await makeFolder(dataFolder, 0o700);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    const code = isDiskFull(cause) ? 'output/disk-full' : 'data/unreadable';
    throw new AppError(code, `${dataFolder}: ${String(cause)}`, { cause, facts: { name: dataFolder } });
  }
}

/** Runs a command to its end and returns its exit code. Once for each process, whose signals and streams it takes over. */
export async function runCommandLine(args: readonly string[], program: Program): Promise<number> {
  const { entryFolder } = program;
  const scanned = scanLine(args);
  const { flags: globals } = scanned;
  const systemLocale = Intl.DateTimeFormat().resolvedOptions().locale;
  const formatLocale = formatLocaleOf(process.env, systemLocale);
  const output = createOutput({ json: globals['json'] === true, quiet: globals['quiet'] === true }, process);
  const found = findDataPlace(scanned, entryFolder);
  if (found === null) {
    const { cli } = await loadCliMessages(languageOf(defaultSettings, process.env, systemLocale), formatLocale);
    output.error(cli.noCurrentFolder);
    output.event({ event: 'error', code: 'input/missing', message: cli.noCurrentFolder });
    return exitCodes.input;
  }
  const place = found;
  const { folder: dataFolder } = place;
  const { settings, isBroken } = commandSettings(dataFolder, process.env);
  const messages = await loadCliMessages(languageOf(settings, process.env, systemLocale), formatLocale);
  const log = createLog({
    folder: dataFolder,
    now: systemClock.now,
    level: logLevelOf(process.env),
    echo: (text) => {
      if (isDebugging()) output.trace(text);
    },
  });
  const given = process.env['TIMBRE_TOKEN'];
  // Of a header that was copied whole, the token is the last word.
  if (given) [given, ...given.trim().split(' ').slice(-1)].filter(Boolean).forEach(log.addToken);
  const defects = new Set<string>();
  const errorContext = { log, output, messages, dataFolder, reported: defects };
  const reader = { isGone: false };
  let waitReason: string | null = null;
  /** Why what the command printed is not all there, such as a full disk. */
  let unwritten: unknown;
  /** Exit code after an error that nothing handled. */
  let crashCode: number | undefined;

  const { signal, shutdownSignal, shutDown } = handleSignals(process, {
    end(name) {
      output.status(null);
      endAtOnce(name);
    },
    onSlow(mustEnd) {
      if (waitReason === null && !mustEnd && !reader.isGone) output.error(messages.cli.slowShutdown);
      return waitReason === null;
    },
    onAskedAgain: () => output.error(waitReason ?? messages.cli.slowShutdown),
    after: (ms, work) => void setTimeout(work, ms).unref(),
  });
  process.stdout.on('error', (error) => {
    // The reader may close the pipe early, as `| head` does: end as at SIGTERM.
    if (isReaderGone(error)) reader.isGone = true;
    else unwritten ??= outputError(error, 'stdout');
    shutDown('a closed stdout');
  });
  // Without this listener a closed terminal would crash the command.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    output.status(null);
    if (reader.isGone || crashCode !== undefined) log.error('command', error);
    else process.exitCode = crashCode = reportError(error, errorContext);
    // At once would lose the answers to paid calls in flight.
    shutDown('an error that nothing handled');
  });

  function onDefect(error: unknown): void {
    const known = toAppError(error, dataFolder, messages);
    const message = redactInternal(known, errorText(messages, known), log);
    log.error('command', error);
    if (defects.has(message)) return;
    defects.add(message);
    output.error(message);
  }

  async function execute(line: ParsedLine): Promise<number> {
    if (line.kind === 'help') printHelp(line, output, messages);
    else if (line.kind === 'version') await printVersion(output, entryFolder);
    else if (line.name === 'man')
      for (const each of manPage(messages, await readVersion(entryFolder))) output.print(each);
    else if (line.name !== 'help' && line.name !== 'version') {
      if (isBroken) output.error(messages.cli.brokenSettings({ path: join(dataFolder, 'settings.json') }));
      const isReading = line.name === 'log' || line.name === 'completion';
      // Before settings are read: those of portable data may change.
      const portable = isReading ? null : openPortableData(place);
      if (line.name !== 'doctor' && !isReading) await assertFolder(dataFolder);
      log.debug('command', `timbre ${line.name} ${line.verb}`.trimEnd());
      // Help, and the error in a line, need none of them.
      const { runs } = await import('./commands/index.ts');
      const code = await runs[line.name]({
        ...line,
        output,
        messages,
        settings: portable?.isNew() ? commandSettings(dataFolder, process.env).settings : settings,
        dataFolder,
        portable,
        ...program,
        signal,
        shutdownSignal,
        log,
        onDefect,
        reportWait(sentence) {
          waitReason = sentence;
          if (sentence !== null && !reader.isGone) output.error(sentence);
        },
      });
      return code === exitCodes.done && defects.size > 0 ? exitCodes.other : code;
    }
    return exitCodes.done;
  }

  async function run(): Promise<number> {
    try {
      const line = parseLine(scanned, messages);
      if (line.kind === 'command') assertArguments(line, messages);
      return await execute(line);
    } catch (error) {
      if (reader.isGone || unwritten !== undefined) return exitCodes.other;
      return crashCode ?? reportError(error, errorContext);
    }
  }

  const code = await run();
  // Whether the last lines were written shows only now.
  await new Promise<void>((resolve) => void process.stdout.write('', () => resolve()));
  if (reader.isGone) return pipeClosed;
  if (unwritten === undefined) return crashCode ?? code;
  log.error('command', unwritten);
  output.trace(errorText(messages, toAppError(unwritten, dataFolder, messages)));
  return exitCodes.other;
}
