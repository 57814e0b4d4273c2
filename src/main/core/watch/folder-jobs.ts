import type { SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { Job, JobSource } from '../jobs/job.ts';
import type { SpeechRequest } from '../jobs/new-job.ts';
import type { Queue } from '../jobs/queue.ts';
import type { SubmitJobs } from '../jobs/submit-jobs.ts';
import type { WatchFolder } from './folder-store.ts';

/** The jobs of files in watched folders. Submitting throws `connection/not-found`. */
export interface FolderJobs {
  find(id: string): Job | undefined;
  /** Creates a job with the folder's settings. */
  submitRecording(folder: WatchFolder, source: JobSource): Job;
  /** Like `submitRecording`, for a text with the settings that were prepared for it. */
  submitText(folder: WatchFolder, source: JobSource, text: string, settings: SpeechJobSettings): Job;
  /** Returns the ids of the jobs, in the order of the rows. */
  submitRows: SubmitJobs['addSpeeches'];
  /** The request of a text in a folder that speaks texts. */
  speechRequest(folder: WatchFolder): SpeechRequest;
  /** The file of these jobs was saved again: those that have not ended are compared with it as it is now. */
  renewSource(ids: readonly string[], source: JobSource): void;
  /** Goes on with those of these jobs whose process is dead, once the database is writable. */
  adopt(ids: readonly string[]): void;
  retry(id: string): void;
  /** True if the connection that the job was made with still exists. */
  hasConnection(job: Job): boolean;
}

interface Dependencies {
  readonly queue: Pick<Queue, 'store' | 'submitJobs' | 'scheduler' | 'writes'>;
  readonly connections: Pick<ConnectionRegistry, 'get' | 'has'>;
  readonly nameTemplate: () => string;
}

export function createFolderJobs({ queue, connections, nameTemplate }: Dependencies): FolderJobs {
  const { store, submitJobs, scheduler, writes } = queue;

  function sharedRequest({ settings, voice }: WatchFolder) {
    const { id, document } = connections.get(settings.connectionId);
    const connection = { id, name: document.name, document };
    return { connection, voice, outputFolder: settings.outputFolder, nameTemplate: nameTemplate() };
  }

  function speechRequest(folder: WatchFolder): SpeechRequest {
    const { conversion, speech } = folder.settings;
    if (speech === null) throw new Error(`${folder.id} speaks no texts`);
    return { ...sharedRequest(folder), settings: { ...speech, voiceId: conversion.voiceId } };
  }

  return {
    find: store.get,
    submitRecording: (folder, source) =>
      submitJobs.addRecording(source, { ...sharedRequest(folder), settings: folder.settings.conversion }),
    submitText: (folder, source, text, settings) =>
      submitJobs.addSpeech(text, { ...speechRequest(folder), settings }, source),
    submitRows: submitJobs.addSpeeches,
    speechRequest,
    renewSource: store.renewSource,
    adopt: (ids) => writes.defer(() => void scheduler.adoptOrphans(ids)),
    retry: scheduler.retry,
    hasConnection: ({ connection }) => connections.has(connection.id),
  };
}
