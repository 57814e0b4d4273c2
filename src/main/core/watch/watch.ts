import type { Voice } from '../../../shared/wire/voice.ts';
import type { WatchPreview, WatchSettings } from '../../../shared/wire/watch.ts';
import type { PathAnswer } from './explain-path.ts';
import type { LineCounts } from './file-lines.ts';
import type { KeeperState } from './folder-keeper.ts';
import type { FileView } from './to-watched-state.ts';
import type { WatchFolder } from './watch-folder.ts';

/** A folder with all that is known of it just now. */
export interface FolderView extends KeeperState {
  readonly folder: WatchFolder;
  readonly counts: LineCounts;
  readonly minutesToday: number;
  /** What was there before, while nobody has decided about it. */
  readonly existing: { readonly files: number; readonly seconds: number } | null;
}

/** Watched folders: what is in them becomes jobs, once. */
export interface Watch {
  /** Takes up every folder that a window shows. */
  start(): void;
  stop(): Promise<void>;
  folders(): readonly FolderView[];
  folder(id: string): FolderView;
  /**
   * Begins to watch a folder, or gives one other settings: nothing that was converted is converted again for it. Throws `watch/overlaps`
   * and as `placeMarker`.
   */
  save(id: string | null, settings: WatchSettings, voice: Voice): Promise<FolderView>;
  /** As `save`, for a command: its folder is shown in no window. Throws `watch/elsewhere` where another Timbre watches it. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<FolderView>;
  remove(id: string): void;
  setPaused(id: string, isPaused: boolean): void;
  answerExisting(id: string, answer: 'convert' | 'leave'): void;
  files(id: string, before: number | null, only: 'all' | 'attention', limit: number): readonly FileView[];
  file(id: string, path: string): FileView | undefined;
  convert(id: string, paths: readonly string[]): void;
  /** What would be converted. A later preview ends an earlier one. */
  preview(settings: WatchSettings): Promise<WatchPreview>;
  explain(path: string): Promise<PathAnswer>;
  /** Nothing that was told waits to be judged. */
  isRested(): boolean;
  /** Looks over all folders: the machine woke up. */
  rescan(): void;
  onFolder(listener: (id: string) => void): () => void;
  onFile(listener: (file: { readonly id: string; readonly path: string }) => void): () => void;
}
