// A process that opens the database of a data folder, as a start after an update does, and is killed on the way. Argument: the data folder.
import { openDatabase } from '../../../../src/main/core/database/database.ts';
import { withVersion2 } from './version-2.ts';

const tell = (message: 'begins' | 'over') => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const [folder = ''] = process.argv.slice(2);
await tell('begins');
(await openDatabase(folder, withVersion2)).close();
await tell('over');
process.disconnect();
