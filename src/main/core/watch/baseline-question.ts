import type { Scanner, FileDuration } from '../scanner/scanner.ts';
import type { RecordWriter } from './record-writer.ts';
import type { WriteQueue } from './write-queue.ts';
import { lengthOf } from './decisions.ts';
import type { FileStore } from './file-store.ts';
import type { FolderStore } from './folder-store.ts';

/** Asks the user once what to do with the baseline of a folder, showing the number and length of its files. */
interface BaselineQuestion {
  /** A full scan of the folder has ended. */
  onScanned(): void;
  onDurations(files: readonly FileDuration[]): void;
  answer(answer: 'convert' | 'leave'): void;
  stop(): void;
}

interface Dependencies {
  readonly id: string;
  readonly writer: RecordWriter;
  readonly scanner: Pick<Scanner, 'probeDurations' | 'awaitStable'>;
  readonly folders: Pick<FolderStore, 'update'>;
  readonly records: Pick<FileStore, 'listBaseline' | 'updateInPlace'>;
  readonly writeQueue: WriteQueue;
  /** What to do with the baseline: ask the user, or, in a command, the answer given. */
  readonly answer: 'ask' | 'convert' | 'leave';
  isRunning(): boolean;
  onFolder(): void;
  /** Called with true once every file is measured or found not measurable. */
  onMeasured(isMeasured: boolean): void;
}

export function createBaselineQuestion(dependencies: Dependencies): BaselineQuestion {
  const { id, writer, scanner, folders, records, writeQueue, isRunning, onFolder, onMeasured } = dependencies;
  const unmeasured = new Set<string>();
  /** Files are measured once: one that cannot be measured then cannot be later. */
  let measuring: 'none' | 'listing' | 'requested' = 'none';

  const showMeasured = () => onMeasured(measuring === 'requested' && unmeasured.size === 0);

  function measure(): void {
    const isAsking = () => isRunning() && writer.folder().baselineStage === 'asking';
    measuring = 'listing';
    onMeasured(false);
    writer.forEachBaselineBatch(
      (batch) => {
        const paths = batch.filter((record) => record.durationSeconds === null).map((record) => record.path);
        if (paths.length === 0 || !isAsking()) return;
        paths.forEach((path) => unmeasured.add(path));
        scanner.probeDurations(id, paths);
      },
      () => {
        measuring = 'requested';
        showMeasured();
      },
    );
  }

  function answer(choice: 'convert' | 'leave'): void {
    // Last, so that after a crash the user is asked again about the remaining files.
    const end = () => {
      folders.update(id, { baselineStage: 'answered' });
      unmeasured.clear();
      onFolder();
    };
    if (choice === 'leave') {
      writeQueue.add(end);
      return;
    }
    writer.forEachBaselineBatch((batch) => {
      const paths = batch.map(({ path }) => path);
      paths.forEach((path) => writer.recheck(path));
      scanner.awaitStable(id, paths);
    }, end);
  }

  return {
    onScanned() {
      const { baselineStage } = writer.folder();
      if (baselineStage === 'answered') return;
      const hasSome = records.listBaseline(id, -Infinity, 1).length > 0;
      // The user is still asked about files that are absent for a while.
      const isAsked = hasSome || (baselineStage === 'asking' && dependencies.answer === 'ask');
      const stage = isAsked ? 'asking' : 'answered';
      // `answered` only once all files are handled: the next start continues with the rest.
      if (baselineStage !== stage) folders.update(id, { baselineStage: stage });
      if (!hasSome) return;
      if (dependencies.answer !== 'ask') answer(dependencies.answer);
      else if (measuring === 'none') measure();
    },
    onDurations(files) {
      const { settings } = writer.folder();
      for (const { path, seconds } of files) {
        unmeasured.delete(path);
        records.updateInPlace(id, path, { durationSeconds: lengthOf(path, seconds, settings) });
      }
      showMeasured();
    },
    answer,
    stop() {
      unmeasured.clear();
      measuring = 'none';
    },
  };
}
