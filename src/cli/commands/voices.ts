import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import { unlessAborted } from '../../main/core/clock.ts';
import { AppError, errorFrom } from '../../shared/errors.ts';
import type { CataloguePage } from '../../shared/schemas/voice.ts';
import { type Invocation, oneOf, type Run, text, wholeNumber } from '../args.ts';
import { voicesLimit } from '../command-table.ts';
import { exitCodes, sentence, UserError } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';
import { openSession, type Session } from '../session.ts';

function readQuery(invocation: Invocation) {
  const { flags } = invocation;
  return {
    page: (wholeNumber(invocation, 'page', 1) ?? 1) - 1,
    limit: wholeNumber(invocation, 'limit', 1, voicesLimit) ?? voicesLimit,
    language: text(flags, 'language') ?? '',
    category: text(flags, 'category') ?? '',
    gender: oneOf(invocation, 'gender', ['all', 'male', 'female']) ?? '',
  };
}

type Query = ReturnType<typeof readQuery>;

/** This computer's voices are never out of reach, and need no copy in a database. */
async function pageOf({ core, connectionId }: Session, query: Query, signal: AbortSignal): Promise<CataloguePage> {
  if (connectionId === localConnectionId || query.gender === 'all') {
    const page = await core.connections.service(connectionId).listVoices(query, signal);
    return { ...page, readAt: Date.now(), problem: null };
  }
  const { gender, ...rest } = query;
  const page = await unlessAborted(core.voices.listPage(connectionId, { ...rest, gender }), signal);
  // A copy stands in for a service that is away. One that refuses the token, say, is told as for every other command.
  const { problem } = page;
  const isAway = problem === null || problem.code.startsWith('network/') || problem.code === 'service/unavailable';
  if (!isAway) throw errorFrom({ ...problem, message: 'the service did not list its voices' });
  return page;
}

async function list(session: Session, query: Query, { output, messages, signal }: Invocation): Promise<void> {
  const { cli, format } = messages;
  const { voices, limit, total, readAt, problem } = await pageOf(session, query, signal);
  if (problem) output.complain(`${sentence(messages, problem)} ${cli.voices.asOf(format.dateTime(readAt))}`);
  const width = Math.max(...voices.map(({ id }) => columnsOf(printable(id))));
  for (const { id, name, language, gender, category } of voices) {
    output.say(`${padColumns(printable(id), width)}  ${name}, ${language}, ${gender}, ${category}`);
  }
  const page = query.page + 1;
  const pages = Math.max(1, Math.ceil(total / Math.max(1, limit)));
  if (voices.length === 0) output.say(cli.connections.noEntries);
  if (total > 0) output.remark(cli.page({ page, pages, shown: voices.length, total }));
  output.event({ event: 'result', page, pages, limit, total, voices, ...(problem && { code: problem.code, readAt }) });
}

async function show({ core, connectionId, name }: Session, id: string, { output, messages, signal }: Invocation) {
  const detail = await core.connections
    .service(connectionId)
    .voiceDetail(id, signal)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'service/not-found') throw error;
      throw new UserError('voice/not-found', messages.cli.noVoice(id, name));
    });
  for (const [field, value] of Object.entries(detail)) {
    const said = Array.isArray(value) ? value.join(', ') : String(value ?? '');
    if (said !== '') output.say(`${field}: ${said}`);
  }
  output.event({ event: 'result', ...detail });
}

export const voices: Run = async (invocation) => {
  const { verb, words } = invocation;
  const query = readQuery(invocation);
  const session = await openSession(invocation);
  try {
    await (verb === 'list' ? list(session, query, invocation) : show(session, words[0] ?? '', invocation));
    return exitCodes.done;
  } finally {
    await session.core.stop();
  }
};
