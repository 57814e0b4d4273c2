import { event, request } from './contract-types.ts';
import type { AppInfo } from './wire/app.ts';
import type { ConnectionInfo } from './wire/connection.ts';
import type { AddedJobs, FoldInfo, JobChanges, JobPage, JobProgress } from './wire/job.ts';
import type { ConversionSettings, Settings } from './wire/settings.ts';
import type { VoicePage } from './wire/voice.ts';

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
  },
  connections: {
    list: request<void, readonly ConnectionInfo[]>(),
  },
  voices: {
    list: request<{ readonly connectionId: string; readonly page: number }, VoicePage>(),
  },
  jobs: {
    /** At most 1,000 paths a call: longer lists come in several. */
    add: request<{ readonly paths: readonly string[]; readonly settings: ConversionSettings }, AddedJobs>(),
    /** Adds the recording that Timbre brings along. */
    addSample: request<{ readonly settings: ConversionSettings }, AddedJobs>(),
    page: request<{ readonly after: number | null }, JobPage>(),
    cancel: request<{ readonly ids: readonly string[] }, void>(),
    retry: request<{ readonly ids: readonly string[] }, void>(),
    /** Takes finished rows off the list; files stay where they are. */
    remove: request<{ readonly ids: readonly string[] }, void>(),
    reveal: request<{ readonly id: string; readonly which: 'source' | 'result' }, void>(),
    /** Null where the sound cannot be drawn. */
    fold: request<{ readonly id: string; readonly which: 'source' | 'result' }, FoldInfo | null>(),
    changed: event<JobChanges>(),
    /** At most ten a second for each job. */
    progressed: event<readonly JobProgress[]>(),
  },
  settings: {
    get: request<void, Settings>(),
    update: request<Partial<Settings>, Settings>(),
    changed: event<Settings>(),
  },
};

export type Contract = typeof contract;
