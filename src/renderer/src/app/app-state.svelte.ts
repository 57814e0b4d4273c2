import { type Problem, type Remedy, toAppError } from '../../../shared/errors.ts';
import { isTablePath, isTextPath } from '../../../shared/schemas/watch.ts';
import type { Messages } from '../../../shared/messages/index.ts';
import type { AppInfo, MenuCommand, OpenTarget } from '../../../shared/schemas/app.ts';
import type { HistoryRow, RepeatPreview } from '../../../shared/schemas/history.ts';
import type { JobInfo } from '../../../shared/schemas/job.ts';
import type { Preset } from '../../../shared/schemas/preset.ts';
import { zoomPercents } from '../../../shared/schemas/settings.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { Connections, type ConnectionUsers } from '../features/connections/connections.svelte.ts';
import { AddFiles } from '../features/convert/add-files.svelte.ts';
import { ApiConsole } from '../features/diagnostics/api-console.svelte.ts';
import { LogTail } from '../features/diagnostics/log-tail.svelte.ts';
import { HealthChecks } from '../features/diagnostics/health.svelte.ts';
import { History } from '../features/history/history.svelte.ts';
import { LargestResults } from '../features/history/largest-results.svelte.ts';
import { Repeat } from '../features/history/repeat.svelte.ts';
import { Jobs } from '../features/jobs/jobs.svelte.ts';
import { Pauses } from '../features/jobs/pauses.svelte.ts';
import { ProcessingSpeeds } from '../features/jobs/processing-speed.svelte.ts';
import { WhenDoneState } from '../features/jobs/when-done.svelte.ts';
import { Models } from '../features/models/models.svelte.ts';
import { Pronunciations } from '../features/speech/pronunciations.svelte.ts';
import { Presets } from '../features/presets/presets.svelte.ts';
import { createLevelMeter } from '../features/player/level-meter.ts';
import { Player, type Track } from '../features/player/player.svelte.ts';
import { DesktopState } from '../features/settings/desktop.svelte.ts';
import { JobDefaults, type JobOrder } from '../features/settings/job-defaults.svelte.ts';
import { HookState } from '../features/jobs/hook.svelte.ts';
import { AboutState } from '../features/settings/about.svelte.ts';
import { UpdatesState } from '../features/settings/updates.svelte.ts';
import { FfmpegState } from '../features/settings/ffmpeg.svelte.ts';
import { TakesState } from '../features/settings/takes.svelte.ts';
import { CopiesState } from '../features/settings/copies.svelte.ts';
import { JobPresets } from '../features/presets/job-presets.svelte.ts';
import { SettingsState } from '../features/settings/settings.svelte.ts';
import { PassagePlayer } from '../features/speech/passage-player.svelte.ts';
import { Passages } from '../features/speech/passages.svelte.ts';
import { SpeechBatch } from '../features/speech/speech-batch.svelte.ts';
import { Speech } from '../features/speech/speech.svelte.ts';
import { SupportedFormats } from '../features/voices/voice-details.svelte.ts';
import { VoiceBrowser } from '../features/voices/voice-browser.svelte.ts';
import { PreviewSource } from '../features/voices/preview-source.svelte.ts';
import { PreviewPlayer } from '../features/voices/preview-player.svelte.ts';
import { VoiceComparison } from '../features/voices/voice-comparison.svelte.ts';
import { Voices } from '../features/voices/voices.svelte.ts';
import { Watch } from '../features/watch/watch.svelte.ts';
import { Waveforms } from '../features/waveform/waveforms.svelte.ts';
import { type Api, toProblem } from '../lib/api.ts';
import { createAudioFocus } from '../lib/audio-focus.ts';
import { Clock } from '../lib/clock.svelte.ts';
import { createInternalDrag, FileDrop } from '../lib/file-drop.svelte.ts';
import { I18n } from '../lib/i18n.svelte.ts';
import { isBlockedByDialog } from '../lib/is-blocked-by-dialog.ts';
import { KeyBindings } from '../lib/key-bindings.svelte.ts';
import { pageStorage } from '../lib/page-storage.ts';
import { Shell } from '../lib/shell.svelte.ts';
import { Theme } from '../lib/theme.svelte.ts';
import { Viewport } from '../lib/viewport.svelte.ts';
import { ClosePrompt } from './close-prompt.svelte.ts';
import { QuitPrompt } from './quit-prompt.svelte.ts';

