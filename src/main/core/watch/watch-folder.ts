import type { Voice } from '../../../shared/wire/voice.ts';
import type { WatchSettings } from '../../../shared/wire/watch.ts';
import type { RootIdentity } from './eyes/eyes.ts';

/** How far the question is about the recordings that were in a folder before it was watched. */
export type ExistingStage = 'scanning' | 'asking' | 'answered';

/** A watched folder, as it is kept. */
export interface WatchFolder {
  readonly id: string;
  readonly settings: WatchSettings;
  /** The voice as it was named when the settings were made. */
  readonly voice: Voice;
  readonly identity: RootIdentity;
  /** False for one that a command made: no window shows it. */
  readonly listed: boolean;
  readonly isPaused: boolean;
  readonly existing: ExistingStage;
  readonly createdAt: number;
}
