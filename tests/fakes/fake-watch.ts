import { AppError, type Problem } from '../../src/shared/errors.ts';
import type { Emitters, Handlers } from '../../src/shared/ipc/define-contract.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import type { Voice } from '../../src/shared/schemas/voice.ts';
import type { WatchExplanation, WatchedFile, WatchFolderInfo, WatchPreview } from '../../src/shared/schemas/watch.ts';

/** Watched folders and files, the result of a preview, and why a file is not converted. */
export interface WatchScene {
  readonly folders: readonly WatchFolderInfo[];
  readonly files: readonly WatchedFile[];
  readonly preview?: WatchPreview;
  readonly answer?: { readonly path: string; readonly answer: WatchExplanation };
  /** Why a folder cannot be saved. */
  readonly refusal?: Problem;
}

const pageSize = 200;
const nothing: WatchPreview = {
  files: [],
  count: 0,
  texts: 0,
  seconds: 0,
  unmeasured: 0,
  refused: 0,
  ignored: 0,
  links: 0,
};

const needsPerson = ({ state, job }: WatchedFile): boolean =>
  state.kind === 'quarantined' || (state.kind === 'job' && (job?.state === 'failed' || job?.state === 'uncertain'));

/** Watched folders in memory: they change only when the user changes them. */
export function fakeWatch(
  { watch = { folders: [], files: [] }, voices }: { readonly watch?: WatchScene; readonly voices: readonly Voice[] },
  emit: Emitters<Contract>['watch'],
): Handlers<Contract>['watch'] {
  let { folders, files } = watch;
  let order = Math.max(0, ...files.map((file) => file.sortKey));

  function put(id: string, change: Partial<WatchFolderInfo>): void {
    folders = folders.map((folder) => (folder.id === id ? { ...folder, ...change } : folder));
    emit.changed(folders);
  }

  return {
    list: () => folders,
    findFolders: ({ paths }) => paths,
    preview: () => watch.preview ?? nothing,
    save: ({ id, settings }) => {
      if (watch.refusal) throw new AppError(watch.refusal.code, 'told by the scene', { facts: watch.refusal.facts });
      const known = folders.find((folder) => folder.id === id);
      const voice = voices.find((one) => one.id === settings.conversion.voiceId);
      if (!voice) throw new AppError('voice/not-found', settings.conversion.voiceId);
      const folder: WatchFolderInfo = {
        mode: 'watching',
        modeChangedAt: Date.now(),
        problems: [],
        checkedAt: Date.now(),
        scanIntervalSeconds: 60,
        baseline: null,
        recorded: 0,
        incoming: 0,
        attention: 0,
        minutesToday: 0,
        connectionName: 'This computer',
        ...known,
        id: known?.id ?? `made-${folders.length}`,
        name: settings.path.split('/').at(-1) ?? settings.path,
        settings,
        voice,
      };
      folders = known ? folders.map((one) => (one.id === folder.id ? folder : one)) : [...folders, folder];
      emit.changed(folders);
      return folder;
    },
    remove: ({ id }) => {
      folders = folders.filter((folder) => folder.id !== id);
      emit.changed(folders);
    },
    setPaused: ({ id, isPaused }) => put(id, { mode: isPaused ? 'paused' : 'watching', modeChangedAt: Date.now() }),
    answerBaseline: ({ id }) => put(id, { baseline: null }),
    answerPreset: ({ id }) => {
      const known = folders.find((folder) => folder.id === id);
      if (!known) return;
      const { preset, ...settings } = known.settings;
      if (preset) put(id, { settings });
    },
    listFiles: ({ id, before, only }) => {
      const found = files
        .filter((file) => file.folderId === id && (only === 'all' || needsPerson(file)))
        .filter((file) => before === null || file.sortKey < before)
        .sort((a, b) => b.sortKey - a.sortKey);
      const page = found.slice(0, pageSize);
      return { files: page, next: found.length > page.length ? (page.at(-1)?.sortKey ?? null) : null };
    },
    convert: ({ id, paths }) => {
      const now = files.flatMap((file): readonly WatchedFile[] =>
        file.folderId === id && paths.includes(file.path)
          ? [
              {
                ...file,
                sortKey: ++order,
                stateChangedAt: Date.now(),
                state: { kind: 'waiting', wait: { kind: 'turn' } },
                job: null,
              },
            ]
          : [],
      );
      files = [...files.filter((file) => !now.some(({ path }) => path === file.path)), ...now];
      emit.filesChanged({ upserted: now, removed: [] });
    },
    explain: () => watch.answer ?? null,
    reveal: () => undefined,
  };
}
