import { event, request } from './define-contract.ts';
import type { Problem } from '../errors.ts';
import type {
  AppInfo,
  CloseRequest,
  DesktopInfo,
  MenuCommand,
  Notice,
  OpenTarget,
  QuitRequest,
  WhenDone,
  WhenDoneAction,
  FfmpegStatus,
} from '../schemas/app.ts';
import type {
  ConnectionCheck,
  ConnectionDocument,
  ConnectionInfo,
  SavedDocument,
  TokenState,
} from '../schemas/connection.ts';
import type { ApiCall } from '../operations.ts';
import type { CopyStatus } from '../schemas/copies.ts';
import type { HookRun, HookSettings, HookStatus } from '../schemas/hook.ts';
import type { HealthReport, ChosenFile, Exchange } from '../schemas/diagnostics.ts';
import type { LogPage, LogQuery } from '../schemas/log.ts';
import type {
  AddedJobs,
  AddPreview,
  JobChanges,
  JobPage,
  JobProgress,
  Pause,
  UndoneAddition,
  WaveformData,
} from '../schemas/job.ts';
import type {
  RepeatChanges,
  RepeatPreview,
  RepeatResult,
  SelectionRef,
  DiskResults,
  HistoryDetail,
  HistoryExport,
  HistoryFound,
  HistoryImportReport,
  HistoryList,
  FileStatusReport,
  HistoryPage,
  HistoryRemoval,
  HistoryRow,
  HistorySuggestions,
  RestoredResults,
  LongTaskProgress,
} from '../schemas/history.ts';
import type { Preset, PresetContent, PresetImport } from '../schemas/preset.ts';
import type { ConversionSettings, CopySettings, Settings } from '../schemas/settings.ts';
import type { UpdateStatus } from '../schemas/update.ts';
import type { Statistics, StatisticsQuery, StatisticsTable } from '../schemas/statistics.ts';
import type {
  AddedBatch,
  BatchPage,
  BatchSettings,
  KeptText,
  OpenedTexts,
  PassagePage,
  SpeechOutline,
  SpeechSettings,
  TakeUsage,
  TextPart,
} from '../schemas/speech.ts';
import type { Pronunciation } from '../text/pronounce.ts';
import type { PronunciationId, PronunciationImport } from '../schemas/pronunciation.ts';
import type {
  CataloguePage,
  CatalogueQuery,
  DeletedModel,
  Excerpt,
  ModelPage,
  OpenedRecording,
  PreviewContent,
  PreviewSpending,
  RecordingOrigin,
  Voice,
  VoiceDetail,
  VoiceFeatures,
  VoicePreview,
} from '../schemas/voice.ts';
import type {
  WatchExplanation,
  WatchedFileChanges,
  WatchedFilePage,
  WatchFolderInfo,
  WatchPreview,
  WatchSettings,
} from '../schemas/watch.ts';

/**
 * All requests and events between the page and main. Handlers, emitters, the page's client, channel
 * names and test fakes are derived from this value. `ipc/inputs.ts` has the schemas of its inputs.
 */
