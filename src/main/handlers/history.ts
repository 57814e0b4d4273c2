import { basename } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc/contract-types.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { SelectionRef, LongTaskProgress } from '../../shared/schemas/history.ts';
import type { Clock } from '../core/clock.ts';
import type { Data } from '../core/data.ts';
import type { HistoryFiles, LongTask } from '../core/history/history-files.ts';
import type { History } from '../core/history/history.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Places } from './given-paths.ts';
import { toHistoryDetail, toHistoryRow } from './history-view.ts';

/** Work on history that takes a while: one at a time, told as it goes on, and ended where a person wishes it. */
export interface HistoryWorks {
  /** Null where it was stopped. Throws `history/busy` while there is other work. */
  run<T>(kind: LongTaskProgress['kind'], work: (watched: LongTask) => Promise<T>): Promise<T | null>;
  /** Resolves when nothing is under way any more: true where something was ended before it was done. */
  stop(): Promise<boolean>;
}

interface Dependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  tell(work: LongTaskProgress | null): void;
}

/** A bar that moves ten times a second seems to move all the time. */
const tellEveryMs = 100;

export function createHistoryWorks({ clock, signal, tell }: Dependencies): HistoryWorks {
  let current: { readonly stopping: AbortController; readonly isStopped: Promise<boolean> } | null = null;

  return {
    async run(kind, work) {
      if (current) throw new AppError('history/busy', `no ${kind} while there is other work`);
      const stopping = new AbortController();
      const { promise: isStopped, resolve: end } = Promise.withResolvers<boolean>();
      current = { stopping, isStopped };
      let toldAt = clock.now();
      let hasStopped = false;
      tell({ kind, share: kind === 'find' ? null : 0, count: 0 });
      try {
        return await work({
          signal: AbortSignal.any([signal, stopping.signal]),
          onProgress(progress) {
            if (clock.now() - toldAt < tellEveryMs) return;
            toldAt = clock.now();
            tell({ kind, ...progress });
          },
        });
      } catch (error) {
        hasStopped = stopping.signal.aborted;
        if (hasStopped) return null;
        throw error;
      } finally {
        current = null;
        tell(null);
        end(hasStopped);
      }
    },
    async stop() {
      current?.stopping.abort(new AppError('job/cancelled', 'a person has stopped it'));
      return (await current?.isStopped) ?? false;
    },
  };
}

/** What of the desktop the files of history need. Null means that the person thought better of it. */
export interface HistoryDesktop {
  /** Where a new file of this name is to go; the dialog asks before it replaces one. */
  chooseNewExport(name: string): Promise<string | null>;
  chooseExport(): Promise<string | null>;
  chooseFileOrFolder(): Promise<string | null>;
  copyText(text: string): Promise<void>;
  /** Goes on with a drag that began in the page, with these files. Throws `history/no-drag`. */
  dragFiles(paths: readonly string[]): void;
  /** Where sounds go that are imported. */
  importFolder(): Promise<string>;
}

export interface HistoryFileDependencies extends HistoryDesktop {
  readonly files: () => Promise<HistoryFiles>;
  readonly history: () => Promise<Pick<History, 'mark'>>;
  /** Ids of the entries that are meant; null means all of history. */
  readonly choose: (choice: SelectionRef | null) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly places: Places;
  settings(): Promise<Pick<SettingsStore, 'get'>>;
  tellWork(work: LongTaskProgress | null): void;
}

export type HistoryFileHandlers = Pick<
  Handlers<Contract>['history'],
  'look' | 'mark' | 'find' | 'remove' | 'undo' | 'again' | 'exportTo' | 'importFrom' | 'stop' | 'copyPaths' | 'drag'
>;

/** As many as are changed in about a tenth of a second. */
const fewEntries = 500;

const endings = { list: 'jsonl', sound: 'zip' } as const;

