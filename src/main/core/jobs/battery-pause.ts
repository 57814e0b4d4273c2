import type { PowerSource } from '../../../shared/schemas/app.ts';

/** The pause while the computer runs on battery power. In memory only: the next start asks the system again. */
export interface BatteryPause {
  /** True while no job may go on. Also until the first answer of the system, or a start on battery power would pay first. */
  holds(): boolean;
  /** Since when jobs wait for mains power; null if they do not. */
  since(): number | null;
  /** Null while the system is asked. */
  setPowerSource(source: PowerSource | null): void;
  /** Ends the pause until the source of power changes. */
  continueNow(): void;
}

interface Dependencies {
  /** The user's setting. */
  isWanted(): boolean;
  now(): number;
  onChanged(): void;
}

export function createBatteryPause({ isWanted, now, onChanged }: Dependencies): BatteryPause {
  let source: PowerSource | null = null;
  /** A system that does not answer for a moment is no change. */
  let lastKnown: PowerSource | null = null;
  let isOverridden = false;
  let startedAt: number | null = null;

  return {
    holds: () => isWanted() && (source === null || (source === 'battery' && !isOverridden)),
    since() {
      const isOpen = isWanted() && source === 'battery' && !isOverridden;
      startedAt = isOpen ? (startedAt ?? now()) : null;
      return startedAt;
    },
    setPowerSource(current) {
      source = current;
      if (current !== null && current !== 'unknown' && current !== lastKnown) {
        lastKnown = current;
        isOverridden = false;
      }
      onChanged();
    },
    continueNow() {
      isOverridden = true;
      onChanged();
    },
  };
}
