import type { Contract } from '../../shared/ipc/contract.ts';
import type { Pronunciations } from '../core/speech/pronunciations.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Dialogs } from './dialogs.ts';

interface Dependencies extends Pick<Dialogs, 'chooseLexicon' | 'chooseNewLexicon'> {
  readonly dataFolder: string;
}

export function createPronunciationHandlers({
  dataFolder,
  chooseLexicon,
  chooseNewLexicon,
}: Dependencies): Handlers<Contract>['pronunciations'] {
  let opened: Pronunciations | undefined;
  async function open(): Promise<Pronunciations> {
    const { createPronunciations } = await import('../core/speech/pronunciations.ts');
    return (opened ??= createPronunciations(dataFolder));
  }

  return {
    list: async () => (await open()).list(),
    save: async ({ entry, before }) => (await open()).save(entry, before),
    remove: async (entry) => (await open()).remove(entry),
    async importFile() {
      const path = await chooseLexicon();
      return path === null ? null : (await open()).importFile(path);
    },
    async exportFile({ language }) {
      const path = await chooseNewLexicon(language === '' ? 'Pronunciation.pls' : `Pronunciation ${language}.pls`);
      return path === null ? null : (await open()).exportFile(path, language);
    },
  };
}
