import { AppError } from '../../src/shared/errors.ts';
import type { Emitters, Handlers } from '../../src/shared/ipc/define-contract.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import type { Preset, PresetImport } from '../../src/shared/schemas/preset.ts';
import { comparableName } from '../../src/shared/text/comparable-name.ts';

/** Presets in memory. */
export function fakePresets(
  scene: { readonly presets?: readonly Preset[]; readonly presetImport?: PresetImport },
  emit: Emitters<Contract>['presets'],
): Handlers<Contract>['presets'] {
  let presets = scene.presets ?? [];

  function get(id: string): Preset {
    const preset = presets.find((one) => one.id === id);
    if (!preset) throw new AppError('preset/not-found', id);
    return preset;
  }
  function put(preset: Preset): Preset {
    const { id, kind, name } = preset;
    const isTaken = presets.some(
      (one) => one.id !== id && one.kind === kind && comparableName(one.name) === comparableName(name),
    );
    if (isTaken) throw new AppError('preset/name-taken', name, { facts: { name } });
    const isOther = (one: Preset) => one.id !== id;
    const isRival = (one: Preset) =>
      preset.isDefault && one.isDefault && one.kind === kind && one.connectionId === preset.connectionId;
    const others = presets.filter(isOther).map((one) => (isRival(one) ? { ...one, isDefault: false } : one));
    presets = [...others, preset].sort((a, b) => a.name.localeCompare(b.name));
    emit.changed(presets);
    return preset;
  }

  return {
    list: () => presets,
    create: ({ name, content }) => {
      const id = `00000000-0000-4000-8000-${String(presets.length + 1).padStart(12, '0')}`;
      return put({ ...content, id, name, connectionName: content.connectionId, revision: 1, isDefault: false });
    },
    update: ({ id, content }) => {
      const { name, connectionName, revision, isDefault } = get(id);
      return put({ ...content, id, name, connectionName, revision: revision + 1, isDefault });
    },
    rename: ({ id, name }) => put({ ...get(id), name }),
    remove: ({ id }) => {
      presets = presets.filter((one) => one.id !== id);
      emit.changed(presets);
    },
    setDefault: ({ id, isDefault }) => put({ ...get(id), isDefault }),
    exportFile: () => presets.length,
    importFile: () => scene.presetImport ?? null,
  };
}
