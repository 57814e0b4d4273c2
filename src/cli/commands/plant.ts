import { isInt64 } from '../../shared/schemas/diagnostics.ts';
import { textFlag, type Run } from '../args.ts';
import { exitCodes, usageError } from '../errors.ts';
import { openSession } from '../session.ts';

/** `timbre plant create`: calls the interface's sample operation, which adds a plant to a plant store. */
export const plant: Run = async (invocation) => {
  const { flags, output, messages, signal } = invocation;
  const id = textFlag(flags, 'id');
  const name = textFlag(flags, 'name');
  if (id === undefined || name === undefined || name === '') throw usageError(messages.cli.usage.plant);
  if (!isInt64(id)) throw usageError(messages.cli.usage.int64({ given: id }));
  const { core, connectionId } = await openSession(invocation);
  try {
    const request = { id, name, tag: textFlag(flags, 'tag') ?? null };
    const plant = await core.connections.service(connectionId).createPlant(request, signal);
    output.print(plant.tag === null ? plant.name : `${plant.name}, ${plant.tag}`);
    output.event({ event: 'result', ...plant });
    return exitCodes.done;
  } finally {
    await core.stop();
  }
};
