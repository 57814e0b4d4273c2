// Writes many entries in a separate process. Arguments: folder, name, number of entries.
import { createLog } from './log.ts';

const [folder = '', name = '', count = ''] = process.argv.slice(2);
const log = createLog({ folder, now: Date.now, level: 'debug', echo: () => undefined });
for (let k = 0; k < Number(count); k += 1) log.info(name, String(k), 'x'.repeat(5000));
