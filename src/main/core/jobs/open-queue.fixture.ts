import { openDatabase } from '../database/database.ts';
import { createQueue, type Queue, type QueueDependencies } from './queue.ts';

/** Opens a data folder's queue and its database. Nothing runs until the scheduler is started. Throws like `openDatabase`. */
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
