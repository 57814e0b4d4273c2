import { text, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { oneOf, wholeNumber } from '../read-flags.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

const defaultLimit = 100;

async function run({ words, flags, output, entryFolder, signal }: Invocation): Promise<ExitCode> {
  const [verb, ...rest] = words;
  if (verb !== 'list' || rest.length > 0) throw usageError('Write "timbre voices list".');
  const { core, connectionId } = await openSession({
    connection: text(flags, 'connection'),
    dataFolder: text(flags, 'data-dir'),
    entryFolder,
  });
  try {
    const page = await core.connections.service(connectionId).listVoices(
      {
        page: wholeNumber(flags, 'page', 0) ?? 0,
        limit: wholeNumber(flags, 'limit', 1, 100) ?? defaultLimit,
        language: text(flags, 'language') ?? '',
        category: text(flags, 'category') ?? '',
        gender: oneOf(flags, 'gender', ['all', 'male', 'female']) ?? '',
      },
      signal,
    );
    const width = Math.max(...page.voices.map(({ id }) => id.length));
    for (const { id, name, language, gender, category } of page.voices) {
      output.say(`${id.padEnd(width)}  ${name}, ${language}, ${gender}, ${category}`);
    }
    output.event({ event: 'result', ...page });
    return exitCodes.done;
  } finally {
    await core.stop();
  }
}

export const voices: Command = {
  usage: 'timbre voices list [--language L] [--gender all|male|female] [--category C] [--page N] [--limit N]',
  purpose: 'show the voices of a connection',
  options: {
    language: { type: 'string' },
    gender: { type: 'string' },
    category: { type: 'string' },
    page: { type: 'string' },
    limit: { type: 'string' },
  },
  run,
};
