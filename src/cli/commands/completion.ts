import type { Run } from '../command.ts';
import { shells } from '../command-table.ts';
import { completionOf } from '../completion.ts';
import { exitCodes } from '../exit-code.ts';
import { usageError } from '../usage-error.ts';

export const completion: Run = ({ words: [given = ''], output, messages }) => {
  const shell = shells.find((one) => one === given);
  if (!shell) throw usageError(messages.cli.usage.shell(shells.join(', '), given));
  const script = completionOf(shell, messages);
  for (const line of script.split('\n')) output.say(line);
  output.event({ event: 'result', shell, script });
  return Promise.resolve(exitCodes.done);
};
