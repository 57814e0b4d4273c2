import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Core } from '../core/core.ts';
import type { Dialogs } from './dialogs.ts';

const exportName = 'Timbre presets.json';

export function createPresetHandlers({
  data,
  chooseDocument,
  chooseNewDocument,
}: Pick<Core, 'data'> & Pick<Dialogs, 'chooseDocument' | 'chooseNewDocument'>): Handlers<Contract>['presets'] {
  const presets = async () => (await data()).presets;
  const loadFormat = () => import('../core/presets/preset-file.ts');
  return {
    list: async () => (await presets()).list(),
    create: async ({ name, content }) => (await presets()).create(name, content),
    update: async ({ id, content }) => (await presets()).update(id, content),
    rename: async ({ id, name }) => (await presets()).rename(id, name),
    remove: async ({ id }) => (await presets()).remove(id),
    setDefault: async ({ id, isDefault }) => (await presets()).setDefault(id, isDefault),
    async exportFile() {
      const path = await chooseNewDocument(exportName);
      if (path === null) return null;
      const all = (await presets()).list();
      const { replaceText } = await import('../core/files/replace-file.ts');
      await replaceText(path, (await loadFormat()).formatPresets(all));
      return all.length;
    },
    async importFile() {
      const path = await chooseDocument();
      return path === null ? null : (await presets()).importAll(await (await loadFormat()).readPresets(path));
    },
  };
}
