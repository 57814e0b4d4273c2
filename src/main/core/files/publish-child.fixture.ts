// A process of its own that publishes one result as a job does, to be killed or disturbed on the way. Arguments: folder, job id, text,
// file that stands in for the journal. Each line of that file is a step, written before the effect that it names.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { openOutput } from './pending-output.ts';

const [folder = '', jobId = '', text = '', journalPath = ''] = process.argv.slice(2);
const journal = (line: object) => appendFileSync(journalPath, `${JSON.stringify(line)}\n`);

try {
  const output = await openOutput(folder, jobId);
  try {
    await output.write(Buffer.from(text));
    const finished = await output.finish();
    const path = await output.publish({
      pathFor: (attempt) => join(folder, attempt === 1 ? 'out.wav' : `out (${attempt}).wav`),
      onTaking: (taking, how) => journal({ folder, jobId, path: taking, how, finished }),
    });
    journal({ done: path });
  } catch (error) {
    await output.discard();
    throw error;
  }
} catch (error) {
  journal({ failed: error instanceof AppError ? error.problem : String(error) });
}
