import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Updates } from '../core/updates/updates.ts';

export interface UpdateDependencies {
  updates(): Promise<Updates>;
  /** Opens an https address in the browser. */
  openPage(address: string): Promise<void>;
}

export function createUpdateHandlers({ updates, openPage }: UpdateDependencies): Handlers<Contract>['updates'] {
  return {
    status: async () => (await updates()).status(),
    check: async () => (await updates()).check(),
    download: async () => (await updates()).download(),
    install: async () => (await updates()).install(),
    async openPage() {
      const page = (await updates()).page();
      if (page !== null) await openPage(page);
    },
  };
}
