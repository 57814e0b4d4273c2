import { usageError } from '../usage-error.ts';
import type { Command, Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../read-flags.ts';
import { readVerb } from '../read-verb.ts';
import { openSession, type Session } from '../session.ts';

const defaultLimit = 100;
const usage = ['timbre models list [--page N] [--limit N]', 'timbre models delete NAME --yes'];

async function list({ core, connectionId }: Session, query: { page: number; limit: number }, invocation: Invocation) {
  const { output, messages, signal } = invocation;
  const page = await core.connections.service(connectionId).listModels(query, signal);
  const width = Math.max(...page.models.map(({ voiceId }) => voiceId.length));
  for (const { voiceId, name, languageCode, gender, creationDate } of page.models) {
    output.say(`${voiceId.padEnd(width)}  ${name}, ${languageCode}, ${gender}, ${creationDate}`);
  }
  output.say(
    page.models.length > 0
      ? messages.cli.models.page(page.page, page.pages, page.total)
      : messages.cli.connections.noEntries,
  );
  const pagination = { currentPage: page.page, totalPages: page.pages, totalItems: page.total };
  output.event({ event: 'result', models: page.models, pagination });
}

async function remove({ core, connectionId }: Session, name: string, { output, messages, signal }: Invocation) {
  const { modelName, message } = await core.connections.service(connectionId).deleteModel(name, signal);
  output.say(messages.cli.models.deleted(modelName));
  if (message !== '') output.say(messages.app.serviceSaid(message));
  output.event({ event: 'result', modelName, message });
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, messages } = invocation;
  const [verb, name = ''] = readVerb(invocation, usage, { list: [0, 0], delete: [1, 1] });
  const query = {
    page: wholeNumber(invocation, 'page', 1) ?? 1,
    limit: wholeNumber(invocation, 'limit', 1) ?? defaultLimit,
  };
  const isNameless = name === '' || name === '.' || name === '..' || !name.isWellFormed();
  if (verb === 'delete' && isNameless) throw usageError(messages.cli.models.nameless);
  const session = await openSession(invocation);
  try {
    if (verb === 'delete' && flags['yes'] !== true) {
      throw usageError(messages.cli.models.wouldDelete(name, session.name));
    }
    await (verb === 'list' ? list(session, query, invocation) : remove(session, name, invocation));
    return exitCodes.done;
  } finally {
    await session.core.stop();
  }
}

export const models: Command = {
  usage,
  purpose: ({ cli }) => cli.help.models,
  options: { page: { type: 'string' }, limit: { type: 'string' }, yes: { type: 'boolean' } },
  run,
};
