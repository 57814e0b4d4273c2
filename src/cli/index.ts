import { parseArgs } from 'node:util';
import { AppError } from '../shared/app-error.ts';
import { messagesFor, type Messages } from '../shared/messages/index.ts';
import { usageText, type Command, type Flags } from './command.ts';
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
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.ts';
import { listenToSignals } from './listen-to-signals.ts';
import { createOutput, type Output } from './output.ts';
import { sentenceOf } from './sentence.ts';
import { usageError } from './usage-error.ts';

const commands: Readonly<Record<string, Command>> = {
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
};

const everywhere = {
  connection: { type: 'string' },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function help(output: Output, messages: Messages): ExitCode {
  const { help: told } = messages.cli;
  output.say(`${told.intro}\n`);
  output.say(`timbre\n    ${told.app}`);
  for (const { usage, purpose } of Object.values(commands)) output.say(`${usage.join('\n')}\n    ${purpose(messages)}`);
  output.say(`timbre test\n    ${told.test}\n`);
  output.say(told.everywhere);
  return exitCodes.done;
}

/** What Node says of a wrong flag, in our words. */
function flagFault(error: unknown, { usage }: Command, messages: Messages): AppError {
  const { cli } = messages;
  const forms = usageText(usage, messages);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const flag = error instanceof Error ? /'(-[^'\s]*)/.exec(error.message)?.[1] : undefined;
  if (flag === undefined) return usageError(cli.usage.wrong(forms));
  return usageError(
    (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? cli.usage.unknownFlag : cli.usage.flagValue)(flag, forms),
  );
}

function parse(
  command: Command,
  args: readonly string[],
  messages: Messages,
): { words: readonly string[]; flags: Flags } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { ...command.options, ...everywhere },
      allowPositionals: true,
      allowNegative: true,
    });
    return { words: positionals, flags: values };
  } catch (error) {
    throw flagFault(error, command, messages);
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
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(output, messages);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw usageError(messages.cli.usage.unknownCommand(name));
    const { words, flags } = parse(command, args, messages);
    if (flags['help']) return help(output, messages);
    return await command.run({ words, flags, output, messages, signal, leaving, entryFolder: import.meta.dirname });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = sentenceOf(messages, error);
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
