import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { AppInfo } from '../../shared/wire/app.ts';

export interface AppDependencies {
  readonly version: string;
  /** As Node names it. */
  readonly platform: string;
  readonly languages: readonly string[];
  onReady(): void;
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
  /** The person was told what is open and goes: at once, or when no answer is owed any more. */
  onLeave(when: 'now' | 'answered'): void;
  onStay(question: number): void;
  /** Something failed in the page. */
  onNote(text: string): void;
  /** Ends the program, and starts it again. */
  onRestart(): void;
}

const platformNames: Readonly<Record<string, AppInfo['platform']>> = { darwin: 'mac', win32: 'win' };

export const createAppHandlers = (dependencies: AppDependencies): Handlers<Contract>['app'] => {
  const { version, platform, languages, onReady, chooseFiles, chooseFolder, onLeave, onStay, onNote, onRestart } =
    dependencies;
  return {
    info: () => ({ version, platform: platformNames[platform] ?? 'linux', languages }),
    ready: onReady,
    chooseFiles,
    chooseFolder,
    leave: ({ when }) => onLeave(when),
    note: ({ text }) => onNote(text),
    restart: onRestart,
    stay: ({ question }) => onStay(question),
  };
};
