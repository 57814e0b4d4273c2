import { opendir, type Dirent } from 'node:fs';

/** Entries that one call to the system gives: a folder of 50,000 files must not keep the loop for longer than this many take. */
const entriesAtOnce = 512;

/**
 * All entries of a folder, told one after the other. Callbacks, because a promise for each name of a hundred thousand costs more than
 * the reading. Rejects as `opendir` does.
 */
export const listFolder = (path: string, onEntry: (entry: Dirent) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    opendir(path, { bufferSize: entriesAtOnce }, (failed, folder) => {
      if (failed) {
        reject(failed);
        return;
      }
      const end = (error: Error | null) =>
        folder.close((notClosed) => {
          if (error ?? notClosed) reject(error ?? notClosed ?? new Error('not closed'));
          else resolve();
        });
      const readOn = () =>
        folder.read((error, entry) => {
          if (error || !entry) {
            end(error);
            return;
          }
          onEntry(entry);
          readOn();
        });
      readOn();
    });
  });
