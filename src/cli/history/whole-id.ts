import type { History } from '../../main/core/history/history.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { ToldError, usageError } from '../usage-error.ts';

/** A beginning that fits more than this names nothing. */
const mostNamed = 5;

/** The one entry whose id begins so. */
export function wholeId(history: Pick<History, 'idsWith'>, beginning: string, { cli }: Messages): string {
  const [id, ...others] = history.idsWith(beginning, mostNamed + 1);
  if (id === undefined) throw new ToldError('job/not-found', cli.history.unknown(beginning));
  if (others.length === 0 || id === beginning.toLowerCase()) return id;
  const all = [id, ...others];
  throw usageError(cli.history.ambiguous(beginning, all.slice(0, mostNamed).join(', '), all.length > mostNamed));
}
