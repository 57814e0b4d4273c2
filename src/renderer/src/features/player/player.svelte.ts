import type { Voice } from '../../../../shared/schemas/voice.ts';
import type { Side } from '../waveform/waveforms.svelte.ts';
import { createLevelMeter, type LevelMeter } from './level-meter.ts';

/** What can be heard: one recording, or it and what was made of it. */
export interface Track {
  readonly id: string;
  readonly name: string;
  readonly voice: Voice;
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
}

const trackOf = ({ id, name, voice, sourceMedia, resultMedia }: Track): Track => ({
  id,
  name,
  voice,
  sourceMedia,
  resultMedia,
});

const isSameTrack = (one: Track, two: Track): boolean =>
  one.id === two.id &&
  one.name === two.name &&
  one.voice === two.voice &&
  one.sourceMedia === two.sourceMedia &&
  one.resultMedia === two.resultMedia;

const mediaOf = (track: Track, side: Side): string | null =>
  side === 'source' ? track.sourceMedia : track.resultMedia;
const other = (side: Side): Side => (side === 'source' ? 'result' : 'source');

/** The part of an audio element that the player uses. */
export type Sound = Pick<
  HTMLAudioElement,
  'src' | 'error' | 'currentTime' | 'duration' | 'volume' | 'loop' | 'paused' | 'play' | 'pause' | 'load'
> &
  EventTarget & { removeAttribute(name: string): void };

const quietest = (levels: readonly (number | null)[]): number | null =>
  levels.reduce((least, level) => (least === null || (level !== null && level < least) ? level : least), null);

/** Nothing is made so much quieter for its counterpart: where one is nearly silent, there is nothing to compare. */
const mostMatchDb = 24;

/**
 * The one player of the window. Both sounds of a track are loaded, one is heard; switching goes on at the same instant, which is the
 * same share of both when the speed was changed, and as loud, because of two sounds the louder one seems the better one. Another
 * result of the same recording goes on there too. The elements belong to PlayerBar.svelte, which attaches them.
 */
export class Player {
  readonly #sounds: Record<Side, Sound | undefined> = { source: undefined, result: undefined };
  readonly #ringing: LevelMeter;
  /** How loud each one is, in dB; null while that is not known. */
  #levels: Readonly<Record<Side, number | null>> = { source: null, result: null };
  /** The level of the quietest result of this recording that was heard before: they are compared, too. */
  #quietestBefore: number | null = null;
  /** Where the sound that is heard goes on once it is loaded, as a share of it. */
  #goOnAt = $state<number | null>(null);

  track = $state.raw<Track | null>(null);
  heard = $state<Side>('result');
  isPlaying = $state(false);
  seconds = $state(0);
  durations = $state.raw<Readonly<Record<Side, number>>>({ source: 0, result: 0 });
  volume = $state(1);
  isLooping = $state(false);
  /** The element could not read this sound. */
  hasFailed = $state(false);

