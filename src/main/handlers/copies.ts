import { AppError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Clock } from '../core/clock.ts';
import type { Data } from '../core/data.ts';
import { makeFolder } from '../core/files/folders.ts';
import type { SettingsStore } from '../core/settings.ts';

interface Dependencies {
  data(): Promise<Pick<Data, 'copies'>>;
  settings(): Promise<Pick<SettingsStore, 'get' | 'update'>>;
  readonly clock: Pick<Clock, 'now'>;
  reveal(path: string): void;
}

export function createCopyHandlers({ data, settings, clock, reveal }: Dependencies): Handlers<Contract>['copies'] {
  const copies = async () => (await data()).copies;

  async function countFrom(since: number): Promise<void> {
    const store = await settings();
    store.update({ copies: { ...store.get().copies, since } });
  }

  return {
    status: async () => (await copies()).status(),
    async update(change) {
      const store = await settings();
      const { isOn, since } = store.get().copies;
      // Old results are copied only if the user asks for it.
      try {
        store.update({ copies: { ...change, since: change.isOn && !isOn ? clock.now() : since } });
      } finally {
        // A lower limit makes the room that a full disk lacks for the settings.
        (await copies()).update();
      }
    },
    async copyExisting() {
      await countFrom(0);
      (await copies()).update();
    },
    async removeAll() {
      // The next start does not make them again. A full disk has no room for that until they are gone.
      const removedAt = clock.now();
      const isStored = await countFrom(removedAt).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'data/not-writable') throw error;
          return false;
        },
      );
      await (await copies()).removeAll();
      if (!isStored) await countFrom(removedAt);
    },
    async reveal() {
      const { folder } = await (await copies()).status();
      await makeFolder(folder, 0o700);
      reveal(folder);
    },
  };
}
