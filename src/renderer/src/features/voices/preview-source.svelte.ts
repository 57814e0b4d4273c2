import {
  type Excerpt,
  maxExcerptSeconds,
  minExcerptSeconds,
  type OpenedRecording,
  type PreviewContent,
  type RecordingOrigin,
} from '../../../../shared/schemas/voice.ts';
import type { PreviewChoice } from '../../../../shared/schemas/settings.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { parseWaveformColumns, plainColumns, type WaveformColumns } from '../waveform/waveform-columns.ts';
import type { PreviewSound } from './preview-player.svelte.ts';

type SourceApi = Pick<
  Api['voices'],
  'getExcerpt' | 'chooseRecording' | 'openRecording' | 'cutExcerpt' | 'removeExcerpt'
>;

interface Dependencies {
  readonly createSound: () => PreviewSound;
  /** Of the player, 0 to 1. */
  readonly volume: () => number;
  readonly settings: () => { readonly previewContent: PreviewChoice; readonly previewText: string } | null;
  updateSettings(change: { readonly previewContent?: PreviewChoice; readonly previewText?: string }): void;
  /** Called before the part is heard. */
  onListen(): void;
}

/** A recording of which the user chooses a part. */
export interface ShownRecording extends Omit<OpenedRecording, 'columns'> {
  readonly columns: WaveformColumns;
}

/** Tenths of a second are as fine as anyone hears the beginning of a word. */
const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
const clamped = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/** What voices are heard with: a sentence, the user's own text, or a part of the user's own recording. */
export class PreviewSource extends ActionState {
  readonly #api: SourceApi;
  readonly #dependencies: Dependencies;
  readonly #beginRequest = createLatest();
  #sound: PreviewSound | undefined;

  /** The part that is kept. */
  excerpt = $state.raw<Excerpt | null>(null);
  /** Of the choice of a part. */
  status = $state<'closed' | 'opening' | 'choosing' | 'keeping'>('closed');
  opened = $state.raw<ShownRecording | null>(null);
  startSeconds = $state(0);
  seconds = $state(0);
  isListening = $state(false);

  constructor(api: SourceApi, dependencies: Dependencies) {
    super();
    this.#api = api;
    this.#dependencies = dependencies;
  }

  get choice(): PreviewChoice {
    const settings = this.#dependencies.settings();
    return settings?.previewContent === 'text' && settings.previewText === ''
      ? 'sentence'
      : (settings?.previewContent ?? 'sentence');
  }

  get text(): string {
    return this.#dependencies.settings()?.previewText ?? '';
  }

  /** The recording that voices are heard with; null for a text. */
  get recording(): Excerpt | null {
    return this.choice === 'recording' ? this.excerpt : null;
  }

  get content(): PreviewContent {
    const { recording } = this;
    if (recording) return { kind: 'recording', excerptId: recording.id };
    const text = this.choice === 'text' ? this.text.trim() : '';
    return { kind: 'text', text: text === '' ? null : text };
  }

  choose(previewContent: PreviewChoice): void {
    this.#dependencies.updateSettings({ previewContent });
  }

  setText(previewText: string): void {
    this.#dependencies.updateSettings({ previewContent: 'text', previewText });
  }

  async load(): Promise<void> {
    // Without it, it can be chosen again.
    this.excerpt = await this.#api.getExcerpt().catch(() => null);
  }

  /** Lets the user select a recording. Returns false if none was selected. */
  async chooseFile(): Promise<boolean> {
    const path = await this.attempt(() => this.#api.chooseRecording());
    if (typeof path !== 'string') return false;
    await this.open({ from: 'file', path });
    return true;
  }

  /** Opens a recording to choose a part of it; `problem` says why it cannot be opened. */
  async open(origin: RecordingOrigin): Promise<void> {
    const isLatest = this.#beginRequest();
    this.stop();
    this.opened = null;
    this.problem = null;
    this.status = 'opening';
    try {
      const opened = await this.#api.openRecording(origin);
      if (!isLatest()) return;
      this.opened = { ...opened, columns: parseWaveformColumns(opened.columns) ?? plainColumns };
      this.seconds = opened.seconds;
      this.startSeconds = opened.startSeconds;
    } catch (error) {
      if (!isLatest()) return;
      this.problem = toProblem(error);
    }
    this.status = 'choosing';
  }

  /** Moves the part, as far as the recording goes. */
  moveTo(startSeconds: number): void {
    const { opened } = this;
    if (!opened) return;
    this.stop();
    this.startSeconds = rounded(clamped(startSeconds, 0, opened.durationSeconds - this.seconds));
  }

  /** Moves the end of the part. */
  resize(seconds: number): void {
    const { opened } = this;
    if (!opened) return;
    this.stop();
    const room = Math.min(maxExcerptSeconds, opened.durationSeconds - this.startSeconds);
    this.seconds = Math.min(room, Math.max(minExcerptSeconds, rounded(seconds)));
  }

  /** Moves the beginning of the part and leaves its end. */
  moveStart(startSeconds: number): void {
    if (!this.opened) return;
    this.stop();
    const end = this.startSeconds + this.seconds;
    const start = rounded(clamped(startSeconds, Math.max(0, end - maxExcerptSeconds), end - minExcerptSeconds));
    this.startSeconds = Math.max(0, start);
    this.seconds = Math.min(maxExcerptSeconds, end - this.startSeconds);
  }

  /** Plays the part as it was recorded, or stops it. */
  toggleListening(): void {
    const { opened } = this;
    if (!opened || this.isListening) return this.stop();
    const { createSound, onListen } = this.#dependencies;
    const sound = (this.#sound ??= this.#attach(createSound()));
    onListen();
    // The sound ends where the part does: https://www.w3.org/TR/media-frags/#naming-time
    sound.src = `media/recording/${opened.id}#t=${this.startSeconds},${this.startSeconds + this.seconds}`;
    this.applyVolume();
    this.isListening = true;
    sound.play().catch(() => this.stop());
  }

  stop(): void {
    this.isListening = false;
    this.#sound?.pause();
    // A sound that is only paused is resumed by the media keys.
    this.#sound?.removeAttribute('src');
    this.#sound?.load();
  }

  /** Follows the volume of the player. */
  applyVolume(): void {
    if (this.#sound) this.#sound.volume = this.#dependencies.volume();
  }

  /** Keeps the part, and voices are heard with it from now on. */
  async keep(): Promise<void> {
    const { opened, startSeconds, seconds } = this;
    if (!opened || this.status !== 'choosing') return;
    const isLatest = this.#beginRequest();
    this.stop();
    this.status = 'keeping';
    const kept = await this.attempt(() => this.#api.cutExcerpt({ recordingId: opened.id, startSeconds, seconds }));
    if (kept) {
      this.excerpt = kept;
      this.choose('recording');
    }
    if (isLatest()) this.#end(kept ? 'closed' : 'choosing');
  }

  close(): void {
    this.#beginRequest();
    this.problem = null;
    this.#end('closed');
  }

  /** Removes the part from this computer. */
  async remove(): Promise<void> {
    await this.attempt(async () => {
      await this.#api.removeExcerpt();
      this.excerpt = null;
    });
    if (!this.problem) this.choose('sentence');
  }

  #end(status: 'closed' | 'choosing'): void {
    this.stop();
    this.status = status;
    if (status === 'closed') this.opened = null;
  }

  #attach(sound: PreviewSound): PreviewSound {
    for (const name of ['ended', 'pause', 'error'] as const)
      sound.addEventListener(name, () => {
        if (this.isListening && (sound.paused || name !== 'pause')) this.stop();
      });
    return sound;
  }
}
