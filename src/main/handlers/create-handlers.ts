import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { Clock } from '../core/clock.ts';
import type { Core } from '../core/core.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { SettingsStore } from '../core/settings/settings-store.ts';
import type { TextDesk } from '../core/speech/text-desk.ts';
import type { DrawSound } from '../core/library/draw-sound.ts';
import { createAppHandlers, type AppDependencies } from './app.ts';
import { createConnectionHandlers, type DocumentDialogs } from './connections.ts';
import { createDiagnosticsHandlers, type DiagnosticsDesktop } from './diagnostics.ts';
import { createHistoryHandlers } from './history.ts';
import { createHistoryFileHandlers, type HistoryDesktop, type HistoryFileDependencies } from './history-files.ts';
import { createJobHandlers, type JobDesktop } from './jobs.ts';
import { createModelHandlers, type RecordingDialog } from './models.ts';
import type { Places } from './places.ts';
import { createSettingsHandlers, type ProxyDialog } from './settings.ts';
import { createSpeechHandlers, type SpeechDesktop } from './speech.ts';
import { createVoiceHandlers } from './voices.ts';
import { createWatchHandlers, type FileDialog } from './watch.ts';

interface Dependencies {
  readonly core: Core;
  readonly places: Places;
  readonly settings: () => Promise<SettingsStore>;
  readonly media: MediaRegistry;
  readonly draw: DrawSound;
  readonly clock: Clock;
  readonly app: AppDependencies;
  readonly dialogs: DocumentDialogs & RecordingDialog & FileDialog & ProxyDialog & Pick<SpeechDesktop, 'chooseText'>;
  readonly desktop: JobDesktop & Pick<SpeechDesktop, 'speechFolder'>;
  readonly history: HistoryDesktop & Pick<HistoryFileDependencies, 'tellWork'>;
  readonly desk: TextDesk;
  readonly diagnostics: DiagnosticsDesktop;
}

/** What main answers to the page, one room a group of the contract. */
export const createHandlers = (dependencies: Dependencies): Handlers<Contract> => {
  const { core, places, settings, media, draw, clock, app, dialogs, desktop, history, desk, diagnostics } =
    dependencies;
  return {
    app: createAppHandlers({
      ...app,
      async chooseFiles() {
        const paths = await app.chooseFiles();
        paths.forEach(places.give);
        return paths;
      },
      async chooseFolder() {
        const folder = await app.chooseFolder();
        if (folder !== null) places.give(folder);
        return folder;
      },
    }),
    connections: createConnectionHandlers({ ...core, ...dialogs, settings, clock }),
    speech: createSpeechHandlers({ ...core, ...dialogs, ...desktop, settings, desk }),
    voices: createVoiceHandlers(core),
    models: createModelHandlers({ ...core, ...dialogs }),
    jobs: createJobHandlers({ ...core, ...desktop, media, places, settings, draw }),
    watch: createWatchHandlers({ ...core, ...desktop, ...dialogs, media, places }),
    history: {
      ...createHistoryHandlers({ ...core, media }),
      ...createHistoryFileHandlers({
        ...core,
        ...history,
        clock,
        places,
        settings,
        files: async () => (await core.data()).historyFiles,
        history: async () => (await core.data()).history,
        async choose(choice) {
          const data = await core.data();
          return choice ? data.history.choose(choice) : (await data.history.find('')).ids;
        },
      }),
    },
    settings: createSettingsHandlers({ ...dialogs, settings, places }),
    diagnostics: createDiagnosticsHandlers({ core, settings, clock, ...diagnostics }),
  };
};
