import type { ConnectionCheck } from '../../shared/schemas/connection.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { sentence } from '../sentence.ts';

/** One line of what an operation's test came to. */
export function checkLine({ operation, outcome, ms, problem, suspect }: ConnectionCheck, messages: Messages): string {
  const { token } = messages.cli;
  const took = outcome === 'not-asked' ? '' : ` (${messages.format.number(Math.round(ms))} ms)`;
  return [
    `${token.operation[operation]}: ${token.outcome[outcome]}${took}.`,
    problem ? sentence(messages, problem).replaceAll('\n', ' ') : '',
    suspect === null ? '' : token.suspect(suspect),
  ]
    .filter((part) => part !== '')
    .join(' ');
}
