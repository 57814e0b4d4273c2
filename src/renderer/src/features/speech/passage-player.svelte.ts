import { pauseAfter, type PassageState, type SpeechPauses, usualPauses } from '../../../../shared/schemas/speech.ts';
import type { PreviewSound } from '../voices/preview-player.svelte.ts';

interface Dependencies {
  readonly createSound: () => PreviewSound;
  /** Of the player, 0 to 1. */
  readonly volume: () => number;
  readonly list: () => readonly PassageState[];
  /** True if a passage that is not spoken in the list may be soon. */
  readonly isGrowing: () => boolean;
  /** Of the joined file; undefined for the usual ones. */
  readonly pauses: () => SpeechPauses | undefined;
  /** Called before a passage is heard. */
  onListen(): void;
}

/** Plays spoken passages one after the other, with the pauses that the joined file has, and waits for those still being spoken. */
export class PassagePlayer {
  readonly #dependencies: Dependencies;
  #sound: PreviewSound | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #isAlone = false;

  /** Number of the passage that is heard, or waited for. */
  index = $state<number | null>(null);
  status = $state<'idle' | 'playing' | 'waiting'>('idle');

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Plays from a passage on, or stops if it is the one that is heard. */
  toggle(index: number): void {
    if (this.index === index) this.stop();
    else this.play(index);
  }

  /** Plays one passage, without those after it. */
  playAlone(index: number): void {
    this.play(index);
    this.#isAlone = true;
  }

  play(index: number): void {
    this.#isAlone = false;
    const { createSound, list, isGrowing, onListen } = this.#dependencies;
    clearTimeout(this.#pause);
    const passage = list()[index];
    if (!passage) return this.stop();
    if (passage.media === null) {
      if (!isGrowing()) return this.stop();
      this.index = index;
      this.status = 'waiting';
      return;
    }
    if (this.status === 'idle') onListen();
    const sound = (this.#sound ??= this.#attach(createSound()));
    this.index = index;
    this.status = 'playing';
    sound.src = `media/take/${passage.media}`;
    this.applyVolume();
    sound.play().catch(() => undefined);
  }

  /** Call when the list was read again. */
  notify(): void {
    if (this.status === 'waiting' && this.index !== null) this.play(this.index);
  }

  stop(): void {
    clearTimeout(this.#pause);
    this.index = null;
    this.status = 'idle';
    this.#sound?.pause();
    // A sound that is only paused is resumed by the media keys.
    this.#sound?.removeAttribute('src');
    this.#sound?.load();
  }

  /** Follows the volume of the player. */
  applyVolume(): void {
    if (this.#sound) this.#sound.volume = this.#dependencies.volume();
  }

  #attach(sound: PreviewSound): PreviewSound {
    sound.addEventListener('ended', () => {
      const { index } = this;
      const passage = index === null ? undefined : this.#dependencies.list()[index];
      if (index === null || !passage) return;
      if (this.#isAlone) return this.stop();
      const seconds = pauseAfter(passage, { pauses: this.#dependencies.pauses() ?? usualPauses });
      this.#pause = setTimeout(() => this.play(index + 1), seconds * 1000);
    });
    sound.addEventListener('error', () => this.stop());
    // Also the media keys pause it, as its end does. Our own pause may be heard of when the next passage plays.
    sound.addEventListener('pause', () => sound.paused && !sound.ended && this.stop());
    return sound;
  }
}
