import { type ConversionSettings, fitSettings, zoomPercents } from '../../../shared/schemas/settings.ts';
import type { Messages } from '../../../shared/messages/index.ts';
import { errorFrom, type Problem } from '../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../shared/schemas/connection.ts';
import type { SpeechSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { type Api, toProblem } from '../lib/api.ts';
import { Clock } from '../lib/clock.svelte.ts';
import { Connections } from '../features/connections/connections.svelte.ts';
import { ApiConsole } from '../features/diagnostics/api-console.svelte.ts';
import { HealthChecks } from '../features/diagnostics/health.svelte.ts';
import { AddFiles } from '../features/convert/add-files.svelte.ts';
import { HistoryState } from '../features/history/history.svelte.ts';
import { createInternalDrag, FileDrop } from '../lib/file-drop.svelte.ts';
import { Jobs } from '../features/jobs/jobs.svelte.ts';
import { QuitPrompt } from './quit-prompt.svelte.ts';
import { Models } from '../features/models/models.svelte.ts';
import { ProcessingSpeeds } from '../features/jobs/processing-speed.svelte.ts';
import { Pauses } from '../features/jobs/pauses.svelte.ts';
import { Player, type Track } from '../features/player/player.svelte.ts';
import { Repeat } from '../features/history/repeat.svelte.ts';
import { Speech } from '../features/speech/speech.svelte.ts';
import { SettingsState } from '../features/settings/settings.svelte.ts';
import { Waveforms } from '../features/waveform/waveforms.svelte.ts';
import { VoiceBrowser } from '../features/voices/voice-browser.svelte.ts';
import { VoiceDetails } from '../features/voices/voice-details.svelte.ts';
import { Voices } from '../features/voices/voices.svelte.ts';
import { Look } from '../lib/theme.svelte.ts';
import type { ViewId } from './views.ts';
import { Watch } from '../features/watch/watch.svelte.ts';
import { I18n } from '../lib/i18n.svelte.ts';

/**
 * All state of the window, made of the states of its parts. `start` subscribes, tells main that the page listens, and only then asks
 * for snapshots; it may be called again after a failure.
 */
export class AppState {
  readonly #api: Api;
  #end: (() => void) | undefined;

  readonly look = new Look();
  readonly i18n: I18n;
  readonly clock = new Clock();
  readonly player = new Player();
  readonly settings: SettingsState;
  readonly connections: Connections;
  readonly voices: Voices;
  readonly speech: Speech;
  readonly browser: VoiceBrowser;
  /** What the voices list that something is converted with. */
  readonly #details: VoiceDetails;
  readonly models: Models;
  readonly jobs: Jobs;
  readonly pauses: Pauses;
  readonly processingSpeeds: ProcessingSpeeds;
  readonly quitPrompt: QuitPrompt;
  readonly waveforms: Waveforms;
  readonly adding: AddFiles;
  readonly internalDrag = createInternalDrag();
  readonly fileDrop: FileDrop;
  readonly healthChecks: HealthChecks;
  readonly apiConsole: ApiConsole;
  readonly watch: Watch;
  readonly history: HistoryState;
  readonly repeat: Repeat;

  /** Kept until it is asked for: what is dropped on a window that still opens is added once it has. */
  readonly #ready = Promise.withResolvers<void>();

  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  /** Why there is no queue: the list of jobs could not be read. All else goes on without it. */
  queueProblem = $state.raw<Problem | null>(null);
  /** Said once to those who hear the window instead of seeing it. */
  announcement = $state('');
  /** What went wrong without anybody having asked for it. */
  unexpectedProblem = $state.raw<Problem | null>(null);
  view = $state<ViewId>('convert');
  isVoicePickerOpen = $state(false);
  /** The side pane as a sheet, where the window is narrow. */
  isSidePanelOpen = $state(false);
  isShortcutsOpen = $state(false);
  /** The voice that is marked on the shelf of the first start, before anything was chosen for good. */
  firstStartVoiceId = $state<string | null>(null);

  readonly connection: ConnectionInfo | undefined = $derived.by(() =>
    this.connections.find(this.settings.value?.connectionId ?? ''),
  );
  /** The chosen voice; undefined where none was chosen, or it left the catalogue. */
  readonly voice: Voice | undefined = $derived.by(() =>
    this.voices.find(this.settings.value?.conversion.voiceId ?? ''),
  );
  /** What the sliders show is what is asked for, whichever connection it was set for. */
  readonly conversion: ConversionSettings | undefined = $derived.by(() =>
    this.#fitted(this.settings.value?.conversion),
  );
  readonly speechSettings: SpeechSettings | undefined = $derived.by(() => this.#fitted(this.settings.value?.speech));
  /** The voice that speaks: the one that was chosen for it, else that of the conversions, else the first there is. */
  readonly speaker: Voice | undefined = $derived.by(() => {
    const id = this.settings.value?.speech.voiceId || this.settings.value?.conversion.voiceId;
    return id ? this.voices.find(id) : this.voices.list[0];
  });
  readonly isFirstStart: boolean = $derived.by(
    () =>
      this.settings.value?.conversion.voiceId === '' &&
      this.queueProblem === null &&
      this.jobs.queue.length + this.jobs.done.length === 0,
  );

  /** What is loaded in the player, as the lists have it now. A list that it left says nothing about its file: it plays on. */
  readonly playing: Track | null = $derived.by(() => {
    const { track } = this.player;
    return track && (this.#listed(track.id) ?? track);
  });

  /** There is something to pause, or a pause to end. */
  readonly canPause: boolean = $derived.by(() => this.jobs.open.length > 0 || this.pauses.isPersons);

  constructor(api: Api, pathForFile: (file: File) => string, messages: Messages) {
    this.#api = api;
    this.i18n = new I18n(messages);
    this.settings = new SettingsState(api.settings);
    this.connections = new Connections(api.connections, (id) => {
      this.browser.forget(id);
      if (id === this.connection?.id) void this.voices.reload(id);
    });
    this.speech = new Speech(api.speech);
    this.voices = new Voices(api);
    this.#details = new VoiceDetails(api.voices);
    this.browser = new VoiceBrowser(api.voices, this.voices, this.i18n);
    this.models = new Models(api.models, () => this.voices.loadOwn());
    this.jobs = new Jobs(api.jobs);
    this.pauses = new Pauses(api.jobs);
    this.processingSpeeds = new ProcessingSpeeds(api.jobs);
    this.quitPrompt = new QuitPrompt(api.app, () => this.keep());
    this.waveforms = new Waveforms(api.jobs.fold);
    this.adding = new AddFiles(api, pathForFile, () => this.#conversion());
    this.healthChecks = new HealthChecks(api.diagnostics);
    this.apiConsole = new ApiConsole(api.diagnostics);
    this.watch = new Watch(api, {
      connections: this.connections,
      conversion: () => this.#watchStart(),
      onAttention: ({ path }) => (this.announcement = this.i18n.t.watch.files.attentionNow(path)),
    });
    this.history = new HistoryState(api.history, (run) => requestAnimationFrame(run), this.internalDrag);
    this.repeat = new Repeat(api, this.connections, this.history.deeds);
    this.fileDrop = new FileDrop({ ownDrag: this.internalDrag, onDrop: (files) => this.addFiles(files) });
  }

  async start(): Promise<void> {
    this.status = 'loading';
    this.problem = null;
    try {
      this.#subscribe();
      await this.#api.app.ready();
      const [info] = await Promise.all([
        this.#api.app.info(),
        this.settings.load(),
        this.connections.load(),
        this.openQueue(),
        this.watch.load(),
      ]);
      await this.i18n.follow(info, this.settings.value?.language ?? 'system');
      this.status = 'ready';
      this.#ready.resolve();
    } catch (error) {
      this.problem = toProblem(error);
      this.status = 'failed';
    }
  }

  /** Reads the list of jobs; where that fails, `queueProblem` says why, and this may be called again. */
  async openQueue(): Promise<void> {
    try {
      await Promise.all([this.jobs.load(), this.pauses.load()]);
      this.queueProblem = null;
    } catch (error) {
      this.queueProblem = toProblem(error);
    }
  }

  /** Sends main what was typed or chosen and is still to be sent. */
  async keep(): Promise<void> {
    await Promise.all([this.settings.flush(), this.speech.flush()]);
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
  }

  /** The next larger or smaller size of the page; 0 is the usual one. */
  zoom(step: -1 | 0 | 1): void {
    const now = zoomPercents.indexOf(this.settings.value?.zoomPercent ?? 100);
    const zoomPercent = step === 0 ? 100 : zoomPercents[now + step];
    if (zoomPercent === undefined) return;
    this.settings.update({ zoomPercent });
    void this.settings.flush();
    this.announcement = this.i18n.t.keys.zoomedTo(zoomPercent);
  }

  togglePause(): void {
    void (this.pauses.isPersons ? this.pauses.resume(null) : this.pauses.pause());
  }

  /** Something failed that nobody asked for: the window says so, and the log has it. */
  report(error: unknown): void {
    this.unexpectedProblem = toProblem(error);
    if (this.unexpectedProblem.code !== 'internal') return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // Where main can't be reached either, nobody can.
    this.#api.app.note({ text: text.slice(0, 20_000) }).catch(() => undefined);
  }

  restart(): void {
    void this.#api.app.restart();
  }

  addFiles(files: readonly File[]): void {
    void this.#ready.promise.then(() => {
      this.view = 'convert';
      return this.adding.addFiles(files);
    });
  }

  /** Asks what formats a voice can be had in. The engine of this computer writes ours, and is not started for it. */
  lookAtFormats(connection: ConnectionInfo | undefined, voice: Voice | undefined): void {
    if (connection?.kind === 'remote' && voice) void this.#details.show(connection.id, voice.id);
  }

  formatsOf(connection: ConnectionInfo | undefined, voice: Voice | undefined): readonly string[] {
    const { current } = this.#details;
    return connection?.kind === 'remote' && current?.voiceId === voice?.id ? (current?.supportedFormats ?? []) : [];
  }

  chooseVoice({ id, name }: Voice): void {
    this.settings.updateConversion({ voiceId: id });
    this.announcement = this.i18n.t.voices.using(name);
  }

  /** Marks the voice that is looked at as a favourite, or takes the mark away. */
  markVoice(): boolean {
    const voice = this.browser.selected;
    if (!voice) return false;
    void this.#mark(voice);
    return true;
  }

  speakWith({ id }: Voice): void {
    this.settings.updateSpeech({ voiceId: id });
    this.isSidePanelOpen = false;
    this.view = 'speech';
  }

  async speak(): Promise<void> {
    if (!this.speechSettings || !this.speaker) return;
    // Main reads names and folders from what it keeps.
    await this.settings.flush();
    await this.speech.speak({ ...$state.snapshot(this.speechSettings), voiceId: this.speaker.id });
  }

  addWatchFolder(): void {
    this.view = 'watch';
    void this.watch.add();
  }

  async chooseOutputFolder(): Promise<void> {
    try {
      const folder = await this.#api.app.chooseFolder();
      if (folder !== null) this.settings.update({ outputFolder: folder });
    } catch (error) {
      this.settings.problem = toProblem(error);
    }
  }

  /** The file that is loaded can't be played and is in no list any more: it is gone, and nobody needs to hear of it. */
  forgetHeard(): void {
    const { track, hasFailed } = this.player;
    if (track && hasFailed && !this.#listed(track.id)) this.player.clear();
  }

  #listed(id: string): Track | undefined {
    return this.jobs.find(id) ?? this.watch.files.findJob(id) ?? this.history.findHeard(id);
  }

  /** New folders begin with what recordings are converted with just now. */
  #watchStart(): { readonly connectionId: string; readonly conversion: ConversionSettings } | null {
    const { conversion, connection } = this;
    return conversion && connection ? { connectionId: connection.id, conversion: $state.snapshot(conversion) } : null;
  }

  #fitted<S extends ConversionSettings | SpeechSettings>(settings: S | undefined): S | undefined {
    return settings && this.connection ? fitSettings(settings, this.connection) : settings;
  }

  #subscribe(): void {
    if (this.#end) return;
    const ends = [
      this.settings,
      this.connections,
      this.jobs,
      this.pauses,
      this.quitPrompt,
      this.healthChecks,
      this.watch,
      this.history,
    ].map((part) => part.subscribe());
    ends.push(
      this.#api.app.onDamaged((problem) => this.#readAgain(problem)),
      this.#api.app.onDefect((problem) => (this.unexpectedProblem = problem)),
    );
    this.#end = () => ends.forEach((end) => end());
  }

  /** Says what it is once that is kept. */
  async #mark({ id, name }: Voice): Promise<void> {
    const { favourites } = this.browser;
    await favourites.toggle(id);
    const { isFavourite, isNoFavourite } = this.i18n.t.voices;
    this.announcement = (favourites.has(id) ? isFavourite : isNoFavourite)(name);
  }

  /** The record of all work is another one now. */
  #readAgain(problem: Problem): void {
    this.unexpectedProblem = problem;
    void Promise.all([this.connections.load(), this.openQueue(), this.watch.load()]);
  }

  /** What new jobs ask for. Where no voice was chosen yet, the marked one of the shelf is now chosen for good. */
  async #conversion(): Promise<ConversionSettings | null> {
    const { conversion } = this;
    if (!conversion) return null;
    if (this.queueProblem) await this.openQueue();
    if (this.queueProblem) throw errorFrom({ ...this.queueProblem, message: 'there is no queue' });
    // Main reads names and folders from what it keeps: a change that is still to be sent counts for what is added after it.
    await this.settings.flush();
    if (conversion.voiceId !== '') return $state.snapshot(conversion);
    // Whoever is quicker than the catalogue means its first voice.
    if (this.voices.list.length === 0 && this.connection) await this.voices.load(this.connection.id);
    const voiceId = this.firstStartVoiceId ?? this.voices.list[0]?.id ?? '';
    if (voiceId !== '') this.settings.updateConversion({ voiceId });
    return { ...$state.snapshot(conversion), voiceId };
  }
}
