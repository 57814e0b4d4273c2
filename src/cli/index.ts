import { parseArgs } from 'node:util';
import { AppError } from '../shared/app-error.ts';
import { messagesFor } from '../shared/messages/index.ts';
import type { Command, Flags } from './command.ts';
import { convert } from './commands/convert.ts';
import { engine } from './commands/engine.ts';
import { voices } from './commands/voices.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.ts';
import { listenToSignals } from './listen-to-signals.ts';
import { createOutput, type Output } from './output.ts';
import { sentence } from './sentence.ts';
import { usageError } from './usage-error.ts';

const commands: Readonly<Record<string, Command>> = { convert, voices, engine };

const everywhere = {
  connection: { type: 'string' },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function help(output: Output): ExitCode {
  output.say('Timbre changes the voice of recordings, on this computer or with a web service.\n');
  output.say('timbre\n    open the app');
  for (const { usage, purpose } of Object.values(commands)) output.say(`${usage}\n    ${purpose}`);
  output.say('timbre test\n    run the tests\n');
  output.say('Everywhere: --connection FILE.json (its token in TIMBRE_TOKEN), --data-dir DIR, --json.');
  return exitCodes.done;
}

function parse(command: Command, args: readonly string[]): { words: readonly string[]; flags: Flags } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { ...command.options, ...everywhere },
      allowPositionals: true,
      allowNegative: true,
    });
    return { words: positionals, flags: values };
  } catch (error) {
    throw usageError(`${error instanceof Error ? error.message : String(error)}. Usage: ${command.usage}`);
  }
}

/** LANG and its relatives, best first, as POSIX orders them. */
const systemLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string =>
  (LC_ALL || LC_MESSAGES || LANG || 'en').split('.')[0]?.replace('_', '-') ?? 'en';

async function main([name, ...args]: readonly string[]): Promise<ExitCode> {
  const output = createOutput(args.includes('--json'), process);
  const messages = messagesFor(systemLanguage(process.env));
  const { signal, leaving } = listenToSignals(process, () => output.status(null));
  try {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(output);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw usageError(`There is no command "${name}". "timbre help" lists them.`);
    const { words, flags } = parse(command, args);
    if (flags['help']) return help(output);
    return await command.run({ words, flags, output, messages, signal, leaving, entryFolder: import.meta.dirname });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = sentence(messages, error.problem);
    output.complain(message);
    output.event({ event: 'error', code: error.code, message });
    return exitCodeOf(error.code);
  }
}

// Whoever reads us may have read enough, as `| head` has.
process.stdout.on('error', () => process.exit(exitCodes.other));
// A terminal that was closed takes no complaints; what was asked for goes on to its orderly end.
process.stderr.on('error', () => undefined);

process.exitCode = await main(process.argv.slice(2));
