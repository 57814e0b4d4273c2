import { basename } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Data } from '../core/data.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Dialogs } from './dialogs.ts';

interface Dependencies extends Pick<Dialogs, 'chooseProgram' | 'confirmArguments'> {
  data(): Promise<Pick<Data, 'hooks'>>;
  settings(): Promise<Pick<SettingsStore, 'get' | 'update'>>;
  readonly sample: { readonly path: string };
  /** As in `process.platform`. */
  readonly platform: string;
  /** Portable data may name a program that its user never chose. */
  readonly isPortable: boolean;
}

/**
 * The page never names a program, and its arguments count only once the user has seen them in a system dialog: with
 * an interpreter as the program, they are code.
 */
export function createHookHandlers(dependencies: Dependencies): Handlers<Contract>['hook'] {
  const { data, settings, sample, platform, isPortable, chooseProgram, confirmArguments } = dependencies;
  const hooks = async () => (await data()).hooks;

  return {
    status: async () => (await hooks()).status(),
    async chooseProgram() {
      const program = await chooseProgram();
      if (program === null) return false;
      const { isBatchFile } = await import('../core/hooks/run-program.ts');
      if (isBatchFile(program, platform)) {
        throw new AppError('hook/batch-file', program, { facts: { name: basename(program) } });
      }
      const store = await settings();
      store.update({ hook: { ...store.get().hook, program } });
      (await hooks()).update();
      return true;
    },
    async update({ isOn, args, timeoutSeconds }) {
      const store = await settings();
      const { program, args: before, isOn: wasOn } = store.get().hook;
      if (program === null) throw new AppError('request/invalid', 'no program was chosen');
      const isSame = args.length === before.length && args.every((arg, k) => arg === before[k]);
      const isPlanted = isPortable && isOn && !wasOn;
      const isConfirmed = (isSame && !isPlanted) || (await confirmArguments(program, args));
      const { hook } = store.get();
      // For a program that was chosen meanwhile they could be code.
      const isAllowed = isConfirmed && hook.program === program;
      const allowed = isAllowed ? { isOn, args } : { isOn: isOn && !isPlanted };
      try {
        store.update({ hook: { ...hook, timeoutSeconds, ...allowed } });
      } finally {
        // It applies even if it cannot be stored now.
        (await hooks()).update();
      }
      return isAllowed;
    },
    test: async () => (await hooks()).test(sample.path),
    repeatFailed: async () => (await hooks()).repeatFailed(),
  };
}