export const contract = {
  app: {
    info: request<void, AppInfo>(),
    /** What ships with Timbre, with the text of each licence. */
    notices: request<void, readonly Notice[]>(),
    /** The page is ready for events; main sends none before. */
    ready: request<void, void>(),
    /** Opens the system's file dialog. An empty list means cancelled. */
    chooseFiles: request<void, readonly string[]>(),
    chooseFolder: request<void, string | null>(),
    /**
     * The user wants to quit while work is open. Main waits for `quit` or `cancelQuit`, and sends this
     * again when the numbers change.
     */
    quitRequested: event<QuitRequest>(),
    /** `answered` quits once no service owes a reply. */
    quit: request<{ readonly when: 'now' | 'answered' }, void>(),
    cancelQuit: request<{ readonly question: number }, void>(),
    /**
     * The user closes the window while Timbre has something to do, and has not chosen yet what
     * closing does. The window stays open until `close`.
     */
    closeRequested: event<CloseRequest>(),
    /** The user's answer to `closeRequested`. */
    close: request<{ readonly action: 'background' | 'quit' }, void>(),
    /** The window is hidden. A page with nothing to lose answers with `allowUnload` and the same number. */
    hidden: event<{ readonly hiding: number }>(),
    /** The hidden page may be unloaded to save memory. Void once the window was shown again. */
    allowUnload: request<{ readonly hiding: number }, void>(),
    /** The user opened something outside the window, which is now in front. */
    openRequested: event<OpenTarget>(),
    /** What the application menu offers. It stays while there is no page. */
    setMenu: request<{ readonly commands: readonly MenuCommand[] }, void>(),
    /** The user selected a command in the application menu. The window is in front. */
    commandRequested: event<{ readonly id: string }>(),
    desktop: request<void, DesktopInfo>(),
    whenDone: request<void, WhenDone>(),
    /** Chooses what happens when the current work is done; `nothing` also cancels a countdown. */
    chooseWhenDone: request<{ readonly action: WhenDoneAction }, void>(),
    /** The page shows a question that the user must answer before anything happens. */
    postponeWhenDone: request<void, void>(),
    whenDoneChanged: event<WhenDone>(),
    /** Opens Timbre, without its window, when the user signs in; or no longer. */
    setLoginItem: request<{ readonly isOn: boolean }, DesktopInfo>(),
    setTerminalCommand: request<{ readonly isOn: boolean }, DesktopInfo>(),
    /**
     * The database was damaged: what was salvaged, or why it was not repaired. Or it is portable, and new on this computer.
     * Or it is of a newer Timbre: it can only be read, and every change is refused with the same problem.
     * The page's jobs may be out of date.
     */
    databaseDamaged: event<Problem>(),
    /** An error in main outside any request. It is in the log; a restart may be needed. */
    defect: event<Problem>(),
    /** Writes an error of the page to the log. */
    note: request<{ readonly text: string }, void>(),
    restart: request<void, void>(),
  },
  connections: {
    list: request<void, readonly ConnectionInfo[]>(),
    /** Lets the user select a document and stores it as a new connection. Null means cancelled. */
    importFile: request<void, ConnectionInfo | null>(),
    /** Returns a connection's document; for null a new one with default values. */
    getDocument: request<{ readonly id: string | null }, ConnectionDocument>(),
    /**
     * Stores a new connection or a new document of one. Existing jobs keep the document that they
     * were created with.
     */
    save: request<
      { readonly id: string | null; readonly document: Readonly<Record<string, unknown>> },
      SavedDocument
    >(),
    /**
     * Saves the document, which contains no secret, to a file that the user selects. False means
     * cancelled.
     */
    exportFile: request<{ readonly id: string }, boolean>(),
    /** Also removes its token. Rejected while it has open jobs. */
    remove: request<{ readonly id: string }, void>(),
    /** Runs every read-only operation and returns a row for each. */
    test: request<{ readonly id: string }, readonly ConnectionCheck[]>(),
    getTokenState: request<{ readonly id: string }, TokenState>(),
    /** A page can set, test and clear a token, but no request returns one. */
    setToken: request<
      { readonly id: string; readonly token: string; readonly place: 'keychain' | 'file' },
      TokenState
    >(),
    clearToken: request<{ readonly id: string }, TokenState>(),
    changed: event<readonly ConnectionInfo[]>(),
  },
  voices: {
    /** Returns the cached catalogue if the service cannot be reached. */
    list: request<CatalogueQuery, CataloguePage>(),
    get: request<{ readonly connectionId: string; readonly voiceId: string }, VoiceDetail>(),
    /** The voice as it was when a result was last made with it; null if it was not used lately. */
    findLastUsed: request<{ readonly connectionId: string; readonly voiceId: string }, Voice | null>(),
    /** Ids of the favourite voices, in the order in which the user marked them. */
    listFavourites: request<{ readonly connectionId: string }, readonly string[]>(),
    /** Ids of the voices that results were last made with, the latest first. */
    listRecent: request<{ readonly connectionId: string }, readonly string[]>(),
    setFavourite: request<
      { readonly connectionId: string; readonly voiceId: string; readonly isFavourite: boolean },
      readonly string[]
    >(),
    /** The user's notes on voices, by id. */
    listNotes: request<{ readonly connectionId: string }, Readonly<Record<string, string>>>(),
    /** A blank text removes the note. */
    setNote: request<{ readonly connectionId: string; readonly voiceId: string; readonly text: string }, void>(),
    /**
     * Makes a preview of a voice, unless it was made before. A later request takes the place of waiting ones, which fail
     * with `job/cancelled`.
     */
    preview: request<
      {
        readonly connectionId: string;
        readonly voiceId: string;
        readonly content: PreviewContent;
        readonly spending: PreviewSpending;
      },
      VoicePreview
    >(),
    /** Cancels previews that are being made, as far as no service may have been called for them yet. */
    cancelPreviews: request<void, void>(),
    /** The part of the user's recording that voices can be tried on; null if there is none. */
    getExcerpt: request<void, Excerpt | null>(),
    /** Lets the user select a recording, and returns its path. Null means cancelled. */
    chooseRecording: request<void, string | null>(),
    /** Opens a recording to choose a part of it. A later call cancels an earlier one. */
    openRecording: request<RecordingOrigin, OpenedRecording>(),
    /** Keeps a part of the recording that was opened last, instead of the one before. */
    cutExcerpt: request<
      { readonly recordingId: string; readonly startSeconds: number; readonly seconds: number },
      Excerpt
    >(),
    removeExcerpt: request<void, void>(),
    /** How the voices sound that were previewed, by id. */
    listFeatures: request<{ readonly connectionId: string }, Readonly<Record<string, VoiceFeatures>>>(),
  },
  models: {
    /** Pages count from 1. */
    list: request<{ readonly connectionId: string; readonly page: number; readonly limit: number }, ModelPage>(),
    /** Deletes by name; the interface has no other way. */
    remove: request<{ readonly connectionId: string; readonly name: string }, DeletedModel>(),
    /**
     * Lets the user select a recording and creates a voice from it, on the local engine only. Null
     * means cancelled.
     */
    create: request<
      { readonly connectionId: string; readonly name: string; readonly languageCode: string },
      { readonly modelId: string } | null
    >(),
  },
  speech: {
    /**
     * Adds a job that speaks the draft. `length` is that of the text that the user sees, and `again` is where passages begin
     * that get another take, in UTF-16 units.
     */
    speak: request<
      { readonly settings: SpeechSettings; readonly length: number; readonly again: readonly number[] },
      { readonly id: string }
    >(),
    /** Chooses the take of a passage that results contain, by its `media`. */
    chooseTake: request<{ readonly media: string }, void>(),
    takeUsage: request<void, TakeUsage>(),
    /** Removes all takes. False, and none is removed, while a text is being spoken: its sentences would cost again. */
    removeTakes: request<void, boolean>(),
    /** How the saved draft would be spoken. */
    outline: request<{ readonly settings: SpeechSettings }, SpeechOutline>(),
    /** The passages of the saved draft, a page at a time. */
    listPassages: request<{ readonly settings: SpeechSettings; readonly from: number }, PassagePage>(),
    /** Saves a part of the user's text. */
    saveDraft: request<TextPart, void>(),
    readText: request<{ readonly which: KeptText; readonly part: number }, TextPart>(),
    /**
     * Opens files of texts, which the user selects if `paths` is null: a single text is read as `opened`, and several are a batch.
     * Null means cancelled.
     */
    openFiles: request<{ readonly paths: readonly string[] | null }, OpenedTexts | null>(),
    /** Opens the draft as a batch of its paragraphs. Throws `request/invalid` unless it has this length. */
    openDraft: request<{ readonly length: number }, OpenedTexts>(),
    /** The texts of the opened batch, a page at a time. Sends nothing. */
    listBatch: request<BatchSettings & { readonly from: number }, BatchPage>(),
    /** Adds a job for each text of the batch that can be spoken. `count` is the number of those that the user sees. */
    speakBatch: request<BatchSettings & { readonly count: number }, AddedBatch>(),
  },
  jobs: {
    /**
     * Counts recordings before they are added, and measures them for `timeLimitMs` at most; sends and stores nothing.
     * At most 1,000 paths per call.
     */
    preview: request<
      { readonly paths: readonly string[]; readonly connectionId: string; readonly timeLimitMs: number },
      AddPreview
    >(),
    /**
     * At most 1,000 paths per call; split longer lists. Fails with `input/more-found`, and adds nothing, if a folder
     * contains more than the user has confirmed: `atMost` is what the preview found, null for any number.
     */
    add: request<
      {
        readonly paths: readonly string[];
        readonly connectionId: string;
        readonly settings: ConversionSettings;
        readonly atMost: number | null;
      },
      AddedJobs
    >(),
    /** Takes jobs of an addition back that no service may charge for yet. */
    undoAdd: request<{ readonly addition: number }, UndoneAddition>(),
    /** Adds the bundled sample recording. */
    addSample: request<{ readonly connectionId: string; readonly settings: ConversionSettings }, AddedJobs>(),
    list: request<{ readonly after: number | null }, JobPage>(),
    cancel: request<{ readonly ids: readonly string[] }, void>(),
    /** Resumes failed, cancelled or uncertain jobs from what the service already has of them. */
    retry: request<{ readonly ids: readonly string[] }, void>(),
    /**
     * Saves the result of a failed job in another folder, and those of all that failed for the same folder and reason. Null stands
     * for the jobs that wait for a folder which is gone.
     */
    retryIn: request<{ readonly id: string | null; readonly folder: string }, void>(),
    /** Adds jobs like completed ones, with the current recordings. */
    repeat: request<{ readonly ids: readonly string[] }, void>(),
    /** Moves waiting jobs before another one; null is the end of the queue. */
    reorder: request<{ readonly ids: readonly string[]; readonly before: string | null }, void>(),
    /**
     * Processing seconds per second of audio on a connection, from this user's history; null if
     * there is too little of it.
     */
    getProcessingSpeed: request<{ readonly connectionId: string }, { readonly secondsPerSecond: number | null }>(),
    /** The pauses of the queue, oldest first. */
    pauses: request<void, readonly Pause[]>(),
    pause: request<void, void>(),
    /** Ends the pauses of a connection; null ends the user's own pause and that of a full disk. */
    resume: request<{ readonly connectionId: string | null }, void>(),
    /** Ends the pause on battery power until the source of power changes. */
    continueOnBattery: request<void, void>(),
    /**
     * Answers a pause's question: allows sending the connection's token to this origin too, and
     * resumes its jobs.
     */
    allowToken: request<{ readonly connectionId: string; readonly origin: string }, void>(),
    /** Removes finished rows from the list; files are not touched. */
    remove: request<{ readonly ids: readonly string[] }, void>(),
    reveal: request<{ readonly id: string; readonly which: 'source' | 'result' }, void>(),
    /** Null if the audio has no waveform. */
    getWaveform: request<{ readonly id: string; readonly which: 'source' | 'result' }, WaveformData | null>(),
    changed: event<JobChanges>(),
    pausesChanged: event<readonly Pause[]>(),
    /** At most ten per second and job. */
    progressed: event<readonly JobProgress[]>(),
  },
  watch: {
    list: request<void, readonly WatchFolderInfo[]>(),
    /** Returns the path of each that is a folder, and null for the others. */
    findFolders: request<{ readonly paths: readonly string[] }, readonly (string | null)[]>(),
    /** Scans a folder and lists what would be converted. A later preview cancels an earlier one. */
    preview: request<{ readonly settings: WatchSettings }, WatchPreview>(),
    /**
     * Starts to watch a folder, or changes its settings. Files that were converted are not converted
     * again.
     */
    save: request<{ readonly id: string | null; readonly settings: WatchSettings }, WatchFolderInfo>(),
    /** Removes a folder and its records; files and jobs stay. */
    remove: request<{ readonly id: string }, void>(),
    setPaused: request<{ readonly id: string; readonly isPaused: boolean }, void>(),
    /** Decides about the recordings that were there before. */
    answerBaseline: request<{ readonly id: string; readonly answer: 'convert' | 'leave' }, void>(),
    /**
     * Decides about the changed preset of a folder: uses its settings, as if the user had entered them, or keeps the
     * folder's. Keeping them after the preset was removed ends the reference.
     */
    answerPreset: request<{ readonly id: string; readonly answer: 'use' | 'keep' }, void>(),
    /** Newest first. `before` is the order of the last known file; null for the first page. */
    listFiles: request<
      { readonly id: string; readonly before: number | null; readonly only: 'all' | 'attention' },
      WatchedFilePage
    >(),
    /**
     * Converts files that Timbre would not convert by itself: quarantined, skipped, or done with
     * other settings.
     */
    convert: request<{ readonly id: string; readonly paths: readonly string[] }, void>(),
    /** Lets the user select a file and says why it is or is not converted. Null means cancelled. */
    explain: request<void, { readonly path: string; readonly answer: WatchExplanation } | null>(),
    /** Shows a file, or the folder itself, in the system's file manager. */
    reveal: request<{ readonly id: string; readonly path: string | null }, void>(),
    changed: event<readonly WatchFolderInfo[]>(),
    filesChanged: event<WatchedFileChanges>(),
  },
  history: {
    /**
     * Returns the newest matches and starts a new list; `listCounted` follows when it is counted. An
     * invalid search reports its errors and finds nothing.
     */
    search: request<{ readonly text: string }, HistoryPage>(),
    /**
     * Returns at most 100 rows of a counted list. Fails with `history/list-ended` once there is a
     * later list.
     */
    rows: request<{ readonly list: number; readonly from: number; readonly count: number }, readonly HistoryRow[]>(),
    /** Suggests completions of a search at the caret. */
    suggest: request<{ readonly text: string; readonly caret: number }, HistorySuggestions>(),
    detail: request<{ readonly id: string }, HistoryDetail>(),
    /**
     * Checks whether the files of entries still exist. A file that was moved nearby is found by its
     * bytes and its path updated.
     */
    getFileStatus: request<{ readonly ids: readonly string[] }, readonly FileStatusReport[]>(),
    /**
     * Lets the user select a file or folder, and updates the paths of what has the right bytes. Null
     * means cancelled.
     */
    findFile: request<{ readonly id: string; readonly which: 'source' | 'result' }, HistoryFound | null>(),
    update: request<
      {
        readonly choice: SelectionRef;
        readonly isFavourite?: boolean;
        readonly addTags?: readonly string[];
        readonly removeTags?: readonly string[];
      },
      void
    >(),
    tags: request<void, readonly string[]>(),
    /** The largest results that are still there, by disk, the fullest disk first. */
    largestResults: request<void, readonly DiskResults[]>(),
    /** What was made in a period. A later call ends it: it then fails with `job/cancelled`. */
    statistics: request<StatisticsQuery, Statistics>(),
    /** Saves a table of statistics as CSV to a file that the user selects. Null means cancelled, else the file's name. */
    exportStatistics: request<StatisticsQuery & { readonly table: StatisticsTable }, string | null>(),
    remove: request<{ readonly choice: SelectionRef; readonly withFiles: boolean }, HistoryRemoval>(),
    /** Takes back a removal, or the last import. */
    undo: request<{ readonly undo: string }, void>(),
    /** True if `restoreResults` would restore one of several. A later call ends it: it then fails with `job/cancelled`. */
    hasRestorable: request<{ readonly choice: SelectionRef }, boolean>(),
    /** Puts results that are gone back from Timbre's copies. Null if the user stopped it; what was restored stays. */
    restoreResults: request<{ readonly choice: SelectionRef }, RestoredResults | null>(),
    /** What `repeat` would send to services. Entries that it would skip do not count, unless only their voice is gone. */
    previewRepeat: request<{ readonly choice: SelectionRef; readonly changes?: RepeatChanges }, RepeatPreview>(),
    /** Adds jobs with the settings of these entries, except for `changes`. */
    repeat: request<{ readonly choice: SelectionRef; readonly changes?: RepeatChanges }, RepeatResult>(),
    /**
     * Exports the list as JSON lines, or the list and the results as a zip, to a file that the user
     * selects.
     */
    export: request<{ readonly choice: SelectionRef | null; readonly what: 'list' | 'sound' }, HistoryExport | null>(),
    /** Null if the user cancelled it, or stopped it before anything was imported. */
    import: request<void, HistoryImportReport | null>(),
    /**
     * Stops the running task, which then returns null, or a report of what was imported. False if it was
     * already done.
     */
    cancelTask: request<void, boolean>(),
    /** Copies the paths of the results to the clipboard, one per line. */
    copyPaths: request<{ readonly ids: readonly string[] }, { readonly paths: number }>(),
    /** Puts the results themselves on the clipboard, and returns how many. Only where `fileActions` has `copy`. */
    copyFiles: request<{ readonly ids: readonly string[] }, { readonly files: number }>(),
    /** Opens the system's menu to share the results. Only where `fileActions` has `share`. */
    share: request<{ readonly ids: readonly string[] }, void>(),
    /** Starts a drag, in which the system drags the real files. Returns their names without folders. */
    drag: request<{ readonly ids: readonly string[] }, { readonly names: readonly string[] }>(),
    /** Progress of the running task; null when it has ended. */
    taskProgressed: event<LongTaskProgress | null>(),
    listCounted: event<HistoryList>(),
    /** Changed rows. `isStale`: entries were added or removed, so a list on screen is out of date. */
    changed: event<{ readonly upserted: readonly HistoryRow[]; readonly isStale: boolean }>(),
  },
  copies: {
    status: request<void, CopyStatus>(),
    /** Turns copies on or off and limits their space. What is too much is removed. */
    update: request<Omit<CopySettings, 'since'>, void>(),
    /** Also copies the results that are there already, newest first, as many as there is room for. */
    copyExisting: request<void, void>(),
    removeAll: request<void, void>(),
    /** Shows their folder in the system's file manager. */
    reveal: request<void, void>(),
    changed: event<void>(),
  },
  hook: {
    status: request<void, HookStatus>(),
    /** Lets the user select the program in a system dialog. False means cancelled. */
    chooseProgram: request<void, boolean>(),
    /** New arguments count only if the user confirms them in a system dialog: false if not. The rest always counts. */
    update: request<Omit<HookSettings, 'program'>, boolean>(),
    /** Runs the program once, now. */
    test: request<void, HookRun>(),
    /** Runs it again for the results that it failed for. */
    repeatFailed: request<void, void>(),
    changed: event<void>(),
  },
  ffmpeg: {
    status: request<void, FfmpegStatus>(),
    /** Lets the user select ffmpeg in a system dialog. Null means cancelled. Throws `ffmpeg/wrong-program` for any other program. */
    choose: request<void, FfmpegStatus | null>(),
    /** Uses the one that is found on this computer again. */
    reset: request<void, FfmpegStatus>(),
  },
  pronunciations: {
    list: request<void, readonly Pronunciation[]>(),
    /** Adds an entry, in place of `before` or the one with the same word. Returns the list. */
    save: request<
      { readonly entry: Pronunciation; readonly before: PronunciationId | null },
      readonly Pronunciation[]
    >(),
    remove: request<PronunciationId, readonly Pronunciation[]>(),
    /** Lets the user select a lexicon and adds its words. Null means cancelled. */
    importFile: request<void, PronunciationImport | null>(),
    /** Saves the entries of a language to a lexicon that the user selects. Null means cancelled, else their number. */
    exportFile: request<{ readonly language: string }, number | null>(),
  },
  presets: {
    list: request<void, readonly Preset[]>(),
    create: request<{ readonly name: string; readonly content: PresetContent }, Preset>(),
    /** Changes what a preset applies. Watched folders that refer to it keep their settings. */
    update: request<{ readonly id: string; readonly content: PresetContent }, Preset>(),
    rename: request<{ readonly id: string; readonly name: string }, Preset>(),
    remove: request<{ readonly id: string }, void>(),
    /** Makes it the default of its connection, in place of another, or no longer. */
    setDefault: request<{ readonly id: string; readonly isDefault: boolean }, Preset>(),
    /** Saves all presets, without any secret, to a file that the user selects. Null means cancelled, else their number. */
    exportFile: request<void, number | null>(),
    /** Lets the user select a file and adds its presets. Null means cancelled. */
    importFile: request<void, PresetImport | null>(),
    changed: event<readonly Preset[]>(),
  },
  updates: {
    status: request<void, UpdateStatus>(),
    /** Looks for a newer version now. What fails is in the status. */
    check: request<void, UpdateStatus>(),
    /** Downloads the available update. What fails is in the status. */
    download: request<void, UpdateStatus>(),
    /** Replaces Timbre by what was downloaded, and restarts it. Throws `update/jobs-open` while jobs are open. */
    install: request<void, void>(),
    /** Opens the web page of the available update in the browser. */
    openPage: request<void, void>(),
    changed: event<UpdateStatus>(),
  },
  settings: {
    get: request<void, Settings>(),
    update: request<Partial<Settings>, Settings>(),
    changed: event<Settings>(),
  },
  diagnostics: {
    /** Runs all health checks. `checked` sends each row as it arrives; this returns all of them. */
    runChecks: request<void, HealthReport>(),
    checkChanged: event<HealthReport>(),
    /** Lets the user select a recording for `upload`. Null means cancelled. */
    chooseFile: request<void, ChosenFile | null>(),
    /** Reads a page of the log, which all processes of Timbre write. */
    readLog: request<LogQuery, LogPage>(),
    /** Shows the folder of the log in the system's file manager. */
    revealLog: request<void, void>(),
    /** Makes one call, immediately and once. Rejected while another is running. */
    call: request<{ readonly connectionId: string; readonly call: ApiCall }, Exchange>(),
    /** Aborts the running call; its `call` returns what was exchanged until then. */
    cancelCall: request<void, void>(),
  },
};

export type Contract = typeof contract;
