import type { Problem } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type {
  Excerpt,
  PreviewContent,
  PreviewSpending,
  Voice,
  VoiceFeatures,
  VoicePreview,
} from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { commonLevelDb, type Meter, type PreviewSound } from './preview-player.svelte.ts';

/** Of the compared voices, in their order; also the keys that switch to them. */
export const voiceLetters = ['A', 'B', 'C', 'D'] as const;

export type ComparedSound = PreviewSound & Pick<HTMLAudioElement, 'currentTime' | 'duration'>;

interface Dependencies {
  readonly createSound: () => ComparedSound;
  readonly createMeter: () => Meter;
  /** Of the player, 0 to 1. */
  readonly volume: () => number;
  /** What the user wants to hear. */
  readonly source: { readonly content: PreviewContent; readonly recording: Excerpt | null };
  /** Called before a voice is heard. */
  onListen(): void;
  /** Called with how a voice sounds in its preview. */
  onFeatures(connection: ConnectionInfo, voiceId: string, content: PreviewContent, features: VoiceFeatures): void;
}

/** What the user has to agree to before the voices can be compared. */
export interface ComparisonQuestion {
  readonly cached: number;
  readonly calls: number;
  /** Calls that were made before, whose reply was lost or whose file is gone. */
  readonly repeated: number;
  /** Length of the recording that would be converted; null for a text. */
  readonly recordingSeconds: number | null;
}

type Ready = Extract<VoicePreview, { readonly kind: 'ready' }>;

/** A silent sound that is further from the audible one is moved to it: less is not heard when they switch. */
const maxDriftSeconds = 0.03;
/** A nearly silent preview must not silence the others. */
const maxAttenuationDb = 24;

/**
 * Up to four voices of one connection, heard in turn at the same instant and equally loud. All previews play at once and one is
 * audible, so that switching has no gap. A service is called only after the user has agreed to the number of calls.
 */
export class VoiceComparison {
  readonly #api: Pick<Api['voices'], 'preview' | 'cancelPreviews'>;
  readonly #dependencies: Dependencies;
  readonly #beginRequest = createLatest();
  readonly #sounds: ComparedSound[] = [];
  #meter: Meter | undefined;
  #connection: ConnectionInfo | undefined;
  #previews: readonly (Ready | null)[] = [];

  voices = $state.raw<readonly Voice[]>([]);
  /** True once a fifth voice was refused, until the voices change. */
  isRefused = $state(false);
  status = $state<'closed' | 'preparing' | 'asking' | 'failed' | 'ready'>('closed');
  question = $state.raw<ComparisonQuestion | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Index of the audible voice. */
  active = $state(0);
  isPlaying = $state(false);
  isLooping = $state(true);
  seconds = $state(0);
  /** Of the longest preview. */
  duration = $state(0);

  constructor(api: Pick<Api['voices'], 'preview' | 'cancelPreviews'>, dependencies: Dependencies) {
    this.#api = api;
    this.#dependencies = dependencies;
  }

  letterOf(voiceId: string): string | undefined {
    return voiceLetters[this.voices.findIndex(({ id }) => id === voiceId)];
  }

  get isFull(): boolean {
    return this.voices.length === voiceLetters.length;
  }