  readonly duration: number = $derived(this.durations[this.heard]);
  /** Where it stands, 0..1. */
  readonly share: number = $derived(
    this.duration > 0 ? Math.min(1, this.seconds / this.duration) : (this.#goOnAt ?? 0),
  );
  readonly canCompare: boolean = $derived(
    (this.track?.sourceMedia ?? null) !== null && (this.track?.resultMedia ?? null) !== null,
  );

  constructor({ ringing = createLevelMeter() }: { readonly ringing?: LevelMeter } = {}) {
    this.#ringing = ringing;
  }

  attach(side: Side, sound: Sound): () => void {
    this.#sounds[side] = sound;
    const listen: Readonly<Record<string, () => void>> = {
      timeupdate: () => this.#isHeard(side) && this.#follow(sound),
      seeked: () => this.#isHeard(side) && this.#follow(sound),
      play: () => this.#isHeard(side) && (this.isPlaying = true),
      pause: () => this.#isHeard(side) && (this.isPlaying = false),
      ended: () => this.#isHeard(side) && (this.isPlaying = false),
      durationchange: () => this.#measure(side, sound),
      error: () => this.#isHeard(side) && this.track && this.#fail(),
    };
    for (const [name, listener] of Object.entries(listen)) sound.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listen)) sound.removeEventListener(name, listener);
      sound.pause();
      this.#sounds[side] = undefined;
    };
  }

  /** Plays a job or an entry from its start, its result if there is one; the one that is loaded already is paused or goes on. */
  async listen(job: Track): Promise<void> {
    if (this.track?.id === job.id) return this.toggle();
    const track = trackOf(job);
    const side: Side = track.resultMedia !== null ? 'result' : 'source';
    if (mediaOf(track, side) === null) return;
    const isOfSame = track.sourceMedia !== null && track.sourceMedia === this.track?.sourceMedia;
    this.#sounds[this.heard]?.pause();
    this.#goOnAt = isOfSame ? this.#shareNow() : null;
    this.#quietestBefore = isOfSame ? quietest([this.#quietestBefore, this.#levels.result]) : null;
    this.#levels = { source: null, result: null };
    this.track = track;
    this.heard = side;
    this.seconds = 0;
    for (const each of ['source', 'result'] as const) this.#load(each);
    await this.#play();
  }

  /**
   * The job that is loaded changed: its result can be heard now, or it is gone, or a file was found in another place. Whoever listens
   * goes on at the same instant, in the other sound where this one is gone.
   */
  follow(job: Track | undefined): void {
    if (!this.track || !job || job.id !== this.track.id) return;
    const before = this.track;
    const share = this.#shareNow();
    const wasPlaying = this.isPlaying;
    const track = trackOf(job);
    // Only news is kept: whoever follows the track would be told of it without end.
    if (isSameTrack(before, track)) return;
    this.track = track;
    for (const side of ['source', 'result'] as const) {
      if (mediaOf(before, side) !== mediaOf(track, side)) this.#load(side);
    }
    if (mediaOf(before, this.heard) === mediaOf(track, this.heard)) return;
    this.hasFailed = false;
    if (mediaOf(track, this.heard) === null) this.heard = other(this.heard);
    if (mediaOf(track, this.heard) === null) {
      this.isPlaying = false;
      this.seconds = 0;
      return;
    }
    this.#goOn(share);
    if (wasPlaying) void this.#play();
  }

  /** Takes the track out, when its job left the list. */
  clear(): void {
    for (const side of ['source', 'result'] as const) this.#sounds[side]?.pause();
    this.track = null;
    this.isPlaying = false;
    this.seconds = 0;
    this.#goOnAt = null;
  }

  async toggle(): Promise<void> {
    if (!this.track) return;
    if (this.isPlaying) this.#sounds[this.heard]?.pause();
    else await this.#play();
  }

  /** Hears the other one from the same instant. */
  async hear(side: Side): Promise<void> {
    if (!this.track || side === this.heard || mediaOf(this.track, side) === null) return;
    const wasPlaying = this.isPlaying;
    this.#sounds[this.heard]?.pause();
    const share = this.#shareNow();
    this.heard = side;
    this.hasFailed = (this.#sounds[side]?.error ?? null) !== null;
    this.isPlaying = wasPlaying;
    this.#goOn(share);
    if (wasPlaying) await this.#play();
  }

  swap(): Promise<void> {
    return this.hear(other(this.heard));
  }

  seek(seconds: number): void {
    const sound = this.#sounds[this.heard];
    if (!sound || !this.track || this.duration === 0) return;
    this.seconds = Math.min(this.duration, Math.max(0, seconds));
    sound.currentTime = this.seconds;
  }

  seekBy(seconds: number): void {
    this.seek(this.#shareNow() * this.duration + seconds);
  }

  setVolume(volume: number): void {
    this.volume = Math.min(1, Math.max(0, volume));
    this.#setLoudness();
  }

  /**
   * Plays both as loud as the quieter one, or as a result of the same recording that was heard before and is quieter still. Levels in
   * dB, null where one is not known: that one is played as it is.
   */
  match(source: number | null, result: number | null): void {
    this.#levels = { source, result };
    this.#setLoudness();
  }

  toggleLoop(): void {
    this.isLooping = !this.isLooping;
    for (const sound of this.#attached()) sound.loop = this.isLooping;
  }

  /** How wide a stroke of the heard bell is just now: 0.93 to 1.07 of its width. */
  readonly ring = (stroke: number): number => this.#ringing.width(stroke);

  /** Called once somebody wants to see the bell ring. */
  startRinging(): void {
    this.#ringing.start(this.#attached());
  }

  #attached(): readonly Sound[] {
    return Object.values(this.#sounds).filter((sound) => sound !== undefined);
  }

  #setLoudness(): void {
    const quieter = quietest([this.#quietestBefore, this.#levels.source, this.#levels.result]);
    for (const side of ['source', 'result'] as const) {
      const sound = this.#sounds[side];
      if (!sound) continue;
      const level = this.#levels[side];
      const lessDb = quieter === null || level === null ? 0 : Math.min(mostMatchDb, level - quieter);
      sound.volume = this.volume * 10 ** (-lessDb / 20);
    }
  }

  #isHeard(side: Side): boolean {
    return side === this.heard;
  }

  #follow(sound: Sound): void {
    if (this.track && this.duration > 0) this.seconds = sound.currentTime;
  }

  /** Where the sound that is heard is just now: what is shown of it is as old as the last event, up to a quarter of a second. */
  #shareNow(): number {
    const sound = this.#sounds[this.heard];
    if (!sound || this.duration === 0) return this.#goOnAt ?? 0;
    return Math.min(1, sound.currentTime / this.duration);
  }

  #goOn(share: number): void {
    this.#goOnAt = this.duration > 0 ? null : share;
    this.seek(share * this.duration);
  }

  #measure(side: Side, sound: Sound): void {
    const seconds = Number.isFinite(sound.duration) ? sound.duration : 0;
    this.durations = { ...this.durations, [side]: seconds };
    if (this.#isHeard(side) && this.#goOnAt !== null) this.#goOn(this.#goOnAt);
  }

  #load(side: Side): void {
    const sound = this.#sounds[side];
    if (!sound) return;
    this.durations = { ...this.durations, [side]: 0 };
    const media = this.track && mediaOf(this.track, side);
    if (!this.track || media === null) {
      sound.removeAttribute('src');
    } else {
      // The key makes the element load a file that has moved.
      sound.src = `media/${this.track.id}/${side}?${encodeURIComponent(media)}`;
      sound.loop = this.isLooping;
    }
    sound.load();
  }

  async #play(): Promise<void> {
    this.hasFailed = false;
    const track = this.track;
    try {
      await this.#sounds[this.heard]?.play();
    } catch (error) {
      // Another sound was chosen, or paused, before this one began: nothing failed.
      const isOvertaken = error instanceof DOMException && error.name === 'AbortError';
      if (!isOvertaken && track === this.track) this.#fail();
    }
  }

  #fail(): void {
    this.hasFailed = true;
    this.isPlaying = false;
  }
}
