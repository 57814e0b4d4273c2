import { basename } from 'node:path';
import { AppError, type Problem } from '../../shared/errors.ts';
import type { Emitters, Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type {
  HistoryDetail,
  HistoryFile,
  HistoryRow,
  LongTaskProgress,
  SelectionRef,
} from '../../shared/schemas/history.ts';
import { isoDay } from '../../shared/text/iso-day.ts';
import type { Clock } from '../core/clock.ts';
import type { Data } from '../core/data.ts';
import { rulesOf } from '../core/database/search-functions.ts';
import type { HistoryEntry } from '../core/history/entries.ts';
import type { HistoryFiles, ImportReport } from '../core/history/history-files.ts';
import type { LongTask } from '../core/events.ts';
import type { History, HistoryRecord } from '../core/history/history.ts';
import { sourceHashOf } from '../core/jobs/job.ts';
import { fileKey } from '../core/recorded-sound.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';
import { rowsInMessage } from './jobs.ts';
import { createLongTasks } from './long-tasks.ts';

/** Ways of files to other programs. */
export interface FileSharing {
  copyText(text: string): Promise<void>;
  /** Puts the files themselves on the clipboard. Throws `history/no-transfer`. */
  copyFiles(paths: readonly string[]): Promise<void>;
  /** Opens the system's menu to share them. Throws `history/no-transfer`. */
  shareFiles(paths: readonly string[]): Promise<void>;
  /** Continues a drag that began in the page with these files. Throws `history/no-drag`. */
  dragFiles(paths: readonly string[]): void;
}

/** What history uses of the desktop. */
export interface HistoryDesktop {
  /** Loads it on first use. */
  fileSharing(): Promise<FileSharing>;
  /** Folder for imported audio. */
  importFolder(): Promise<string>;
  emitProgress(work: LongTaskProgress | null): void;
}

interface HistoryFileDependencies
  extends HistoryDesktop, Pick<Dialogs, 'chooseNewExport' | 'chooseExport' | 'chooseFileOrFolder'> {
  readonly files: () => Promise<HistoryFiles>;
  readonly history: () => Promise<Pick<History, 'update'>>;
  /** Ids of the selected entries; null selects all of history. */
  readonly resolveSelection: (choice: SelectionRef | null) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly places: AllowedPaths;
  settings(): Promise<Pick<SettingsStore, 'get'>>;
}

export type HistoryFileHandlers = Pick<
  Handlers<Contract>['history'],
  | 'getFileStatus'
  | 'update'
  | 'findFile'
  | 'remove'
  | 'undo'
  | 'hasRestorable'
  | 'restoreResults'
  | 'previewRepeat'
  | 'repeat'
  | 'export'
  | 'import'
  | 'cancelTask'
  | 'copyPaths'
  | 'copyFiles'
  | 'share'
  | 'largestResults'
  | 'drag'
>;

/** Each call ends the question before it, and returns the signal of the next one. */
function createQuestions(): () => AbortSignal {
  let current = new AbortController();
  return () => {
    current.abort(new AppError('job/cancelled', 'a later question took its place'));
    current = new AbortController();
    return current.signal;
  };
}

/** Entries that change in about 0.1 s. */
const maxQuickEntries = 500;

const extensions = { list: 'jsonl', sound: 'zip' } as const;

export function createHistoryFileHandlers(dependencies: HistoryFileDependencies): HistoryFileHandlers {
  const { files, history, resolveSelection, clock, signal, places, settings, emitProgress } = dependencies;
  const tasks = createLongTasks({ clock, signal, emitProgress });
  const beginQuestion = createQuestions();
  /** Number of entries per removal or import that can be undone. */
  const undoSizes = new Map<string, number>();
  /** Only large changes report progress and exclude other tasks; small ones are done at once. */
  const runChange = <T>(kind: LongTaskProgress['kind'], count: number, work: (watched: LongTask) => Promise<T>) =>
    count > maxQuickEntries ? tasks.run(kind, work) : work({ signal, onProgress: () => undefined });
  const { chooseNewExport, chooseExport, chooseFileOrFolder, fileSharing, importFolder } = dependencies;
  return {
    getFileStatus: async ({ ids }) => (await files()).fileStatus(ids, signal),
    async findFile({ id, which }) {
      const where = await chooseFileOrFolder();
      if (where === null) return null;
      const { find } = await files();
      return tasks.run('find', (watched) => find(id, which, where, watched));
    },
    async update({ choice, ...mark }) {
      const [ids, { update: markAll }] = await Promise.all([resolveSelection(choice), history()]);
      await runChange('mark', ids.length, (watched) => markAll({ ids }, mark, watched));
    },
    async remove({ choice, withFiles }) {
      const [ids, { remove }] = await Promise.all([resolveSelection(choice), files()]);
      const removal = await runChange('remove', ids.length, (watched) =>
        remove(ids, withFiles, watched.signal, watched.onProgress),
      );
      if (!removal) throw new AppError('job/cancelled', 'a removal was stopped');
      undoSizes.set(removal.undo, removal.entries);
      return removal;
    },
    async undo({ undo }) {
      const { undo: bringBack } = await files();
      await runChange('undo', undoSizes.get(undo) ?? 0, ({ onProgress }) => bringBack(undo, onProgress));
      undoSizes.delete(undo);
    },
    async hasRestorable({ choice }) {
      const question = beginQuestion();
      const { hasRestorable } = await files();
      return hasRestorable(() => resolveSelection(choice), AbortSignal.any([signal, question]));
    },
    async restoreResults({ choice }) {
      const [ids, { restore }] = await Promise.all([resolveSelection(choice), files()]);
      return tasks.run('restore', (watched) => restore(ids, watched));
    },
    async previewRepeat({ choice, changes }) {
      return (await files()).previewRepeat(await resolveSelection(choice), changes);
    },
    async repeat({ choice, changes }) {
      places.assertAllowed(changes?.outputFolder ?? null, [(await settings()).get().outputFolder]);
      return (await files()).repeat(await resolveSelection(choice), changes);
    },
    async export({ choice, what }) {
      // Resolved before the dialog opens, which may stay open for long.
      const ids = await resolveSelection(choice);
      const target = await chooseNewExport(`Timbre ${isoDay(new Date(clock.now()))}.${extensions[what]}`);
      if (target === null) return null;
      const { exportTo } = await files();
      // The dialog has asked before an existing file was chosen.
      return tasks.run('export', (watched) => exportTo(target, ids, what, 'replace', watched));
    },
    async import() {
      const path = await chooseExport();
      if (path === null) return null;
      const { importFrom } = await files();
      const folder = await importFolder();
      let report: ImportReport | undefined;
      let [isStopped, problem]: [boolean, Problem | null] = [false, null];
      try {
        const done = await tasks.run('import', (watched) =>
          importFrom(path, folder, watched, (last) => (report = last)),
        );
        isStopped = done === null;
      } catch (error) {
        if (!report?.undo || !(error instanceof AppError)) throw error;
        ({ problem } = error);
      }
      if (!report || (isStopped && report.undo === null)) return null;
      if (report.undo !== null) undoSizes.set(report.undo, report.added + report.broughtBack);
      return { ...report, isStopped, problem };
    },
    cancelTask: tasks.stop,
    largestResults: async () => (await files()).largestResults(signal),
    async copyPaths({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length === 0) return { paths: 0 };
      await (await fileSharing()).copyText(paths.join('\n'));
      return { paths: paths.length };
    },
    async copyFiles({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length > 0) await (await fileSharing()).copyFiles(paths);
      return { files: paths.length };
    },
    async share({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length === 0) throw new AppError('input/missing', 'no file is there to be shared');
      await (await fileSharing()).shareFiles(paths);
    },
    async drag({ ids }) {
      const paths = await (await files()).results(ids);
      if (paths.length === 0) throw new AppError('input/missing', 'no file is there to be dragged');
      (await fileSharing()).dragFiles(paths);
      return { names: paths.map((path) => basename(path)) };
    },
  };
}

/** Maximum length of a text on the page. */
const maxTextLength = 20_000;

/** An entry for the page: names and keys instead of paths. */
function toHistoryRow(entry: HistoryEntry): HistoryRow {
  const { id, kind, state, endedAt, name, voice, durationSeconds, sourcePath, resultPath } = entry;
  const { isExamined, isWatched, isFavourite, tags, problem } = entry;
  return {
    id,
    kind,
    state,
    endedAt,
    name,
    voice,
    durationSeconds,
    sourceMedia: kind === 'conversion' && sourcePath !== null && isExamined ? fileKey(sourcePath) : null,
    resultMedia: resultPath === null ? null : fileKey(resultPath),
    isWatched,
    isFavourite,
    tags,
    problem,
  };
}

function fileAt(path: string, sizeBytes: number | null, sha256: string | null): HistoryFile {
  const rules = rulesOf(path);
  return { name: rules.basename(path), folder: rules.dirname(path), sizeBytes, sha256 };
}

/** Details of an entry for the page, without the result's URL, which may be signed. */
function toHistoryDetail({ entry, job, watchFolder, others }: HistoryRecord): HistoryDetail {
  const { finished, source } = job;
  return {
    row: toHistoryRow(entry),
    source: source && fileAt(source.path, source.snapshot?.sizeBytes ?? null, sourceHashOf(job) ?? null),
    result:
      entry.resultPath === null
        ? null
        : fileAt(entry.resultPath, finished?.sizeBytes ?? null, finished?.sha256 ?? null),
    text: job.kind === 'speech' ? job.text.slice(0, maxTextLength).toWellFormed() : null,
    connectionId: job.connection.id,
    connectionName: job.connection.name,
    settings: job.settings,
    outputFolder: job.target.folder,
    outputFormat: job.outputFormat,
    taskId: job.kind === 'conversion' ? job.taskId : null,
    attempts: job.attempts,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    timings: job.timings,
    processingTime: job.processingTime,
    watchFolder,
    others: others.map(toHistoryRow),
  };
}

interface HistoryDependencies extends Pick<Dialogs, 'chooseNewExport'> {
  data(): Promise<Pick<Data, 'history' | 'statistics' | 'signal'>>;
  readonly clock: Pick<Clock, 'now'>;
}

type HistoryQueryHandlers = Omit<Handlers<Contract>['history'], keyof HistoryFileHandlers>;

export function createHistoryHandlers({ data, chooseNewExport, clock }: HistoryDependencies): HistoryQueryHandlers {
  const history = async () => (await data()).history;
  const beginQuestion = createQuestions();
  return {
    async search({ text }) {
      const { entries, ...page } = (await history()).search(text);
      return { ...page, rows: entries.map(toHistoryRow) };
    },
    rows: async ({ list, from, count }) => (await history()).rows(list, from, count).map(toHistoryRow),
    suggest: async ({ text, caret }) => (await history()).suggest(text, caret),
    detail: async ({ id }) => toHistoryDetail((await history()).detail(id)),
    tags: async () => (await history()).tags(),
    async statistics(query) {
      const question = beginQuestion();
      return (await data()).statistics.read(query, question);
    },
    async exportStatistics({ table, ...query }) {
      const target = await chooseNewExport(`Timbre statistics ${isoDay(new Date(clock.now()))}.csv`);
      if (target === null) return null;
      const { statistics, signal } = await data();
      await statistics.saveTable(target, query, table, signal);
      return basename(target);
    },
  };
}

/** Sends counted lists and changed entries to the page until history stops. */
export function emitHistoryChanges(
  history: Pick<History, 'onListed' | 'onChanged' | 'getAll'>,
  emit: Pick<Emitters<Contract>['history'], 'listCounted' | 'changed'>,
): void {
  history.onListed(emit.listCounted);
  history.onChanged(({ ids, isStale }) => {
    const rows = history.getAll(ids).map(toHistoryRow);
    if (rows.length > 0 || isStale) emit.changed({ upserted: rows.slice(0, rowsInMessage), isStale });
    for (let start = rowsInMessage; start < rows.length; start += rowsInMessage) {
      emit.changed({ upserted: rows.slice(start, start + rowsInMessage), isStale: false });
    }
  });
}
