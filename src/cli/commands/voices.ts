import { text, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { oneOf, wholeNumber } from '../read-flags.ts';
import { readVerb } from '../read-verb.ts';
import { openSession, type Session } from '../session.ts';

const defaultLimit = 100;
const usage = [
  'timbre voices list [--language L] [--gender all|male|female] [--category C] [--page N] [--limit N]',
  'timbre voices show ID',
];

function readQuery(invocation: Invocation) {
  const { flags } = invocation;
  return {
    page: wholeNumber(invocation, 'page', 0) ?? 0,
    limit: wholeNumber(invocation, 'limit', 1, 100) ?? defaultLimit,
    language: text(flags, 'language') ?? '',
    category: text(flags, 'category') ?? '',
    gender: oneOf(invocation, 'gender', ['all', 'male', 'female']) ?? '',
  };
}

async function list({ core, connectionId }: Session, query: ReturnType<typeof readQuery>, invocation: Invocation) {
  const { output, messages, signal } = invocation;
  const page = await core.connections.service(connectionId).listVoices(query, signal);
  const width = Math.max(...page.voices.map(({ id }) => id.length));
  for (const { id, name, language, gender, category } of page.voices) {
    output.say(`${id.padEnd(width)}  ${name}, ${language}, ${gender}, ${category}`);
  }
  if (page.voices.length === 0) output.say(messages.cli.connections.noEntries);
  output.event({ event: 'result', ...page });
}

async function show({ core, connectionId }: Session, id: string, { output, signal }: Invocation) {
  const detail = await core.connections.service(connectionId).voiceDetail(id, signal);
  for (const [field, value] of Object.entries(detail)) {
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
    if (text !== '') output.say(`${field}: ${text}`);
  }
  output.event({ event: 'result', ...detail });
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const [verb, id = ''] = readVerb(invocation, usage, { list: [0, 0], show: [1, 1] });
  const query = readQuery(invocation);
  const session = await openSession(invocation);
  try {
    await (verb === 'list' ? list(session, query, invocation) : show(session, id, invocation));
    return exitCodes.done;
  } finally {
    await session.core.stop();
  }
}

export const voices: Command = {
  usage,
  purpose: ({ cli }) => cli.help.voices,
  options: {
    language: { type: 'string' },
    gender: { type: 'string' },
    category: { type: 'string' },
    page: { type: 'string' },
    limit: { type: 'string' },
  },
  run,
};
