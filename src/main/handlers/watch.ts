import { join } from 'node:path';
import { AppError } from '../../shared/app-error.ts';
import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { WatchFolderInfo, WatchSettings } from '../../shared/wire/watch.ts';
import type { Core } from '../core/core.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { FolderView } from '../core/watch/watch.ts';
import type { Places } from './places.ts';
import { toFolderInfo, toWatchedFile } from './watch-views.ts';

/** Any one file; null means that the person thought better of it. */
export interface FileDialog {
  chooseFile(): Promise<string | null>;
}

interface Dependencies extends Pick<Core, 'data' | 'voices' | 'connections'>, FileDialog {
  readonly media: MediaRegistry;
  readonly places: Places;
  reveal(path: string): void;
}

const filesInMessage = 200;

export function createWatchHandlers(dependencies: Dependencies): Handlers<Contract>['watch'] {
  const { data, voices, connections, media, places, chooseFile, reveal } = dependencies;
  const watch = async () => (await data()).watch;
  const info = (view: FolderView): WatchFolderInfo => toFolderInfo(view, connections);

  async function mustKnow({ path, outputFolder }: WatchSettings): Promise<void> {
    const inUse = (await watch())
      .folders()
      .flatMap(({ folder: { settings } }) => [settings.path, settings.outputFolder]);
    for (const place of [path, outputFolder]) places.mustBeKnown(place, inUse);
  }

  return {
    list: async () => (await watch()).folders().map(info),
    async preview({ settings }) {
      await mustKnow(settings);
      return (await watch()).preview(settings);
    },
    async save({ id, settings }) {
      await mustKnow(settings);
      const voice = await voices.voice(settings.connectionId, settings.conversion.voiceId);
      return info(await (await watch()).save(id, settings, voice));
    },
    remove: async ({ id }) => (await watch()).remove(id),
    setPaused: async ({ id, isPaused }) => (await watch()).setPaused(id, isPaused),
    answerExisting: async ({ id, answer }) => (await watch()).answerExisting(id, answer),
    async files({ id, before, only }) {
      const all = await watch();
      const folder = all.folder(id);
      const files = all.files(id, before, only, filesInMessage).map((view) => toWatchedFile(view, folder, media));
      return { files, next: files.length === filesInMessage ? (files.at(-1)?.order ?? null) : null };
    },
    convert: async ({ id, paths }) => (await watch()).convert(id, paths),
    async explain() {
      const path = await chooseFile();
      if (path === null) return null;
      const all = await watch();
      const answer = await all.explain(path);
      if (answer.kind !== 'file') return { path, answer };
      const file = toWatchedFile(answer.view, all.folder(answer.view.line.folderId), media);
      return { path, answer: { ...answer, file } };
    },
    async reveal({ id, path }) {
      const all = await watch();
      const root = all.folder(id).folder.settings.path;
      // Only what is known of the folder: a page must not point anywhere else.
      if (path !== null && !all.file(id, path)) throw new AppError('request/invalid', `${path} is no file of ${root}`);
      reveal(path === null ? root : join(root, path));
    },
  };
}
