import type { Problem } from '../errors.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'linux' | 'mac' | 'win';
  /** The data folder if it is portable; null otherwise. */
  readonly portableFolder: string | null;
  /** The user's languages, best first, as BCP 47 tags. */
  readonly languages: readonly string[];
  /** The tag of the system's formats of dates and numbers, which may be those of another region than its language. */
  readonly formatLocale: string;
  /** What the system lets Timbre do with files: put them on the clipboard, offer them to other programs and people. */
  readonly fileActions: readonly ('copy' | 'share')[];
}

/** A package that ships with Timbre. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier, or an expression of them. */
  readonly licence: string;
  readonly text: string;
}

/** Open work if the program quits now. */
export interface QuitRequest {
  /** Jobs that have not ended. Timbre resumes them at the next start. */
  readonly open: number;
  /** Files and folders that main is still adding. The page knows those that it has not sent yet, and if it was loaded again, none. */
  readonly adding: number;
  /** Those with a paid call that a service is processing: its reply would be lost. */
  readonly atService: number;
  /** Identifies the question, so that `stay` answers the one on screen and not a later one. */
  readonly question: number;
}

/** Where the user finds Timbre while its window is closed. `taskbar`: minimized, as the desktop has no tray. */
export type BackgroundPlace = 'tray' | 'dock' | 'taskbar';

/** The user closes the window, but Timbre has something to do. */
export interface CloseRequest {
  /** Jobs that have not ended. */
  readonly open: number;
  /** Folders that Timbre watches. */
  readonly folders: number;
  readonly place: BackgroundPlace;
}

/** Whether the system opens Timbre when the user signs in. `requires-approval`: only once the user allows it in System Settings. */
export type LoginItem = 'off' | 'on' | 'requires-approval';

/** Where the computer gets its power from; `unknown` if the system does not say. */
export type PowerSource = 'mains' | 'battery' | 'unknown';

/** The program `timbre` of a terminal, which Timbre installs where no package brings it. */
export interface TerminalCommand {
  /** Where it is or would be. */
  readonly path: string;
  readonly isInstalled: boolean;
  /** True if its folder is on the PATH that Timbre was started with. */
  readonly isOnPath: boolean;
}

/** How Timbre lives on this desktop. */
export interface DesktopInfo {
  readonly place: BackgroundPlace;
  readonly loginItem: LoginItem;
  readonly powerSource: PowerSource;
  /** Null if a package has installed it, or the program has no place that lasts. */
  readonly terminalCommand: TerminalCommand | null;
}

export type JobListId = 'queue' | 'done';

export const viewIds = [
  'convert',
  'watch',
  'voices',
  'speech',
  'history',
  'models',
  'settings',
  'diagnostics',
] as const;
export type ViewId = (typeof viewIds)[number];

/** Groups of commands in the application menu. Main decides where each stands; for `app` it has the system's own items. */
export const menuSections = [
  'add',
  'exchange',
  'undo',
  'find',
  'queue',
  'whenDone',
  'network',
  'connections',
  'tokens',
  'presets',
  'playback',
  'passage',
  'views',
  'settings',
  'zoom',
  'themes',
  'help',
  'app',
] as const;
export type MenuSection = (typeof menuSections)[number];

/** A command of the page, as the application menu shows it. */
export interface MenuCommand {
  readonly id: string;
  readonly section: MenuSection;
  readonly label: string;
  /** Its keys in the form of the table of shortcuts, such as `ctrl+shift+f`. Null if it has none. */
  readonly press: string | null;
  /** False if it cannot be run now. */
  readonly isEnabled: boolean;
  /** Whether it is the selected one of its section. Null if the section is no choice. */
  readonly isSelected: boolean | null;
}

/** What the user opened outside the window: recordings with Timbre, a notification about jobs, a link. */
export type OpenTarget =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'jobs'; readonly list: JobListId }
  /** `search` replaces the search of History; null leaves it. */
  | { readonly kind: 'view'; readonly view: ViewId; readonly search: string | null };

/** What happens once when the current work is done. */
export const whenDoneActions = ['nothing', 'open-folder', 'notify', 'sleep', 'shut-down'] as const;
export type WhenDoneAction = (typeof whenDoneActions)[number];

/** What the user chose for the end of the current work. It is forgotten when Timbre quits. */
export interface WhenDone {
  readonly action: WhenDoneAction;
  /** Set while the user can still cancel it. */
  readonly secondsLeft: number | null;
  /** Why the system did not do what was chosen last. */
  readonly problem: Problem | null;
}

/** Time to cancel what ends the user's session at this computer. */
export const countdownSeconds = 30;

export const whenNothingIsDone: WhenDone = { action: 'nothing', secondsLeft: null, problem: null };

/** The ffmpeg that decodes what Timbre does not decode by itself. */
export interface FfmpegStatus {
  /** Absolute path; null if there is none. */
  readonly path: string | null;
  /** Null if it does not start. */
  readonly version: string | null;
  /** True if the user has selected it; otherwise it was found on this computer. */
  readonly isSelected: boolean;
  /** As in `process.platform`: how to get it differs. */
  readonly system: string;
}
