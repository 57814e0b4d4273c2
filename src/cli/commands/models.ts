import { pageText } from '../../shared/messages/cli.ts';
import { AppError } from '../../shared/errors.ts';
import { type Invocation, type Run, wholeNumber } from '../args.ts';
import { voicesLimit } from '../command-table.ts';
import { exitCodes, UserError, usageError } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';
import { openSession, type Session } from '../session.ts';

async function list({ core, connectionId }: Session, query: { page: number; limit: number }, invocation: Invocation) {
  const { output, messages, signal } = invocation;
  const { page, pages, total, models: shown } = await core.connections.service(connectionId).listModels(query, signal);
  const width = Math.max(...shown.map(({ voiceId }) => columnsOf(printable(voiceId))));
  for (const { voiceId, name, languageCode, gender, creationDate } of shown) {
    output.print(`${padColumns(printable(voiceId), width)}  ${name}, ${languageCode}, ${gender}, ${creationDate}`);
  }
  if (shown.length === 0) output.print(messages.cli.connections.noEntries);
  if (total > 0) output.info(pageText({ page, pages, shown: shown.length, total }, messages));
  const pagination = { currentPage: page, totalPages: pages, totalItems: total };
  output.event({ event: 'result', models: shown, pagination });
}

async function remove({ core, connectionId, name }: Session, model: string, invocation: Invocation) {
  const { output, messages, signal } = invocation;
  const { modelName, message } = await core.connections
    .service(connectionId)
    .deleteModel(model, signal)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'service/not-found') throw error;
      throw new UserError('voice/not-found', messages.cli.noModel({ model, name }));
    });
  output.print(messages.cli.models.deleted({ name: modelName }));
  if (message !== '') output.print(messages.app.serviceSaid({ words: message }));
  output.event({ event: 'result', modelName, message });
}

export const models: Run = async (invocation) => {
  const { verb, args, flags, messages } = invocation;
  const [name = ''] = args;
  const query = {
    page: wholeNumber(invocation, 'page', 1) ?? 1,
    limit: wholeNumber(invocation, 'limit', 1) ?? voicesLimit,
  };
  const isNameless = name === '' || name === '.' || name === '..' || !name.isWellFormed();
  if (verb === 'delete' && isNameless) throw usageError(messages.cli.models.nameless);
  const session = await openSession(invocation);
  try {
    if (verb === 'delete' && flags['yes'] !== true) {
      throw usageError(messages.cli.models.wouldDelete({ name, connection: session.name }));
    }
    await (verb === 'list' ? list(session, query, invocation) : remove(session, name, invocation));
    return exitCodes.done;
  } finally {
    await session.core.stop();
  }
};
