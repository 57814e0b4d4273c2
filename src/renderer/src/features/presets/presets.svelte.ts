import {
  type Preset,
  type PresetContent,
  type PresetImport,
  type PresetKind,
} from '../../../../shared/schemas/preset.ts';
import { comparableName } from '../../../../shared/text/comparable-name.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** All presets. Each action is undefined if it failed; `problem` then has the reason. */
export class Presets extends ActionState {
  readonly #api: Api['presets'];
  list = $state.raw<readonly Preset[]>([]);
  /** False until `list` is known: before that, no preset counts as removed. */
  isLoaded = $state(false);
  /** The outcome of the last import, until the user has seen it. */
  imported = $state.raw<PresetImport | null>(null);

  constructor(api: Api['presets']) {
    super();
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onChanged((list) => (this.list = list));
  }

  async load(): Promise<void> {
    try {
      this.list = await this.#api.list();
      this.isLoaded = true;
    } catch {
      // Everything else works without presets, and the queue, in the same database, shows why.
    }
  }

  find(kind: PresetKind, id: string): Preset | undefined {
    return this.list.find((preset) => preset.id === id && preset.kind === kind);
  }

  defaultOf(kind: PresetKind, connectionId: string): Preset | undefined {
    return this.list.find((preset) => preset.isDefault && preset.kind === kind && preset.connectionId === connectionId);
  }

  /** Whether another preset than this one has the name; null for a new one. */
  isTaken(kind: PresetKind, name: string, id: string | null): boolean {
    const key = comparableName(name);
    return this.list.some((preset) => preset.kind === kind && preset.id !== id && comparableName(preset.name) === key);
  }

  create(name: string, content: PresetContent): Promise<Preset | undefined> {
    return this.attempt(async () => this.#upsert(await this.#api.create({ name, content })));
  }

  update(id: string, content: PresetContent): Promise<Preset | undefined> {
    return this.attempt(async () => this.#upsert(await this.#api.update({ id, content })));
  }

  rename(id: string, name: string): Promise<Preset | undefined> {
    return this.attempt(async () => this.#upsert(await this.#api.rename({ id, name })));
  }

  /** False if it failed. */
  async remove(id: string): Promise<boolean> {
    await this.attempt(() => this.#api.remove({ id }));
    if (this.problem) return false;
    this.list = this.list.filter((preset) => preset.id !== id);
    return true;
  }

  setDefault(id: string, isDefault: boolean): Promise<Preset | undefined> {
    return this.attempt(() => this.#api.setDefault({ id, isDefault }));
  }

  /** The number of exported presets; undefined also if the user cancelled. */
  /** `onExported` is told how many presets the file has; it is not called if the user chooses none. */
  exportFile(onExported: (count: number) => void): Promise<void> {
    return this.attempt(async () => {
      const count = await this.#api.exportFile();
      if (count !== null) onExported(count);
    });
  }

  importFile(): Promise<void> {
    return this.attempt(async () => void (this.imported = await this.#api.importFile()));
  }

  /** Shows a preset without waiting for main's event. */
  #upsert(preset: Preset): Preset {
    const isKnown = this.list.some(({ id }) => id === preset.id);
    this.list = isKnown ? this.list.map((one) => (one.id === preset.id ? preset : one)) : [...this.list, preset];
    return preset;
  }
}
