import { isInt64 } from '../../shared/int64.ts';
import { text, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readVerb } from '../read-verb.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

const usage = ['timbre plant create --id INT64 --name S [--tag S]'];

async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, output, messages, signal } = invocation;
  readVerb(invocation, usage, { create: [0, 0] });
  const id = text(flags, 'id');
  const name = text(flags, 'name');
  if (id === undefined || name === undefined || name === '') throw usageError(messages.cli.usage.plant);
  if (!isInt64(id)) throw usageError(messages.cli.usage.int64(id));
  const { core, connectionId } = await openSession(invocation);
  try {
    const asked = { id, name, tag: text(flags, 'tag') ?? null };
    const plant = await core.connections.service(connectionId).createPlant(asked, signal);
    output.say(plant.tag === null ? plant.name : `${plant.name}, ${plant.tag}`);
    output.event({ event: 'result', ...plant });
    return exitCodes.done;
  } finally {
    await core.stop();
  }
}

export const plant: Command = {
  usage,
  purpose: ({ cli }) => cli.help.plant,
  options: { id: { type: 'string' }, name: { type: 'string' }, tag: { type: 'string' } },
  run,
};
