import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { Side } from '../waveform/waveforms.svelte.ts';
import { createLevelMeter, type LevelMeter } from './level-meter.ts';

/** A recording, its result, or both. */
export type Track = Pick<JobInfo, 'id' | 'kind' | 'name' | 'voice' | 'durationSeconds' | 'sourceMedia' | 'resultMedia'>;

const trackOf = ({ id, kind, name, voice, durationSeconds, sourceMedia, resultMedia }: Track): Track => ({
  id,
  kind,
  name,
  voice,
  durationSeconds,
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
  | 'src'
  | 'error'
  | 'currentTime'
  | 'duration'
  | 'volume'
  | 'loop'
  | 'paused'
  | 'playbackRate'
  | 'defaultPlaybackRate'
  | 'play'
  | 'pause'
  | 'load'
> &
  EventTarget & { removeAttribute(name: string): void };

const quietest = (levels: readonly (number | null)[]): number | null =>
  levels.reduce((least, level) => (least === null || (level !== null && level < least) ? level : least), null);

/** A passage that is repeated, as shares of both sounds, because their speeds may differ. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

export const playbackSpeeds = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** A shorter passage would be heard as a tone. */
const shortestPassageSeconds = 0.1;

/** Limit of the loudness match: a nearly silent counterpart must not silence the other sound. */
const maxAttenuationDb = 24;

/**
 * The player of the window. Both sounds of a track are loaded and one is audible. Switching keeps the position as a share, because the
 * speeds may differ, and matches the loudness, because the louder of two sounds seems better. Another result of the same recording
 * also starts at that position. PlayerBar.svelte owns the audio elements and attaches them.
 */
export class Player {
  readonly #sounds: Record<Side, Sound | undefined> = { source: undefined, result: undefined };
  readonly #levelMeter: LevelMeter;
  /** Loudness in dB; null while it is unknown. */
  #levels: Readonly<Record<Side, number | null>> = { source: null, result: null };
  /** Level of the quietest result of this recording that was played before, so that results compare fairly. */
  #quietestBefore: number | null = null;
  /** The user went beyond the passage: playback goes on there, as long as it is not at another place or passage. */
  #isBeyondPassage = false;
  /** Share at which the audible sound resumes once it is loaded. */
  #pendingShare = $state<number | null>(null);

  track = $state.raw<Track | null>(null);
  /** The audible side. */
  side = $state<Side>('result');
  isPlaying = $state(false);
  seconds = $state(0);
  durations = $state.raw<Readonly<Record<Side, number>>>({ source: 0, result: 0 });
  volume = $state(1);
  isLooping = $state(false);
  /** What is repeated while `isLooping`; null is all of it. */
  passage = $state.raw<Passage | null>(null);
  /** Factor of the speed of playback, which keeps the pitch. */
  speed = $state(1);
  /** The audio element cannot play this sound. */
  hasFailed = $state(false);

  readonly duration: number = $derived(this.durations[this.side]);
  /** Position, 0..1. */
  readonly share: number = $derived(
    this.duration > 0 ? Math.min(1, this.seconds / this.duration) : (this.#pendingShare ?? 0),
  );
  readonly canCompare: boolean = $derived(
    (this.track?.sourceMedia ?? null) !== null && (this.track?.resultMedia ?? null) !== null,
  );

  constructor({ levelMeter = createLevelMeter() }: { readonly levelMeter?: LevelMeter } = {}) {
    this.#levelMeter = levelMeter;
  }

  attach(side: Side, sound: Sound): () => void {
    this.#sounds[side] = sound;
    // Events arrive later: the sound may have been paused, and selected again, meanwhile.
    const readPaused = () => this.#isAudible(side) && (this.isPlaying = !sound.paused);
    const listen: Readonly<Record<string, () => void>> = {
      timeupdate: () => {
        if (!this.#isAudible(side)) return;
        this.#readTime(sound);
        this.repeatPassage();
      },
      seeked: () => this.#isAudible(side) && this.#readTime(sound),
      play: readPaused,
      pause: readPaused,
      ended: () => this.#isAudible(side) && this.#onEnded(),
      durationchange: () => this.#measure(side, sound),
      error: () => this.#isAudible(side) && this.track && this.#fail(),
    };
    for (const [name, listener] of Object.entries(listen)) sound.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listen)) sound.removeEventListener(name, listener);
      sound.pause();
      this.#sounds[side] = undefined;
    };
  }

  /** Plays the result of a job or an entry, else its source. Pauses or resumes it if it is already loaded. */
  async listen(job: Track): Promise<void> {
    if (this.track?.id === job.id) return this.toggle();
    const track = trackOf(job);
    const side: Side = track.resultMedia !== null ? 'result' : 'source';
    if (mediaOf(track, side) === null) return;
    const isSameSource = track.sourceMedia !== null && track.sourceMedia === this.track?.sourceMedia;
    this.#sounds[this.side]?.pause();
    this.#pendingShare = isSameSource ? this.#shareNow() : null;
    this.#quietestBefore = isSameSource ? quietest([this.#quietestBefore, this.#levels.result]) : null;
    this.#levels = { source: null, result: null };
    if (!isSameSource) this.passage = null;
    this.track = track;
    this.side = side;
    this.seconds = 0;
    for (const each of ['source', 'result'] as const) this.#load(each);
    await this.#play();
  }

  /**
   * Applies a change of the loaded job: a new result, a removed or a moved file. Playback continues at its position, on the other side
   * if the file of this one no longer exists.
   */
  update(job: Track | undefined): void {
    if (!this.track || !job || job.id !== this.track.id) return;
    const before = this.track;
    const share = this.#shareNow();
    const wasPlaying = this.isPlaying;
    const track = trackOf(job);
    // Equal tracks are not assigned: an effect that reads the track would run forever.
    if (isSameTrack(before, track)) return;
    this.track = track;
    for (const side of ['source', 'result'] as const) {
      if (mediaOf(before, side) !== mediaOf(track, side)) this.#load(side);
    }
    if (mediaOf(before, this.side) === mediaOf(track, this.side)) return;
    this.hasFailed = false;
    if (mediaOf(track, this.side) === null) this.side = other(this.side);
    if (mediaOf(track, this.side) === null) {
      this.isPlaying = false;
      this.seconds = 0;
      return;
    }
    this.#resumeAt(share);
    if (wasPlaying) void this.#play();
  }

  /** Unloads the track. */
  clear(): void {
    for (const side of ['source', 'result'] as const) this.#sounds[side]?.pause();
    this.track = this.passage = null;
    this.isPlaying = false;
    this.seconds = 0;
    this.#pendingShare = null;
  }

  pause(): void {
    this.#sounds[this.side]?.pause();
  }

  async toggle(): Promise<void> {
    if (!this.track) return;
    if (this.isPlaying) this.pause();
    else await this.#play();
  }

  /** Switches to a side at the same position. */
  async selectSide(side: Side): Promise<void> {
    if (!this.track || side === this.side || mediaOf(this.track, side) === null) return;
    const wasPlaying = this.isPlaying;
    this.#sounds[this.side]?.pause();
    const share = this.#shareNow();
    this.side = side;
    this.hasFailed = (this.#sounds[side]?.error ?? null) !== null;
    this.isPlaying = wasPlaying;
    this.#resumeAt(share);
    if (wasPlaying) await this.#play();
  }

  switchSide(): Promise<void> {
    return this.selectSide(other(this.side));
  }

  /** Goes where the user wants, which may be beyond the passage. */
  seek(seconds: number): void {
    if (this.duration === 0) return;
    this.#goTo(seconds);
    this.#isBeyondPassage = this.passage !== null && this.seconds >= this.passage.end * this.duration;
  }

  seekBy(seconds: number): void {
    this.seek(this.#shareNow() * this.duration + seconds);
  }

  setVolume(volume: number): void {
    this.volume = Math.min(1, Math.max(0, volume));
    this.#applyVolume();
  }

  /**
   * Matches the loudness of both sides to the quieter one, or to a quieter result of the same recording played before. Levels in dB;
   * null, if unknown, plays a side as it is.
   */
  matchLevels(source: number | null, result: number | null): void {
    this.#levels = { source, result };
    this.#applyVolume();
  }

  toggleLoop(): void {
    this.#loop(!this.isLooping, null);
  }

  /** Repeats the passage from here to its end so far, or to the end of the sound. */
  startPassage(): void {
    if (!this.track || this.duration === 0) return;
    const start = Math.min(this.#shareNow(), 1 - this.#shortestPassage());
    const end = this.passage?.end ?? 1;
    this.#loop(true, { start, end: end - start < this.#shortestPassage() ? 1 : end });
  }

  /** Repeats the passage from its start so far, or from the start of the sound, to here. */
  endPassage(): void {
    if (!this.track || this.duration === 0) return;
    const end = Math.max(this.#shareNow(), this.#shortestPassage());
    const start = this.passage?.start ?? 0;
    this.#loop(true, { start: end - start < this.#shortestPassage() ? 0 : start, end });
  }

  /** Goes back to the start of the passage if its end is reached. Called as often as the screen is drawn. */
  repeatPassage(): void {
    const sound = this.#sounds[this.side];
    if (!sound || !this.isLooping || this.passage === null || !this.isPlaying) return;
    if (this.passage.end === 1 || this.#isBeyondPassage) return;
    if (sound.currentTime >= this.passage.end * this.duration) this.#goTo(this.passage.start * this.duration);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    // An element that loads another file starts with its default.
    for (const sound of this.#attached()) sound.playbackRate = sound.defaultPlaybackRate = speed;
  }

  /** Current width of a bar of the voice glyph, as a share of its width at rest: 0.93 to 1.07. */
  readonly barScale = (bar: number): number => this.#levelMeter.barScale(bar);

  startLevelMeter(): void {
    this.#levelMeter.start(this.#attached());
  }

  #loop(isLooping: boolean, passage: Passage | null): void {
    this.isLooping = isLooping;
    this.passage = passage;
    this.#isBeyondPassage = false;
    for (const sound of this.#attached()) sound.loop = isLooping && passage === null;
  }

  /** As a share of the audible sound. */
  #shortestPassage(): number {
    return Math.min(1, shortestPassageSeconds / this.duration);
  }

  #onEnded(): void {
    this.isPlaying = false;
    if (!this.isLooping || this.passage === null) return;
    this.#isBeyondPassage = false;
    this.#goTo(this.passage.start * this.duration);
    void this.#play();
  }

  #goTo(seconds: number): void {
    const sound = this.#sounds[this.side];
    if (!sound || !this.track || this.duration === 0) return;
    this.seconds = Math.min(this.duration, Math.max(0, seconds));
    sound.currentTime = this.seconds;
  }

  #attached(): readonly Sound[] {
    return Object.values(this.#sounds).filter((sound) => sound !== undefined);
  }

  #applyVolume(): void {
    const quieter = quietest([this.#quietestBefore, this.#levels.source, this.#levels.result]);
    for (const side of ['source', 'result'] as const) {
      const sound = this.#sounds[side];
      if (!sound) continue;
      const level = this.#levels[side];
      const attenuationDb = quieter === null || level === null ? 0 : Math.min(maxAttenuationDb, level - quieter);
      sound.volume = this.volume * 10 ** (-attenuationDb / 20);
    }
  }

  #isAudible(side: Side): boolean {
    return side === this.side;
  }

  #readTime(sound: Sound): void {
    if (this.track && this.duration > 0) this.seconds = sound.currentTime;
  }

  /** The position now; the last `timeupdate` may be a quarter of a second old. */
  #shareNow(): number {
    const sound = this.#sounds[this.side];
    if (!sound || this.duration === 0) return this.#pendingShare ?? 0;
    return Math.min(1, sound.currentTime / this.duration);
  }

  #resumeAt(share: number): void {
    this.#pendingShare = this.duration > 0 ? null : share;
    this.#goTo(share * this.duration);
  }

  #measure(side: Side, sound: Sound): void {
    // A recording that a browser made states no length: its element finds it out at the end.
    const seconds = sound.duration === Infinity ? this.track?.durationSeconds : sound.duration;
    this.durations = { ...this.durations, [side]: seconds || 0 };
    if (this.#isAudible(side) && this.#pendingShare !== null) this.#resumeAt(this.#pendingShare);
  }

  #load(side: Side): void {
    const sound = this.#sounds[side];
    if (!sound) return;
    this.durations = { ...this.durations, [side]: 0 };
    const media = this.track && mediaOf(this.track, side);
    if (!this.track || media === null) {
      sound.removeAttribute('src');
    } else {
      // The query makes the element load a file again that has moved.
      sound.src = `media/${this.track.id}/${side}?${encodeURIComponent(media)}`;
      sound.loop = this.isLooping && this.passage === null;
    }
    sound.load();
  }

  async #play(): Promise<void> {
    this.hasFailed = false;
    const track = this.track;
    if (this.#sounds[this.side]?.error) {
      // Its disk may answer now, or the file may be back.
      const share = this.#shareNow();
      this.#load(this.side);
      this.#resumeAt(share);
    }
    try {
      await this.#sounds[this.side]?.play();
    } catch (error) {
      // Another sound was selected, or this one paused, before it started: that is no failure.
      const isAborted = error instanceof DOMException && error.name === 'AbortError';
      if (!isAborted && track === this.track) this.#fail();
    }
  }

  #fail(): void {
    this.hasFailed = true;
    this.isPlaying = false;
  }
}
