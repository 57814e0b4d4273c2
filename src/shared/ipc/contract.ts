import { event, request } from './contract-types.ts';
import type { Problem } from '../errors.ts';
import type { AppInfo, QuitRequest } from '../schemas/app.ts';
import type {
  ConnectionCheck,
  ConnectionDocument,
  ConnectionInfo,
  SavedDocument,
  TokenState,
} from '../schemas/connection.ts';
import type { CheckRound, ChosenFile, ConsoleCall, Exchange } from '../schemas/diagnostics.ts';
import type { AddedJobs, WaveformData, JobChanges, JobPage, JobProgress, Pause } from '../schemas/job.ts';
import type {
  RepeatChanges,
  RepeatResult,
  SelectionRef,
  HistoryDetail,
  HistoryExport,
  HistoryFound,
  HistoryImport,
  HistoryList,
  FileStatusReport,
  HistoryPage,
  HistoryRemoval,
  HistoryRow,
  HistorySuggestions,
  LongTaskProgress,
} from '../schemas/history.ts';
import type { ConversionSettings, Settings } from '../schemas/settings.ts';
import type { KeptText, SpeechSettings, TextPart } from '../schemas/speech.ts';
import type { CataloguePage, CatalogueQuery, DeletedModel, ModelPage, VoiceDetail } from '../schemas/voice.ts';
import type {
  WatchAnswer,
  WatchedFileChanges,
  WatchedFilePage,
  WatchFolderInfo,
  WatchPreview,
  WatchSettings,
} from '../schemas/watch.ts';

/**
 * Every call and every event between the page and main. Handlers, emitters, the page's client, channel names and test fakes are
 * derived from this value; its input schemas stand in `schemas/inputs.ts`.
 */
