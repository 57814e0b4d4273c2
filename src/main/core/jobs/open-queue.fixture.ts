import { openDatabase } from '../database/database.ts';
import { createQueue, type Queue, type QueueDependencies } from './queue.ts';

/** Opens the data folder's queue, and its database with it. It stands still until its runner is started. Errors as of `openDatabase`. */
export async function openQueue(dependencies: QueueDependencies): Promise<Queue> {
  const database = await openDatabase(dependencies.dataFolder);
  try {
    const queue = createQueue(database, dependencies);
    return {
      ...queue,
      async stop() {
        await queue.stop();
        if (database.isOpen) database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
