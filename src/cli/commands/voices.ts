import { pageText } from '../../shared/messages/cli.ts';
import { localConnectionId } from '../../shared/schemas/connection.ts';
import { unlessAborted } from '../../main/core/clock.ts';
import { AppError, toAppError } from '../../shared/errors.ts';
import type { CataloguePage } from '../../shared/schemas/voice.ts';
import { type Invocation, oneOf, type Run, textFlag, wholeNumber } from '../args.ts';
import { voicesLimit } from '../command-table.ts';
import { exitCodes, sentence } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';
import { noVoice } from '../resolve-arguments.ts';
import { openSession, type Session } from '../session.ts';

function readQuery(invocation: Invocation) {
  const { flags } = invocation;
  return {
    page: (wholeNumber(invocation, 'page', 1) ?? 1) - 1,
    limit: wholeNumber(invocation, 'limit', 1, voicesLimit) ?? voicesLimit,
    language: textFlag(flags, 'language') ?? '',
    category: textFlag(flags, 'category') ?? '',
    gender: oneOf(invocation, 'gender', ['all', 'male', 'female']) ?? '',
  };
}

type Query = ReturnType<typeof readQuery>;

/** Local voices are always available, so they are read directly instead of from the cached copy. */
async function pageOf({ core, connectionId }: Session, query: Query, signal: AbortSignal): Promise<CataloguePage> {
  if (connectionId === localConnectionId || query.gender === 'all') {
    const page = await core.connections.service(connectionId).listVoices(query, signal);
    return { ...page, readAt: Date.now(), problem: null };
  }
  const { gender, ...rest } = query;
  const page = await unlessAborted(core.voices.listPage(connectionId, { ...rest, gender }), signal);
  // The cached copy replaces only an unreachable service. Other problems, such as a rejected token, are errors.
  const { problem } = page;
  const isUsable = problem === null || problem.code.startsWith('network/') || problem.code === 'service/unavailable';
  if (!isUsable) throw toAppError({ ...problem, message: 'the service did not list its voices' });
  return page;
}

async function list(session: Session, query: Query, { output, messages, signal }: Invocation): Promise<void> {
  const { cli, format } = messages;
  const { voices, limit, total, readAt, problem } = await pageOf(session, query, signal);
  if (problem)
    output.error(format.sentences(sentence(messages, problem), cli.voices.asOf({ at: format.dateTime(readAt) })));
  const width = Math.max(...voices.map(({ id }) => columnsOf(printable(id))));
  for (const { id, name, language, gender, category } of voices) {
    output.print(`${padColumns(printable(id), width)}  ${name}, ${language}, ${gender}, ${category}`);
  }
  const page = query.page + 1;
  const pages = Math.max(1, Math.ceil(total / Math.max(1, limit)));
  if (voices.length === 0) output.print(cli.connections.noEntries);
  if (total > 0) output.info(pageText({ page, pages, shown: voices.length, total }, messages));
  output.event({ event: 'result', page, pages, limit, total, voices, ...(problem && { code: problem.code, readAt }) });
}

async function show(session: Session, id: string, invocation: Invocation) {
  const { core, connectionId } = session;
  const { output, signal } = invocation;
  const detail = await core.connections
    .service(connectionId)
    .voiceDetail(id, signal)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'service/not-found') throw error;
      throw noVoice(session, id, invocation);
    });
  for (const [field, value] of Object.entries(detail)) {
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
    if (text !== '') output.print(`${field}: ${text}`);
  }
  output.event({ event: 'result', ...detail });
}

export const voices: Run = async (invocation) => {
  const { verb, args } = invocation;
  const query = readQuery(invocation);
  const session = await openSession(invocation);
  try {
    await (verb === 'list' ? list(session, query, invocation) : show(session, args[0] ?? '', invocation));
    return exitCodes.done;
  } finally {
    await session.core.stop();
  }
};
