import { SvelteMap } from 'svelte/reactivity';
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

/** What the user has to agree to before a preview is made. */
export interface PreviewQuestion extends Omit<Extract<VoicePreview, { kind: 'ask' }>, 'kind'> {
  readonly connection: ConnectionInfo;
  readonly voice: Voice;
  /** What it is to say; null for what all previews say. */
  readonly ownText: string | null;
}

/** The part of an audio element that previews use. */
export type PreviewSound = Pick<HTMLAudioElement, 'src' | 'volume' | 'paused' | 'ended' | 'play' | 'pause' | 'load'> &
  EventTarget & { removeAttribute(name: string): void };

/** Moves the bars of a glyph. */
export interface Meter {
  start(sounds: readonly EventTarget[]): void;
  barScale(bar: number): number;
}

/** A preview was asked for, its voice was only selected, or the focus only moved to it. */
type Reason = 'asked' | 'selected' | 'focused';

type PreviewApi = Pick<Api['voices'], 'preview' | 'cancelPreviews' | 'listFeatures'>;

interface Dependencies {
  readonly createSound: () => PreviewSound;
  readonly createMeter: () => Meter;
  /** Of the player, 0 to 1. */
  readonly volume: () => number;
  /** What the user wants to hear. */
  readonly source: { readonly content: PreviewContent; readonly recording: Excerpt | null };
  /** Called before a preview is heard. */
  onListen(): void;
}

/** Louder previews are attenuated to this level, because the louder of two voices seems better. In dB relative to full scale. */
export const commonLevelDb = -26;

const keyOf = ({ id }: Pick<ConnectionInfo, 'id'>, voiceId: string, ownText: string | null = null): string =>
  `${id}\n${voiceId}${ownText === null ? '' : `\n${ownText}`}`;

/**
 * Plays previews of voices, one at a time, in all views. What costs nothing plays at once; a service's call is made only for a voice
 * that the user pressed, and never for one that the focus passes.
 */
export class PreviewPlayer {
  readonly #api: PreviewApi;
  readonly #dependencies: Dependencies;
  readonly #beginRequest = createLatest();
  /** How many times `loadFeatures` has read them. */
  loads = $state(0);
  readonly #features = new SvelteMap<string, VoiceFeatures>();
  #sound: PreviewSound | undefined;
  #meter: Meter | undefined;
  #key = $state<string | null>(null);
  /** Why the last preview was requested. */
  #reason: Reason = 'asked';
  #attenuation = 1;

  status = $state<'idle' | 'loading' | 'playing'>('idle');
  /** The user is listening: voices that the focus moves to are heard, too. */
  isListening = $state(false);
  question = $state.raw<PreviewQuestion | null>(null);
  /** Why the last preview cannot be heard. */
  problem = $state.raw<Problem | null>(null);

  constructor(api: PreviewApi, dependencies: Dependencies) {
    this.#api = api;
    this.#dependencies = dependencies;
  }

  /** The recording that voices are heard with; null for a text. */
  get recording(): Excerpt | null {
    return this.#dependencies.source.recording;
  }

  statusOf(
    connection: Pick<ConnectionInfo, 'id'> | undefined,
    voiceId: string,
    ownText: string | null = null,
  ): 'idle' | 'loading' | 'playing' {
    return connection && this.#key === keyOf(connection, voiceId, ownText) ? this.status : 'idle';
  }

  /** How a voice sounds; undefined until it was heard once. */
  featuresOf(connection: Pick<ConnectionInfo, 'id'> | undefined, voiceId: string): VoiceFeatures | undefined {
    return connection && this.#features.get(keyOf(connection, voiceId));
  }

  /** How the voices of a connection sound that were heard, by voice. */
  heardOf(connection: Pick<ConnectionInfo, 'id'>): ReadonlyMap<string, VoiceFeatures> {
    const start = keyOf(connection, '');
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read anew when a voice was heard
    return new Map(
      [...this.#features].flatMap(([key, features]) =>
        key.startsWith(start) ? [[key.slice(start.length), features] as const] : [],
      ),
    );
  }

  /** Keeps how a voice sounds in a preview. A recording that it converted sounds like the recording, too. */
  learn(
    connection: Pick<ConnectionInfo, 'id'>,
    voiceId: string,
    { kind }: Pick<PreviewContent, 'kind'>,
    features: VoiceFeatures,
  ): void {
    if (kind === 'text') this.#features.set(keyOf(connection, voiceId), features);
  }

  /** Moves the bars of a voice's glyph while the voice is heard. */
  barScaleOf(
    connection: Pick<ConnectionInfo, 'id'> | undefined,
    voiceId: string,
  ): ((bar: number) => number) | undefined {
    const meter = this.#meter;
    return meter && this.statusOf(connection, voiceId) === 'playing' ? (bar) => meter.barScale(bar) : undefined;
  }

  async loadFeatures(connection: Pick<ConnectionInfo, 'id'>): Promise<void> {
    try {
      const known = await this.#api.listFeatures({ connectionId: connection.id });
      for (const [voiceId, features] of Object.entries(known)) this.#features.set(keyOf(connection, voiceId), features);
      this.loads += 1;
    } catch {
      // Only an addition: a voice that was not measured is drawn as estimated.
    }
  }