/** The day as it is here, as it is written everywhere. */
const dayOf = (time: number): string => {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

export function createHistoryFileHandlers(dependencies: HistoryFileDependencies): HistoryFileHandlers {
  const { files, history, choose, clock, signal, places, settings, tellWork } = dependencies;
  const works = createHistoryWorks({ clock, signal, tell: tellWork });
  /** How many entries each removal took that can be undone. */
  const removed = new Map<string, number>();
  /** Many entries are work that is told; a few are done before anybody could look, beside whatever else goes on. */
  const change = <T>(kind: LongTaskProgress['kind'], count: number, work: (watched: LongTask) => Promise<T>) =>
    count > fewEntries ? works.run(kind, work) : work({ signal, onProgress: () => undefined });
  const { chooseNewExport, chooseExport, chooseFileOrFolder, copyText, dragFiles, importFolder } = dependencies;
  return {
    look: async ({ ids }) => (await files()).look(ids, signal),
    async find({ id, which }) {
      const where = await chooseFileOrFolder();
      if (where === null) return null;
      const { find } = await files();
      return works.run('find', (watched) => find(id, which, where, watched));
    },
    async mark({ choice, ...mark }) {
      const [ids, { mark: markAll }] = await Promise.all([choose(choice), history()]);
      await change('mark', ids.length, (watched) => markAll({ ids }, mark, watched));
    },
    async remove({ choice, withFiles }) {
      const [ids, { remove }] = await Promise.all([choose(choice), files()]);
      const removal = await change('remove', ids.length, (watched) =>
        remove(ids, withFiles, watched.signal, watched.onProgress),
      );
      if (!removal) throw new AppError('job/cancelled', 'a removal was stopped');
      removed.set(removal.undo, removal.entries);
      return removal;
    },
    async undo({ undo }) {
      const { undo: bringBack } = await files();
      await change('undo', removed.get(undo) ?? 0, ({ onProgress }) => bringBack(undo, onProgress));
      removed.delete(undo);
    },
    async again({ choice, changes }) {
      places.mustBeKnown(changes?.outputFolder ?? null, [(await settings()).get().outputFolder]);
      return (await files()).again(await choose(choice), changes);
    },
    async exportTo({ choice, what }) {
      // As the entries are when they are chosen: the dialog may stand open for long.
      const ids = await choose(choice);
      const target = await chooseNewExport(`Timbre ${dayOf(clock.now())}.${endings[what]}`);
      if (target === null) return null;
      const { exportTo } = await files();
      return works.run('export', (watched) => exportTo(target, ids, what, watched));
    },
    async importFrom() {
      const path = await chooseExport();
      if (path === null) return null;
      const { importFrom } = await files();
      const folder = await importFolder();
      return works.run('import', (watched) => importFrom(path, folder, watched));
    },
    stop: works.stop,
    async copyPaths({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length === 0) return { paths: 0 };
      await copyText(paths.join('\n'));
      return { paths: paths.length };
    },
    async drag({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length === 0) throw new AppError('input/missing', 'no file is there to be dragged');
      dragFiles(paths);
      return { names: paths.map((path) => basename(path)) };
    },
  };
}

interface HistoryDependencies {
  data(): Promise<Pick<Data, 'history'>>;
  readonly media: MediaRegistry;
}

type Answers = Omit<Handlers<Contract>['history'], keyof HistoryFileHandlers>;

export function createHistoryHandlers({ data, media }: HistoryDependencies): Answers {
  const history = async () => (await data()).history;
  return {
    async search({ text }) {
      const { entries, ...page } = (await history()).search(text);
      return { ...page, rows: entries.map((entry) => toHistoryRow(entry, media)) };
    },
    rows: async ({ list, from, count }) =>
      (await history()).rows(list, from, count).map((entry) => toHistoryRow(entry, media)),
    suggest: async ({ text, caret }) => (await history()).suggest(text, caret),
    detail: async ({ id }) => toHistoryDetail((await history()).detail(id), media),
    tags: async () => (await history()).tags(),
  };
}