export const contract = {
  app: {
    info: request<void, AppInfo>(),
    /** The page listens now: main sends events only after this call. */
    ready: request<void, void>(),
    /** Opens the system's own dialog. An empty list means that the person thought better of it. */
    chooseFiles: request<void, readonly string[]>(),
    chooseFolder: request<void, string | null>(),
    /** The person wants to quit while work is open. Main waits for `leave` or `stay`; told again when its numbers change. */
    leaving: event<QuitRequest>(),
    /** `answered` quits as soon as no service owes an answer any more. */
    leave: request<{ readonly when: 'now' | 'answered' }, void>(),
    stay: request<{ readonly question: number }, void>(),
    /** The record of all work was damaged: what was rescued of it, or why it was not put right. What a page knows of jobs may be old. */
    damaged: event<Problem>(),
    /** Something failed in main that nobody asked for. It is in the log, and a restart may be needed. */
    defect: event<Problem>(),
    /** Something failed in the page: writes it into the log. */
    note: request<{ readonly text: string }, void>(),
    restart: request<void, void>(),
  },
  connections: {
    list: request<void, readonly ConnectionInfo[]>(),
    /** Asks for a document and keeps it as a new connection; null means that the person thought better of it. */
    importFile: request<void, ConnectionInfo | null>(),
    /** The document of a connection that is stored, or for null that of a new one, with the usual value in each field. */
    document: request<{ readonly id: string | null }, ConnectionDocument>(),
    /** Keeps a new connection, or the new document of one. Jobs that exist keep the one they were made with. */
    save: request<
      { readonly id: string | null; readonly document: Readonly<Record<string, unknown>> },
      SavedDocument
    >(),
    /** Writes the document, which holds no secret, where the person says; false means that they thought better of it. */
    exportFile: request<{ readonly id: string }, boolean>(),
    /** Takes its token along. Refused while jobs of it are open. */
    remove: request<{ readonly id: string }, void>(),
    /** Runs every operation that only reads, one line each. */
    test: request<{ readonly id: string }, readonly ConnectionCheck[]>(),
    token: request<{ readonly id: string }, TokenState>(),
    /** A page can set, test and clear a token. No entry returns one. */
    setToken: request<
      { readonly id: string; readonly token: string; readonly place: 'keychain' | 'file' },
      TokenState
    >(),
    clearToken: request<{ readonly id: string }, TokenState>(),
    changed: event<readonly ConnectionInfo[]>(),
  },
  voices: {
    /** Answered from the copy on this computer where the service cannot be asked. */
    list: request<CatalogueQuery, CataloguePage>(),
    detail: request<{ readonly connectionId: string; readonly voiceId: string }, VoiceDetail>(),
    /** Ids of the voices that the person marked, in the order in which they did. */
    favourites: request<{ readonly connectionId: string }, readonly string[]>(),
    setFavourite: request<
      { readonly connectionId: string; readonly voiceId: string; readonly isFavourite: boolean },
      readonly string[]
    >(),
  },
  models: {
    /** Pages count from 1. */
    list: request<{ readonly connectionId: string; readonly page: number; readonly limit: number }, ModelPage>(),
    /** Deletes by name, which is all that the interface has. */
    remove: request<{ readonly connectionId: string; readonly name: string }, DeletedModel>(),
    /** Asks for a recording and makes a voice of it, on this computer only; null means that the person thought better of it. */
    create: request<
      { readonly connectionId: string; readonly name: string; readonly languageCode: string },
      { readonly modelId: string } | null
    >(),
  },
  speech: {
    /** Speaks the draft, as a job like any other. `length` in UTF-16 units is that of the text that the person sees. */
    speak: request<{ readonly settings: SpeechSettings; readonly length: number }, { readonly id: string }>(),
    /** Keeps what the person writes, part by part. */
    keep: request<TextPart, void>(),
    read: request<{ readonly which: KeptText; readonly part: number }, TextPart>(),
    /** Asks for a text file, to be read as `opened`; null means that the person thought better of it. */
    open: request<void, { readonly name: string } | null>(),
  },
  jobs: {
    /** At most 1,000 paths a call: longer lists come in several. */
    add: request<{ readonly paths: readonly string[]; readonly settings: ConversionSettings }, AddedJobs>(),
    /** Adds the recording that Timbre brings along. */
    addSample: request<{ readonly settings: ConversionSettings }, AddedJobs>(),
    page: request<{ readonly after: number | null }, JobPage>(),
    cancel: request<{ readonly ids: readonly string[] }, void>(),
    /** Goes on with what failed, was cancelled or is uncertain, from what the service has of it. */
    retry: request<{ readonly ids: readonly string[] }, void>(),
    /** New jobs like ones that are done, with the recordings as they are now. */
    again: request<{ readonly ids: readonly string[] }, void>(),
    /** Puts waiting jobs before another one; null is the end of the queue. */
    move: request<{ readonly ids: readonly string[]; readonly before: string | null }, void>(),
    /**
     * Seconds of work that a second of sound has cost on a connection, by this person's own past; null where there is too little of it.
     */
    pace: request<{ readonly connectionId: string }, { readonly secondsPerSecond: number | null }>(),
    /** What holds the queue up, oldest first. */
    pauses: request<void, readonly Pause[]>(),
    pause: request<void, void>(),
    /** Ends the pauses of a connection; null is the person's own and that of a full disk. */
    resume: request<{ readonly connectionId: string | null }, void>(),
    /** Answers the question of a pause: the connection's token may go to this origin too, and its jobs go on. */
    allowToken: request<{ readonly connectionId: string; readonly origin: string }, void>(),
    /** Takes finished rows off the list; files stay where they are. */
    remove: request<{ readonly ids: readonly string[] }, void>(),
    reveal: request<{ readonly id: string; readonly which: 'source' | 'result' }, void>(),
    /** Null where the sound cannot be drawn. */
    fold: request<{ readonly id: string; readonly which: 'source' | 'result' }, WaveformData | null>(),
    changed: event<JobChanges>(),
    pausesChanged: event<readonly Pause[]>(),
    /** At most ten a second for each job. */
    progressed: event<readonly JobProgress[]>(),
  },
  watch: {
    list: request<void, readonly WatchFolderInfo[]>(),
    /** Looks at what is in a folder now, and what of it would be converted. A later preview ends an earlier one. */
    preview: request<{ readonly settings: WatchSettings }, WatchPreview>(),
    /** Begins to watch a folder, or changes the settings of one. Nothing that was converted is converted again for it. */
    save: request<{ readonly id: string | null; readonly settings: WatchSettings }, WatchFolderInfo>(),
    /** Forgets a folder and what is known of its files; files and jobs stay. */
    remove: request<{ readonly id: string }, void>(),
    setPaused: request<{ readonly id: string; readonly isPaused: boolean }, void>(),
    /** What is to become of the recordings that were there already. */
    answerExisting: request<{ readonly id: string; readonly answer: 'convert' | 'leave' }, void>(),
    /** Newest first; `before` is the order of the last one that is known, null at the start. */
    files: request<
      { readonly id: string; readonly before: number | null; readonly only: 'all' | 'attention' },
      WatchedFilePage
    >(),
    /** Converts files although Timbre would not by itself: from quarantine, left alone, done with other settings. */
    convert: request<{ readonly id: string; readonly paths: readonly string[] }, void>(),
    /** Asks for a file by the system's own dialog, and says why it is or is not converted; null for a second thought. */
    explain: request<void, { readonly path: string; readonly answer: WatchAnswer } | null>(),
    /** Shows a file, or the folder itself, in the system's file manager. */
    reveal: request<{ readonly id: string; readonly path: string | null }, void>(),
    changed: event<readonly WatchFolderInfo[]>(),
    filesChanged: event<WatchedFileChanges>(),
  },
  history: {
    /** The newest that match, and a new list: `listed` tells when it is counted. A search that cannot be read says so and finds nothing. */
    search: request<{ readonly text: string }, HistoryPage>(),
    /** Rows of a list that was counted, at most 100. Refused with `history/list-ended` once there is a later one. */
    rows: request<{ readonly list: number; readonly from: number; readonly count: number }, readonly HistoryRow[]>(),
    /** How a search may go on at the caret. */
    suggest: request<{ readonly text: string; readonly caret: number }, HistorySuggestions>(),
    detail: request<{ readonly id: string }, HistoryDetail>(),
    /** Whether the files of entries are where they were. One that was only moved nearby is found by its bytes and linked again. */
    look: request<{ readonly ids: readonly string[] }, readonly FileStatusReport[]>(),
    /** Asks for a file or folder, and links what has the right bytes again; null means that the person thought better of it. */
    find: request<{ readonly id: string; readonly which: 'source' | 'result' }, HistoryFound | null>(),
    mark: request<
      {
        readonly choice: SelectionRef;
        readonly isFavourite?: boolean;
        readonly addTags?: readonly string[];
        readonly removeTags?: readonly string[];
      },
      void
    >(),
    tags: request<void, readonly string[]>(),
    remove: request<{ readonly choice: SelectionRef; readonly withFiles: boolean }, HistoryRemoval>(),
    undo: request<{ readonly undo: string }, void>(),
    /** New jobs with the settings of these, but for what is to be another. */
    again: request<{ readonly choice: SelectionRef; readonly changes?: RepeatChanges }, RepeatResult>(),
    /** Asks where to: a list as JSON lines, or it and the results in a zip. */
    exportTo: request<
      { readonly choice: SelectionRef | null; readonly what: 'list' | 'sound' },
      HistoryExport | null
    >(),
    importFrom: request<void, HistoryImport | null>(),
    /** Ends the work that is under way, whose answer is null then. What was imported stays. True where it was not done already. */
    stop: request<void, boolean>(),
    /** Puts the paths of the results on the clipboard, one a line. */
    copyPaths: request<{ readonly ids: readonly string[] }, { readonly paths: number }>(),
    /** Called as a drag begins: the system drags the real files from here on. Answers with their names, without folders. */
    drag: request<{ readonly ids: readonly string[] }, { readonly names: readonly string[] }>(),
    /** How far the work has come; null where it has ended. */
    work: event<LongTaskProgress | null>(),
    listed: event<HistoryList>(),
    /** These rows are others now; `isStale`: entries came or went, and a list that is shown is not the latest. */
    changed: event<{ readonly put: readonly HistoryRow[]; readonly isStale: boolean }>(),
  },
  settings: {
    get: request<void, Settings>(),
    update: request<Partial<Settings>, Settings>(),
    changed: event<Settings>(),
  },
  diagnostics: {
    /** Looks at all that Timbre needs; `checked` brings each line as it comes, this answer all of them. */
    checks: request<void, CheckRound>(),
    checked: event<CheckRound>(),
    /** A recording for `upload`, by the system's own dialog; null means that the person thought better of it. */
    chooseFile: request<void, ChosenFile | null>(),
    /** The newest entries of the log. */
    log: request<void, string>(),
    /** Makes one call, at once and once. Refused while another is under way. */
    call: request<{ readonly connectionId: string; readonly call: ConsoleCall }, Exchange>(),
    /** Gives up the call that is under way; its `call` is answered with what passed until then. */
    stop: request<void, void>(),
  },
};

export type Contract = typeof contract;