  /** Voices of another connection cannot be compared with these. */
  use(connection: ConnectionInfo): void {
    if (connection.id !== this.#connection?.id) this.clear();
    this.#connection = connection;
  }

  /** Adds a voice, or takes it out. Returns false if there are four others. */
  toggle(voice: Voice): boolean {
    const others = this.voices.filter(({ id }) => id !== voice.id);
    this.isRefused = others.length === this.voices.length && this.isFull;
    if (this.isRefused) return false;
    this.voices = others.length === this.voices.length ? [...others, voice] : others;
    return true;
  }

  clear(): void {
    this.voices = [];
    this.isRefused = false;
  }

  /** Plays what is there, or asks for what has to be paid for. */
  async open(): Promise<void> {
    this.active = 0;
    await this.#prepare('nothing');
  }

  async agree(): Promise<void> {
    await this.#prepare('agreed');
  }

  close(): void {
    this.#beginRequest();
    if (this.status === 'preparing') this.#api.cancelPreviews().catch(() => undefined);
    this.#silence();
    // A sound that is only paused is resumed by the media keys.
    for (const sound of this.#sounds) {
      sound.removeAttribute('src');
      sound.load();
    }
    this.#previews = [];
    this.status = 'closed';
    this.question = this.problem = null;
  }

  /** Makes another voice audible, at the same instant. */
  select(index: number): void {
    const next = this.#sounds[index];
    if (this.status !== 'ready' || index >= this.voices.length || index === this.active || !next) return;
    const seconds = this.#sounds[this.active]?.currentTime ?? 0;
    this.active = index;
    // A shorter preview has nothing at this instant.
    if (seconds >= next.duration) this.#seekAll(0);
    else if (Math.abs(next.currentTime - seconds) > maxDriftSeconds) next.currentTime = seconds;
    this.applyVolume();
    if (this.isPlaying && next.paused) void this.#play();
  }

  async togglePlaying(): Promise<void> {
    if (this.status !== 'ready') return;
    if (this.isPlaying) this.pause();
    else await this.#play();
  }

  pause(): void {
    if (this.isPlaying) this.#silence();
  }

  toggleLoop(): void {
    this.isLooping = !this.isLooping;
  }

  /** Follows the volume of the player. Louder previews are attenuated to the quietest. */
  applyVolume(): void {
    const levels = this.#previews.map((preview) => preview?.features.levelDb ?? commonLevelDb);
    const target = Math.min(commonLevelDb, ...levels);
    this.#sounds.forEach((sound, k) => {
      const attenuationDb = Math.min(maxAttenuationDb, (levels[k] ?? target) - target);
      sound.volume = k === this.active ? this.#dependencies.volume() * 10 ** (-attenuationDb / 20) : 0;
    });
  }

  /** Moves the bars of the audible voice's glyph. */
  barScaleOf(index: number): ((bar: number) => number) | undefined {
    const meter = this.#meter;
    return meter && this.isPlaying && index === this.active ? (bar) => meter.barScale(bar) : undefined;
  }

  async #prepare(spending: PreviewSpending): Promise<void> {
    const isLatest = this.#beginRequest();
    const connection = this.#connection;
    if (!connection) return;
    const { voices } = this;
    const { source, onFeatures } = this.#dependencies;
    const { content, recording } = source;
    this.#silence();
    this.status = 'preparing';
    this.question = this.problem = null;
    const replies = await Promise.allSettled(
      voices.map(({ id }) => this.#api.preview({ connectionId: connection.id, voiceId: id, content, spending })),
    );
    replies.forEach((reply, k) => {
      const voice = voices[k];
      if (voice && reply.status === 'fulfilled' && reply.value.kind === 'ready')
        onFeatures(connection, voice.id, content, reply.value.features);
    });
    if (!isLatest()) return;
    const failed = replies.find((reply) => reply.status === 'rejected');
    if (failed) {
      this.status = 'failed';
      this.problem = toProblem(failed.reason);
      return;
    }
    const previews = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
    const missing = previews.filter(({ kind }) => kind !== 'ready');
    if (missing.length > 0) {
      this.status = 'asking';
      this.question = {
        cached: previews.length - missing.length,
        calls: missing.length,
        repeated: missing.filter((one) => one.kind === 'not-made' && one.wasRequested).length,
        recordingSeconds: content.kind === 'recording' ? (recording?.seconds ?? null) : null,
      };
      return;
    }
    this.#previews = previews.map((preview) => (preview.kind === 'ready' ? preview : null));
    this.#load();
    this.status = 'ready';
    await this.#play();
  }

  #load(): void {
    const { createSound, createMeter } = this.#dependencies;
    while (this.#sounds.length < this.#previews.length)
      this.#sounds.push(this.#attach(createSound(), this.#sounds.length));
    this.#meter ??= createMeter();
    this.duration = this.seconds = 0;
    this.#previews.forEach((preview, k) => {
      const sound = this.#sounds[k];
      if (sound && preview) sound.src = `media/preview/${preview.media}`;
    });
    this.applyVolume();
  }

  #playing(): readonly ComparedSound[] {
    return this.#sounds.slice(0, this.#previews.length);
  }

  async #play(): Promise<void> {
    const isLatest = this.#beginRequest();
    const sounds = this.#playing();
    this.#dependencies.onListen();
    if (this.seconds >= this.duration) this.#seekAll(0);
    this.#meter?.start(sounds);
    this.isPlaying = true;
    try {
      await Promise.all(sounds.map((sound) => sound.play()));
      if (isLatest()) this.#align();
    } catch (error) {
      // Another one was opened, or it was closed, before it started.
      if (!isLatest() || (error instanceof DOMException && error.name === 'AbortError')) return;
      this.#silence();
      this.status = 'failed';
      this.problem = toProblem(error);
    }
  }

  #silence(): void {
    this.isPlaying = false;
    for (const sound of this.#sounds) sound.pause();
  }

  #seekAll(seconds: number): void {
    for (const sound of this.#playing()) sound.currentTime = seconds;
    this.seconds = seconds;
  }

  /** Moves the silent sounds to the audible one. */
  #align(): void {
    const seconds = this.#sounds[this.active]?.currentTime ?? 0;
    for (const sound of this.#playing()) {
      if (seconds < sound.duration && Math.abs(sound.currentTime - seconds) > maxDriftSeconds)
        sound.currentTime = seconds;
    }
  }

  #attach(sound: ComparedSound, index: number): ComparedSound {
    sound.addEventListener('timeupdate', () => {
      if (index !== this.active || this.status !== 'ready') return;
      this.seconds = sound.currentTime;
      this.#align();
    });
    sound.addEventListener('durationchange', () => {
      const lengths = this.#playing().map(({ duration }) => (Number.isFinite(duration) ? duration : 0));
      this.duration = Math.max(0, ...lengths);
    });
    sound.addEventListener('ended', () => {
      if (index !== this.active || !this.isPlaying) return;
      this.#seekAll(0);
      if (this.isLooping) void this.#play();
      else this.#silence();
    });
    // Also the media keys play and pause it. What we did ourselves may be heard of when it is otherwise by now.
    sound.addEventListener('play', () => {
      if (index === this.active && this.status === 'ready' && !this.isPlaying && !sound.paused) void this.#play();
    });
    sound.addEventListener('pause', () => {
      if (index === this.active && this.isPlaying && sound.paused && sound.currentTime < sound.duration)
        this.#silence();
    });
    return sound;
  }
}
