import { AppError } from '../../shared/app-error.ts';
import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { AddedJobs } from '../../shared/wire/job.ts';
import type { ConversionSettings } from '../../shared/wire/settings.ts';
import type { ConnectionBook } from '../core/connections/connection-book.ts';
import type { Intake, Order } from '../core/jobs/intake.ts';
import { toJobInfo } from '../core/jobs/job-info.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { Runner } from '../core/jobs/runner.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { SettingsStore } from '../core/settings/settings-store.ts';
import type { VoiceCatalogue } from '../core/voices/voice-catalogue.ts';
import { rowsInMessage } from './rows-in-message.ts';
import type { SoundReader } from '../../sound/sound-reader.ts';

interface Dependencies {
  readonly store: JobStore;
  readonly runner: Runner;
  readonly intake: Intake;
  readonly media: MediaRegistry;
  readonly connections: ConnectionBook;
  readonly voices: VoiceCatalogue;
  readonly settings: () => Promise<SettingsStore>;
  readonly soundReader: SoundReader;
  /** The recording that Timbre brings along, and where its results go: beside it nobody would look for them. */
  readonly sample: { readonly path: string; readonly outputFolder: () => string };
  readonly signal: AbortSignal;
  reveal(path: string): void;
}

export function createJobHandlers(dependencies: Dependencies): Handlers<Contract>['jobs'] {
  const { store, runner, intake, media, connections, voices, settings, soundReader, sample, signal, reveal } =
    dependencies;

  async function order(conversion: ConversionSettings): Promise<Order> {
    const { connectionId, outputFolder } = (await settings()).get();
    const voice = await voices.voice(connectionId, conversion.voiceId);
    const connectionName = connections.get(connectionId).document.name;
    return { connectionId, connectionName, voice, settings: conversion, outputFolder };
  }

  const counts = ({ added, refused, leftOut, withoutPath }: AddedJobs): AddedJobs => ({
    added,
    refused,
    leftOut,
    withoutPath,
  });

  function pathOf(id: string, which: 'source' | 'result'): string {
    const job = store.get(id);
    const path = which === 'source' ? job?.source.path : job?.outputPath;
    if (!path) throw new AppError('job/not-found', `job ${id} has no ${which}`);
    return path;
  }

  return {
    add: async ({ paths, settings: conversion }) => counts(await intake.add(paths, await order(conversion), signal)),
    addSample: async ({ settings: conversion }) => {
      const wanted = await order(conversion);
      const outputFolder = wanted.outputFolder ?? sample.outputFolder();
      return counts(await intake.add([sample.path], { ...wanted, outputFolder }, signal));
    },
    page: ({ after }) => {
      const jobs = store.page(after, rowsInMessage);
      const last = jobs.at(-1);
      return {
        jobs: jobs.map((job) => toJobInfo(job, media)),
        next: last && jobs.length === rowsInMessage ? last.order : null,
      };
    },
    cancel: ({ ids }) => ids.forEach(runner.cancel),
    retry: ({ ids }) => ids.forEach(runner.retry),
    remove: ({ ids }) => store.remove(ids),
    reveal: ({ id, which }) => reveal(pathOf(id, which)),
    fold: async ({ id, which }) => {
      const path = pathOf(id, which);
      try {
        const { columns, durationSeconds } = await soundReader.fold(path, { signal });
        return { columns: Buffer.from(columns).toString('base64'), durationSeconds };
      } catch (error) {
        // A file that cannot be drawn has no drawing; why it cannot be read stands on its row.
        if (error instanceof AppError) return null;
        throw error;
      }
    },
  };
}