const flushTimeoutMs = 2000;

const isText = (name: string): boolean => isTextPath(name) || isTablePath(name);

/**
 * All state of the window, made of the states of its domains. `start` subscribes, tells main that the page listens, and only then
 * requests snapshots; it may be called again after a failure.
 */
export class AppState {
  readonly #api: Api;
  readonly #pathForFile: (file: File) => string;
  #unsubscribe: (() => void) | undefined;
  /** Resolves once the snapshots are loaded: files dropped before that are added then. */
  readonly #ready = Promise.withResolvers<void>();
  readonly #runCommand = Promise.withResolvers<(id: string) => void>();
  readonly #audioFocus = createAudioFocus();

  readonly shell = new Shell();
  readonly theme = new Theme();
  readonly viewport = new Viewport();
  readonly clock = new Clock();
  readonly keyBindings = new KeyBindings();
  readonly i18n: I18n;
  readonly settings: SettingsState;
  readonly connections: Connections;
  readonly voices: Voices;
  readonly browser: VoiceBrowser;
  readonly formats: SupportedFormats;
  readonly defaults: JobDefaults;
  readonly presets: Presets;
  readonly pronunciations: Pronunciations;
  readonly jobPresets: JobPresets;
  readonly models: Models;
  readonly jobs: Jobs;
  readonly pauses: Pauses;
  readonly processingSpeeds: ProcessingSpeeds;
  readonly waveforms: Waveforms;
  readonly player = new Player();
  /** Call when the player begins to play. */
  readonly takeAudioFocus = this.#audioFocus.join(() => this.player.pause());
  readonly previewSource: PreviewSource;
  readonly previews: PreviewPlayer;
  readonly comparison: VoiceComparison;
  readonly adding: AddFiles;
  readonly internalDrag = createInternalDrag();
  readonly fileDrop: FileDrop;
  readonly speech: Speech;
  readonly batch: SpeechBatch;
  readonly passages: Passages;
  readonly passagePlayer: PassagePlayer;
  readonly watch: Watch;
  readonly history: History;
  readonly repeat: Repeat;
  readonly largestResults: LargestResults;
  readonly healthChecks: HealthChecks;
  readonly apiConsole: ApiConsole;
  readonly log: LogTail;
  readonly desktop: DesktopState;
  readonly copies: CopiesState;
  readonly takes: TakesState;
  readonly ffmpeg: FfmpegState;
  readonly about: AboutState;
  readonly updates: UpdatesState;
  readonly hook: HookState;
  readonly closePrompt: ClosePrompt;
  readonly quitPrompt: QuitPrompt;
  readonly whenDone: WhenDoneState;

  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  fileActions = $state.raw<AppInfo['fileActions']>([]);
  portableFolder = $state.raw<string | null>(null);
  /** Why the jobs could not be read. Everything else works without them. */
  queueProblem = $state.raw<Problem | null>(null);