  /** Plays a voice that the user wants to hear, with a text of its own if one is given, or stops it. Asks what has to be agreed to. */
  async toggle(connection: ConnectionInfo, voice: Voice, ownText: string | null = null): Promise<void> {
    const status = this.statusOf(connection, voice.id, ownText);
    const isLoading = status === 'loading';
    if (status === 'playing' || (isLoading && this.#reason === 'asked')) this.stop();
    // The same request, whose question is now shown.
    else if (isLoading && this.#reason === 'selected') this.#reason = 'asked';
    else await this.#request(connection, voice, 'asked', 'as-agreed', ownText);
  }

  /** Plays a voice that the user selected, or stops it. Does nothing if something has to be agreed to first. */
  async playIfAgreed(connection: ConnectionInfo, voice: Voice): Promise<void> {
    if (this.statusOf(connection, voice.id) !== 'idle') this.stop();
    else await this.#request(connection, voice, 'selected', 'as-agreed');
  }

  /** Plays a voice that the focus moved to, if the user is listening and it costs nothing. */
  async follow(connection: ConnectionInfo, voice: Voice): Promise<void> {
    if (!this.isListening || this.statusOf(connection, voice.id) !== 'idle') return;
    await this.#request(connection, voice, 'focused', 'nothing');
  }

  async answer(isAgreed: boolean): Promise<void> {
    const { question } = this;
    this.question = null;
    if (!isAgreed || !question) this.stop();
    else await this.#request(question.connection, question.voice, 'asked', 'agreed', question.ownText);
  }

  stop(): void {
    this.#beginRequest();
    this.#cancelLoading();
    this.#silence();
    // A sound that is only paused is resumed by the media keys.
    this.#sound?.removeAttribute('src');
    this.#sound?.load();
    this.isListening = false;
  }

  /** Forgets what another view showed. */
  leave(): void {
    this.stop();
    this.problem = null;
  }

  /** Follows the volume of the player. */
  applyVolume(): void {
    if (this.#sound) this.#sound.volume = this.#dependencies.volume() * this.#attenuation;
  }

  /** What has cost nothing yet shall cost nothing. */
  #cancelLoading(): void {
    if (this.status === 'loading') this.#api.cancelPreviews().catch(() => undefined);
  }

  #silence(): void {
    this.#key = null;
    this.status = 'idle';
    this.#sound?.pause();
  }

  async #request(
    connection: ConnectionInfo,
    voice: Voice,
    reason: Reason,
    spending: PreviewSpending,
    ownText: string | null = null,
  ): Promise<void> {
    const isLatest = this.#beginRequest();
    const key = keyOf(connection, voice.id, ownText);
    const content: PreviewContent =
      ownText === null ? this.#dependencies.source.content : { kind: 'text', text: ownText.trim() };
    this.#cancelLoading();
    this.#silence();
    this.problem = null;
    this.isListening = true;
    this.#key = key;
    this.#reason = reason;
    this.status = 'loading';
    try {
      const preview = await this.#api.preview({
        connectionId: connection.id,
        voiceId: voice.id,
        content,
        spending,
      });
      // A word says less about a voice than a sentence.
      if (preview.kind === 'ready' && ownText === null) this.learn(connection, voice.id, content, preview.features);
      if (!isLatest()) return;
      if (preview.kind === 'ready') await this.#play(preview, isLatest);
      else if (this.#reason === 'selected') this.stop();
      else {
        this.#silence();
        if (preview.kind === 'ask' && this.#reason === 'asked')
          this.question = { reason: preview.reason, material: preview.material, connection, voice, ownText };
      }
    } catch (error) {
      if (!isLatest()) return;
      this.#silence();
      this.problem = toProblem(error);
    }
  }

  async #play({ media, features }: Extract<VoicePreview, { kind: 'ready' }>, isLatest: () => boolean): Promise<void> {
    const { createSound, createMeter, onListen } = this.#dependencies;
    const sound = (this.#sound ??= this.#attach(createSound()));
    const meter = (this.#meter ??= createMeter());
    const attenuationDb = Math.max(0, (features.levelDb ?? commonLevelDb) - commonLevelDb);
    onListen();
    sound.src = `media/preview/${media}`;
    this.#attenuation = 10 ** (-attenuationDb / 20);
    this.applyVolume();
    meter.start([sound]);
    try {
      await sound.play();
    } catch (error) {
      // Another one was chosen before it started.
      if (error instanceof DOMException && error.name === 'AbortError') {
        if (isLatest()) this.#silence();
        return;
      }
      throw error;
    }
    if (isLatest()) this.status = 'playing';
  }

  #attach(sound: PreviewSound): PreviewSound {
    // Also the media keys pause it. Our own pause may be heard of when the next sound plays.
    for (const name of ['ended', 'pause', 'error'] as const)
      sound.addEventListener(name, () => {
        if (this.status !== 'playing' || (name === 'pause' && !sound.paused)) return;
        if (name === 'pause' && !sound.ended) this.stop();
        else this.#silence();
      });
    return sound;
  }
}
