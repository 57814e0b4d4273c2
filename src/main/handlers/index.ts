import type { Emitters, Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Clock } from '../core/clock.ts';
import type { Core } from '../core/core.ts';
import type { Data } from '../core/data.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { SpeechDraft } from '../core/speech/speech-draft.ts';
import type { DrawWaveform } from '../core/waveforms.ts';
import { type AppDependencies, createAppHandlers, createSettingsHandlers } from './app.ts';
import { createConnectionHandlers } from './connections.ts';
import { createCopyHandlers } from './copies.ts';
import { createFfmpegHandlers } from './ffmpeg.ts';
import { createHookHandlers } from './hook.ts';
import { createDiagnosticsHandlers, type DiagnosticsDesktop } from './diagnostics.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';
import {
  createHistoryFileHandlers,
  createHistoryHandlers,
  emitHistoryChanges,
  type HistoryDesktop,
} from './history.ts';
import { emitJobChanges, createJobHandlers, type JobDesktop } from './jobs.ts';
import { createPresetHandlers } from './presets.ts';
import { createPronunciationHandlers } from './pronunciations.ts';
import { refuseChanges } from './read-only.ts';
import { createUpdateHandlers, type UpdateDependencies } from './updates.ts';
import { createSpeechHandlers } from './speech.ts';
import { createModelHandlers, createVoiceHandlers } from './voices.ts';
import { emitWatchChanges, createWatchHandlers } from './watch.ts';

interface Dependencies {
  readonly core: Core;
  readonly places: AllowedPaths;
  readonly settings: () => Promise<SettingsStore>;
  readonly drawWaveform: DrawWaveform;
  readonly clock: Clock;
  readonly app: AppDependencies;
  readonly dialogs: Dialogs;
  readonly desktop: JobDesktop & { speechFolder(): string };
  readonly history: HistoryDesktop;
  readonly draft: () => Promise<SpeechDraft>;
  readonly diagnostics: DiagnosticsDesktop;
  readonly updates: UpdateDependencies;
}

/** All request handlers, one object per group of the contract. If the data can only be read, changes are refused. */
export const createHandlers = (dependencies: Dependencies): Handlers<Contract> => {
  const { core, places, settings, drawWaveform, clock, app, dialogs, desktop, history, draft, diagnostics, updates } =
    dependencies;
  const isPortable = app.portableFolder !== null;
  const handlers: Handlers<Contract> = {
    app: createAppHandlers({
      ...app,
      async chooseFiles() {
        const paths = await dialogs.chooseFiles();
        paths.forEach(places.allow);
        return paths;
      },
      async chooseFolder() {
        const folder = await dialogs.chooseFolder();
        if (folder !== null) places.allow(folder);
        return folder;
      },
    }),
    connections: createConnectionHandlers({ ...core, ...dialogs, settings, clock }),
    speech: createSpeechHandlers({
      ...core,
      ...dialogs,
      ...desktop,
      dataFolder: diagnostics.dataFolder,
      places,
      settings,
      draft,
    }),
    pronunciations: createPronunciationHandlers({ ...dialogs, dataFolder: diagnostics.dataFolder }),
    voices: createVoiceHandlers({ ...core, ...dialogs, places }),
    models: createModelHandlers({ ...core, ...dialogs, clock }),
    presets: createPresetHandlers({ ...core, ...dialogs }),
    jobs: createJobHandlers({ ...core, ...desktop, places, settings, drawWaveform }),
    watch: createWatchHandlers({ ...core, ...desktop, ...dialogs, places }),
    history: {
      ...createHistoryHandlers({ ...core, ...dialogs, clock }),
      ...createHistoryFileHandlers({
        ...core,
        ...dialogs,
        ...history,
        clock,
        places,
        settings,
        files: async () => (await core.data()).historyFiles,
        history: async () => (await core.data()).history,
        async resolveSelection(choice) {
          const data = await core.data();
          return choice ? data.history.resolveSelection(choice) : (await data.history.find('')).ids;
        },
      }),
    },
    copies: createCopyHandlers({ ...core, ...desktop, settings, clock }),
    hook: createHookHandlers({
      ...core,
      ...dialogs,
      ...desktop,
      settings,
      platform: app.platform,
      isPortable,
    }),
    ffmpeg: createFfmpegHandlers({ ...core, ...dialogs, settings }),
    updates: createUpdateHandlers(updates),
    settings: createSettingsHandlers({ ...dialogs, settings, places }),
    diagnostics: createDiagnosticsHandlers({
      ...dialogs,
      core,
      isPortable,
      settings,
      clock,
      reveal: desktop.reveal,
      ...diagnostics,
    }),
  };
  return refuseChanges(handlers, core.data);
};

interface DataEventsDependencies extends Pick<Core, 'connections'> {
  readonly emit: Emitters<Contract>;
  onDefect(error: unknown): void;
}

/** Sends changes of the data to the page while it is open. */
export function emitDataChanges(
  { queue, watch, history, copies, hooks, presets, signal }: Data,
  { emit, connections, onDefect }: DataEventsDependencies,
): void {
  emitJobChanges(queue, emit.jobs);
  emitWatchChanges(watch, { connections, signal, onDefect, emit: emit.watch });
  emitHistoryChanges(history, emit.history);
  copies.onChanged(emit.copies.changed);
  hooks.onChanged(emit.hook.changed);
  presets.onChanged(emit.presets.changed);
}