  readonly isFirstStart: boolean = $derived.by(
    () =>
      this.settings.value?.conversion.voiceId === '' &&
      this.queueProblem === null &&
      this.jobs.queue.length + this.jobs.done.length === 0,
  );
  /** The loaded track as the lists show it now; a track that left every list keeps playing. */
  readonly playing: Track | null = $derived.by(() => {
    const { track } = this.player;
    return track && (this.#findTrack(track.id) ?? track);
  });
  /** True if there is something to pause or resume. */
  readonly canPause: boolean = $derived.by(() => this.jobs.open.length > 0 || this.pauses.isPausedByUser);

  constructor(api: Api, pathForFile: (file: File) => string, messages: Messages) {
    this.#api = api;
    this.#pathForFile = pathForFile;
    this.i18n = new I18n(messages);
    this.settings = new SettingsState(api.settings);
    this.connections = new Connections(api.connections, (id) => {
      if (id === this.defaults.connection?.id) void this.voices.reload(id);
    });
    this.voices = new Voices(api);
    this.formats = new SupportedFormats(api.voices);
    this.previewSource = new PreviewSource(api.voices, {
      createSound: () => new Audio(),
      volume: () => this.player.volume,
      settings: () => this.settings.value,
      updateSettings: (change) => this.settings.update(change),
      onListen: this.#audioFocus.join(() => this.previewSource.stop()),
    });
    this.previews = new PreviewPlayer(api.voices, {
      createSound: () => new Audio(),
      createMeter: createLevelMeter,
      volume: () => this.player.volume,
      source: this.previewSource,
      onListen: this.#audioFocus.join(() => this.previews.stop()),
    });
    this.comparison = new VoiceComparison(api.voices, {
      createSound: () => new Audio(),
      createMeter: createLevelMeter,
      volume: () => this.player.volume,
      source: this.previewSource,
      onListen: this.#audioFocus.join(() => this.comparison.pause()),
      onFeatures: (...heard) => this.previews.learn(...heard),
    });
    this.browser = new VoiceBrowser(api.voices, {
      all: this.voices,
      previews: this.previews,
      i18n: this.i18n,
      shell: this.shell,
      storage: pageStorage,
    });
    this.defaults = new JobDefaults({
      chooseFolder: api.app.chooseFolder,
      settings: this.settings,
      connections: this.connections,
      voices: this.voices,
      shell: this.shell,
      i18n: this.i18n,
    });
    this.presets = new Presets(api.presets);
    this.pronunciations = new Pronunciations(api.pronunciations);
    this.jobPresets = new JobPresets(this);
    this.models = new Models(api.models, () => this.voices.loadOwn());
    this.jobs = new Jobs(api, this.internalDrag, (cancelled) => this.adding.forget(cancelled));
    this.pauses = new Pauses(api.jobs);
    this.processingSpeeds = new ProcessingSpeeds(api.jobs);
    this.waveforms = new Waveforms(api.jobs.getWaveform);
    this.adding = new AddFiles(api, {
      pathForFile,
      order: () => this.#orderForJobs(),
      findJob: (id) => this.jobs.find(id),
    });
    this.fileDrop = new FileDrop({
      internalDrag: this.internalDrag,
      isBlocked: isBlockedByDialog,
      onRecording: (file) => void this.previewSource.open({ from: 'file', path: pathForFile(file) }),
      onDrop: (files, voiceId) => this.openDropped(files, voiceId),
      onFolders: (files) => void this.#watchDropped(files),
    });
    this.speech = new Speech(api.speech);
    this.batch = new SpeechBatch(api.speech);
    const isSpeaking = () => this.jobs.speech.some(({ state }) => state === 'queued' || state === 'converting');
    this.passages = new Passages(api.speech, this.speech, isSpeaking);
    this.passagePlayer = new PassagePlayer({
      createSound: () => new Audio(),
      volume: () => this.player.volume,
      list: () => this.passages.list,
      isGrowing: () => this.passages.isGrowing,
      pauses: () => this.defaults.speech?.pauses,
      onListen: this.#audioFocus.join(() => this.passagePlayer.stop()),
    });
    this.watch = new Watch(api, {
      connections: this.connections,
      conversion: () => this.defaults.forWatchFolder(),
      onAttention: ({ path }) => this.shell.announce(this.i18n.t.watch.files.attentionNow({ name: path })),
    });
    this.history = new History(
      api.history,
      (run) => requestAnimationFrame(run),
      this.internalDrag,
      (preview) => this.#confirmRepeat(preview),
    );
    this.repeat = new Repeat(api, this.connections, this.history.actions);
    this.largestResults = new LargestResults(api);
    this.healthChecks = new HealthChecks(api.diagnostics);
    this.apiConsole = new ApiConsole(api.diagnostics);
    this.log = new LogTail(api.diagnostics);
    this.desktop = new DesktopState(api.app);
    this.copies = new CopiesState(api.copies);
    this.takes = new TakesState(api.speech);
    this.ffmpeg = new FfmpegState(api.ffmpeg, () => this.waveforms.redrawPlain());
    this.about = new AboutState(api.app);
    this.updates = new UpdatesState(api.updates, pageStorage);
    this.hook = new HookState(api.hook);
    this.quitPrompt = new QuitPrompt(api.app, this.adding, () => this.flush());
    this.whenDone = new WhenDoneState(api.app);
    this.closePrompt = new ClosePrompt(api.app, {
      save: (closeAction) => {
        this.settings.update({ closeAction });
        return this.flush();
      },
      expectQuit: () => this.quitPrompt.expect(),
    });
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
        this.loadQueue(),
        this.watch.load(),
        this.presets.load(),
        this.previewSource.load(),
        this.whenDone.load(),
        this.hook.load(),
      ]);
      this.fileActions = info.fileActions;
      this.portableFolder = info.portableFolder;
      this.about.version = info.version;
      await this.i18n.follow(info, this.settings.value?.language ?? 'system');
      this.status = 'ready';
      this.#ready.resolve();
      void this.updates.load();
    } catch (error) {
      this.problem = toProblem(error);
      this.status = 'failed';
    }
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Loads jobs and pauses. On failure `queueProblem` has the reason, and it may be called again. */
  async loadQueue(): Promise<void> {
    try {
      await Promise.all([this.jobs.load(), this.pauses.load()]);
      this.queueProblem = null;
    } catch (error) {
      this.queueProblem = toProblem(error);
    }
  }

  /** Sends main every change that is still delayed, and waits two seconds at most: a disk may hang. */
  async flush(): Promise<void> {
    const timeout = new Promise((resolve) => setTimeout(resolve, flushTimeoutMs));
    const speech = this.passages.finishEdit?.().then(() => this.speech.flush()) ?? this.speech.flush();
    await Promise.race([Promise.all([this.settings.flush(), speech, this.voices.saveNotes()]), timeout]);
  }

  /** Zooms one step in or out; 0 resets the zoom. */
  zoom(step: -1 | 0 | 1): void {
    const now = zoomPercents.indexOf(this.settings.value?.zoomPercent ?? 100);
    const zoomPercent = step === 0 ? 100 : zoomPercents[now + step];
    if (zoomPercent === undefined) return;
    this.settings.update({ zoomPercent });
    void this.settings.flush();
    this.shell.announce(this.i18n.t.shortcuts.zoomedTo({ percent: zoomPercent }));
  }

  togglePause(): void {
    void (this.pauses.isPausedByUser ? this.pauses.resume(null) : this.pauses.pause());
  }

  /** Retries all jobs that it may mend. Many that go to a service may cost as much as adding them, so it asks too. */
  async retryAll(): Promise<void> {
    const { retryable } = this.jobs;
    const sent = retryable.filter(({ connectionId }) => this.connections.find(connectionId)?.kind !== 'local');
    const seconds = sent.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
    const preview = {
      recordings: sent.length,
      seconds,
      longestSeconds: seconds,
      unmeasured: sent.filter(({ durationSeconds }) => durationSeconds === null).length,
      tooLong: 0,
    };
    const services = Object.keys(Object.groupBy(sent, ({ connectionName }) => connectionName));
    if (!(await this.adding.confirm(preview, this.i18n.t.format.list(services)))) return;
    await this.jobs.retry(retryable.map(({ id }) => id));
  }

  /** Asks before much of history goes to services again. Texts have a length only once they are spoken. */
  #confirmRepeat({ services, entries, texts, seconds, unmeasured }: RepeatPreview): Promise<boolean> {
    const sound = texts > 0 ? { seconds: 0, unmeasured: 0 } : { seconds, unmeasured };
    const preview = { ...sound, recordings: entries, longestSeconds: seconds, tooLong: 0 };
    return this.adding.confirm(preview, this.i18n.t.format.list(services), 'repeat');
  }

  /** Opens the texts among the files in Speech, and adds the others: with another voice than the selected one, if `voiceId` is given. */
  openDropped(files: readonly File[], voiceId?: string): void {
    const recordings = files.filter(({ name }) => !isText(name));
    if (recordings.length > 0) this.#addWhenReady(() => this.adding.addFiles(recordings, voiceId));
    this.#openTexts(files.filter(({ name }) => isText(name)).map(this.#pathForFile));
  }

  async #watchDropped(files: readonly File[]): Promise<void> {
    const others = await this.watch.addDropped(files, this.#pathForFile);
    if (others.length > 0) this.openDropped(others);
  }

  addWatchFolder(): void {
    this.shell.openView('watch');
    void this.watch.add();
  }

  speakWith({ id }: Voice): void {
    this.settings.updateSpeech({ voiceId: id });
    this.shell.isSidePanelOpen = false;
    this.shell.openView('speech');
  }

  /** Opens the form that converts an entry again with other settings. */
  convertDifferently({ id }: JobInfo): void {
    this.shell.openView('history');
    void this.repeat.open(id);
  }

  /** Opens the choice of a part of an entry's original. */
  tryVoicesOn({ id }: Pick<HistoryRow, 'id'>): void {
    this.shell.openView('voices');
    void this.previewSource.open({ from: 'job', id });
  }

  runRemedy(remedy: Remedy, connectionId: string | null): void {
    const parts = {
      'enter-token': 'token',
      'test-connection': 'test',
      'edit-connection': 'document',
      'change-proxy': 'proxy',
      'change-hook': 'hook',
      'set-up-ffmpeg': 'ffmpeg',
      update: 'updates',
    } as const;
    if (remedy === 'choose-voice') {
      if (this.shell.view === 'convert' || this.shell.view === 'speech') this.shell.isVoicePickerOpen = true;
      else this.shell.openView('voices');
    } else if (remedy === 'go-online') {
      this.settings.setOfflineMode(false);
      if (this.shell.unexpectedProblem?.code === 'settings/damaged') this.shell.unexpectedProblem = null;
    } else if (remedy === 'free-space') void this.largestResults.open();
    else this.shell.openSettings({ part: parts[remedy], connectionId });
  }

  /** What stops working if a connection is removed. */
  connectionUsers(id: string): ConnectionUsers {
    const names = (users: readonly { readonly name: string }[]) => users.map(({ name }) => name);
    return {
      folders: names(this.watch.list.filter(({ settings }) => settings.connectionId === id)),
      presets: names(this.presets.list.filter(({ connectionId }) => connectionId === id)),
    };
  }

  /** Applies a preset and opens the view that it is for. */
  usePreset(preset: Preset): void {
    this.jobPresets.apply(preset);
    this.shell.openView(preset.kind === 'speech' ? 'speech' : 'convert');
    this.shell.announce(this.i18n.t.presets.using({ name: preset.name }));
  }

  /** Shows and logs an error that no action of the user caused. */
  report(error: unknown): void {
    // Notices of the browser, such as that a size could not be observed in time, carry no error.
    const problem = error === null ? null : toProblem(error);
    if (!problem) return;
    this.shell.unexpectedProblem = problem;
    if (problem.code !== 'internal') return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // Without main there is nowhere left to log it.
    this.#api.app.note({ text: text.slice(0, 20_000) }).catch(() => undefined);
  }

  /** Runs what is selected in the application menu, also what was before this call. */
  answerMenu(run: (id: string) => void): void {
    this.#runCommand.resolve(run);
  }

  setMenu(commands: readonly MenuCommand[]): void {
    this.#api.app.setMenu({ commands }).catch((error: unknown) => this.report(error));
  }

  /** Main asks first if work is open. */
  async quit(): Promise<void> {
    await this.#api.app.close({ action: 'quit' });
  }

  restart(): void {
    void this.#api.app.restart();
  }

  /** Unloads a track that cannot be played and is in no list: its file was removed. */
  clearLostTrack(): void {
    const { track, hasFailed } = this.player;
    if (track && hasFailed && !this.#findTrack(track.id)) this.player.clear();
  }

  #findTrack(id: string): Track | undefined {
    return this.jobs.find(id) ?? this.watch.files.findJob(id) ?? this.history.findPlaying(id);
  }

  async #orderForJobs(): Promise<JobOrder | null> {
    if (this.queueProblem) await this.loadQueue();
    if (this.queueProblem) throw toAppError({ ...this.queueProblem, message: 'the jobs cannot be read' });
    return this.defaults.forJobs();
  }

  #subscribe(): void {
    if (this.#unsubscribe) return;
    const parts = [
      this.settings,
      this.connections,
      this.presets,
      this.jobs,
      this.pauses,
      this.closePrompt,
      this.quitPrompt,
      this.whenDone,
      this.hook,
      this.updates,
      this.healthChecks,
      this.watch,
      this.history,
    ];
    const ends = [
      ...parts.map((part) => part.subscribe()),
      this.#api.app.onDatabaseDamaged((problem) => this.#reload(problem)),
      this.#api.app.onHidden(({ hiding }) => void this.#hide(hiding)),
      this.#api.app.onOpenRequested((target) => this.#open(target)),
      this.#api.app.onCommandRequested(({ id }) => void this.#runCommand.promise.then((run) => run(id))),
      this.#api.app.onDefect((problem) => (this.shell.unexpectedProblem = problem)),
    ];
    this.#unsubscribe = () => ends.forEach((end) => end());
  }

  async #hide(hiding: number): Promise<void> {
    this.#audioFocus.silenceAll();
    this.closePrompt.cancel();
    // A question that nobody sees must not quit later.
    void this.quitPrompt.cancel();
    // The rest of a large drop is only known to this page.
    await this.adding.whenAdded();
    await this.flush();
    // The user may have begun to fill in an open form.
    if (document.forms.length === 0) await this.#api.app.allowUnload({ hiding });
  }

  #open(target: OpenTarget): void {
    if (target.kind === 'files') {
      const recordings = target.paths.filter((path) => !isText(path));
      if (recordings.length > 0) this.#addWhenReady(() => this.adding.addPaths(recordings));
      this.#openTexts(target.paths.filter(isText));
      return;
    }
    if (target.kind === 'jobs') this.shell.jobList = target.list;
    else if (target.search !== null) {
      this.history.query.replace(target.search);
      this.history.statistics.isOpen = false;
    }
    this.shell.openView(target.kind === 'jobs' ? 'convert' : target.view);
  }

  #addWhenReady(add: () => Promise<void>): void {
    void this.#ready.promise.then(() => {
      this.shell.view = 'convert';
      return add();
    });
  }

  #openTexts(paths: readonly string[]): void {
    if (paths.length === 0) return;
    void this.#ready.promise.then(() => {
      this.shell.view = 'speech';
      return this.batch.open(paths);
    });
  }

  /** Main replaced a damaged database with what could be salvaged, or opened one that can only be read. */
  #reload(problem: Problem): void {
    if (problem.code === 'data/newer') this.shell.readOnlyProblem = problem;
    else this.shell.unexpectedProblem = problem;
    void Promise.all([this.connections.load(), this.loadQueue(), this.watch.load(), this.presets.load()]);
  }
}
