import type { Scanner, MeasuredFile } from '../scanner/scanner.ts';
import type { BatchWriter, WriteQueue } from './batch-writer.ts';
import type { FileStore } from './file-store.ts';
import type { FolderStore } from './folder-store.ts';

/** What was in a folder before it was watched: a person is asked about it once, with its number and length. */
export interface ExistingFiles {
  /** A look over the whole folder has ended. */
  hearScanned(): void;
  takeLengths(files: readonly MeasuredFile[]): void;
  answer(answer: 'convert' | 'leave'): void;
  stop(): void;
}

interface Dependencies {
  readonly id: string;
  readonly desk: BatchWriter;
  readonly eyes: Pick<Scanner, 'measure' | 'awaitStable'>;
  readonly folders: Pick<FolderStore, 'change'>;
  readonly lines: Pick<FileStore, 'leftAlone' | 'touch'>;
  readonly work: WriteQueue;
  /** A command cannot be asked about what was there before. */
  readonly answer: 'ask' | 'convert' | 'leave';
  isRunning(): boolean;
  onFolder(): void;
  /** Whether the lengths of all of them are known, as far as they can be. */
  onMeasured(isMeasured: boolean): void;
}

export function createExistingFiles(dependencies: Dependencies): ExistingFiles {
  const { id, desk, eyes, folders, lines, work, isRunning, onFolder, onMeasured } = dependencies;
  const unmeasured = new Set<string>();
  /** Once is enough: what cannot be measured then cannot be later. */
  let measuring: 'not yet' | 'listing' | 'asked' = 'not yet';

  const showMeasured = () => onMeasured(measuring === 'asked' && unmeasured.size === 0);

  function measure(): void {
    const isAsking = () => isRunning() && desk.folder().existing === 'asking';
    measuring = 'listing';
    onMeasured(false);
    desk.overLeftAlone(
      (some) => {
        const paths = some.filter((line) => line.durationSeconds === null).map((line) => line.path);
        if (paths.length === 0 || !isAsking()) return;
        paths.forEach((path) => unmeasured.add(path));
        eyes.measure(id, paths);
      },
      () => {
        measuring = 'asked';
        showMeasured();
      },
    );
  }

  function answer(given: 'convert' | 'leave'): void {
    // Last: a kill before it asks again about those that are left.
    const end = () => {
      folders.change(id, { existing: 'answered' });
      unmeasured.clear();
      onFolder();
    };
    if (given === 'leave') {
      work.add(end);
      return;
    }
    desk.overLeftAlone((some) => {
      const paths = some.map(({ path }) => path);
      paths.forEach((path) => desk.toGate(path));
      eyes.awaitStable(id, paths);
    }, end);
  }

  return {
    hearScanned() {
      const { existing } = desk.folder();
      if (existing === 'answered') return;
      const hasSome = lines.leftAlone(id, -Infinity, 1).length > 0;
      // A person is still asked about those that are away for a while.
      const isAsked = hasSome || (existing === 'asking' && dependencies.answer === 'ask');
      const stage = isAsked ? 'asking' : 'answered';
      // It is answered when all was taken up: whoever is stopped before goes on with the rest at the next start.
      if (existing !== stage) folders.change(id, { existing: stage });
      if (!hasSome) return;
      if (dependencies.answer !== 'ask') answer(dependencies.answer);
      else if (measuring === 'not yet') measure();
    },
    takeLengths(files) {
      for (const { path, seconds } of files) {
        unmeasured.delete(path);
        lines.touch(id, path, { durationSeconds: seconds });
      }
      showMeasured();
    },
    answer,
    stop() {
      unmeasured.clear();
      measuring = 'not yet';
    },
  };
}
