import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { EngineVoice } from '../voice.ts';

const modelSchema = v.object({
  modelId: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  languageCode: v.string(),
  gender: v.picklist(['male', 'female']),
  creationDate: v.string(),
  targetF0Hz: v.number(),
  formantSemitones: v.number(),
});

export type VoiceModel = Readonly<v.InferOutput<typeof modelSchema>>;

/**
 * Stores the user's own voices, one small file each in `<directory>`. Names are unique, because
 * models are deleted by name.
 */
export interface ModelStore {
  /** Newest first. */
  list(): Promise<readonly VoiceModel[]>;
  find(modelId: string): Promise<VoiceModel | undefined>;
  /** Returns undefined if the name is taken. */
  create(model: Omit<VoiceModel, 'modelId' | 'creationDate'>): Promise<VoiceModel | undefined>;
  /** Returns false if there is no model with this name. */
  remove(name: string): Promise<boolean>;
}

export const voiceOfModel = (model: VoiceModel): EngineVoice => ({
  id: model.modelId,
  name: model.name,
  language: model.languageCode,
  gender: model.gender,
  category: 'natural',
  description: 'Made from a recording.',
  targetF0Hz: model.targetF0Hz,
  formantSemitones: model.formantSemitones,
  tiltDb: 0,
  effects: [],
});

export function createModelStore(directory: string, clock: Clock): ModelStore {
  /** Serializes changes: two concurrent creations must not both find a name free. */
  let lastChange: Promise<unknown> = Promise.resolve();
  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    const done = lastChange.then(work);
    lastChange = done.catch(() => undefined);
    return done;
  };
  const pathOf = (modelId: string) => join(directory, `${modelId}.json`);

  async function read(name: string): Promise<VoiceModel | undefined> {
    try {
      const parsed = v.safeParse(modelSchema, JSON.parse(await readFile(join(directory, name), 'utf8')));
      return parsed.success ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  }

  async function list(): Promise<readonly VoiceModel[]> {
    const names = await readdir(directory).catch(() => []);
    const models = await Promise.all(names.filter((name) => name.endsWith('.json')).map(read));
    return models
      .filter((model) => model !== undefined)
      .sort((a, b) => b.creationDate.localeCompare(a.creationDate) || a.modelId.localeCompare(b.modelId));
  }

  async function write(model: VoiceModel): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const part = `${pathOf(model.modelId)}.part`;
    const file = await open(part, 'wx');
    try {
      await file.writeFile(JSON.stringify(model));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, pathOf(model.modelId));
  }

  return {
    list,
    find: async (modelId) => (v.is(modelSchema.entries.modelId, modelId) ? read(`${modelId}.json`) : undefined),
    create: (properties) =>
      serialize(async () => {
        if ((await list()).some(({ name }) => name === properties.name)) return undefined;
        const model = { ...properties, modelId: randomUUID(), creationDate: new Date(clock.now()).toISOString() };
        await write(model);
        return model;
      }),
    remove: (name) =>
      serialize(async () => {
        const model = (await list()).find((one) => one.name === name);
        if (!model) return false;
        await rm(pathOf(model.modelId), { force: true });
        return true;
      }),
  };
}
