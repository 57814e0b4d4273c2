// Publishes one result in a separate process, which tests kill or disturb. Arguments: folder, job id,
// text, journal file, `keep` or `discard` a result that failed. Each line of the journal is a step, written before its effect.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { inFolder } from './errno.ts';
import { makeFolder } from './folders.ts';
import { openOutput } from './pending-output.ts';

const [folder = '', jobId = '', text = '', journalPath = '', onFailure = 'discard'] = process.argv.slice(2);
const journal = (step: object) => appendFileSync(journalPath, `${JSON.stringify(step)}\n`);

try {
  await inFolder(folder, () => makeFolder(folder));
  const output = await openOutput(folder, jobId);
  try {
    await output.write(Buffer.from(text));
    const finished = await output.finish();
    const path = await output.publish({
      pathFor: (attempt) => join(folder, attempt === 1 ? 'out.wav' : `out (${attempt}).wav`),
      onReserve: (taking, method) => journal({ folder, jobId, path: taking, method, finished }),
    });
    journal({ done: path });
  } catch (error) {
    if (onFailure === 'discard') await output.discard();
    throw error;
  }
} catch (error) {
  journal({ failed: error instanceof AppError ? error.problem : String(error) });
}
