import type { Messages } from '../../../../shared/messages/index.ts';
import type { AddedJobs } from '../../../../shared/schemas/job.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The contract's limit for paths in one call. */
const chunkSize = 1000;

const nothing: AddedJobs = { added: 0, refused: 0, ignored: 0, withoutPath: 0 };

interface AddingApi {
  readonly app: Pick<Api['app'], 'chooseFiles' | 'chooseFolder'>;
  readonly jobs: Pick<Api['jobs'], 'add' | 'addSample'>;
}

/** Brings recordings into the queue, however they came: dropped, pasted, chosen. */
export class AddFiles extends ActionState {
  readonly #api: AddingApi;
  readonly #pathForFile: (file: File) => string;
  readonly #settings: () => Promise<ConversionSettings | null>;

  /** Items that are being handed over just now. */
  pending = $state(0);
  /** Null until something was added. */
  report = $state.raw<AddedJobs | null>(null);

  constructor(api: AddingApi, pathForFile: (file: File) => string, settings: () => Promise<ConversionSettings | null>) {
    super();
    this.#api = api;
    this.#pathForFile = pathForFile;
    this.#settings = settings;
  }

  addFiles(files: readonly File[]): Promise<void> {
    // What a path says, and whether there is one, is main's to read.
    return this.attempt(() => this.#addPaths(files.map((file) => this.#pathForFile(file))));
  }

  chooseFiles(): Promise<void> {
    return this.attempt(async () => this.#addPaths(await this.#api.app.chooseFiles()));
  }

  chooseFolder(): Promise<void> {
    return this.attempt(async () => {
      const folder = await this.#api.app.chooseFolder();
      await this.#addPaths(folder === null ? [] : [folder]);
    });
  }

  addSample(): Promise<void> {
    return this.attempt(async () => {
      this.pending += 1;
      try {
        const settings = await this.#settings();
        if (settings) this.report = await this.#api.jobs.addSample({ settings });
      } finally {
        this.pending -= 1;
      }
    });
  }

  async #addPaths(paths: readonly string[]): Promise<void> {
    let report = nothing;
    if (paths.length === 0) return;
    this.pending += paths.length;
    try {
      const settings = await this.#settings();
      if (settings === null) return;
      for (let start = 0; start < paths.length; start += chunkSize) {
        const some = await this.#api.jobs.add({ paths: paths.slice(start, start + chunkSize), settings });
        report = {
          added: report.added + some.added,
          refused: report.refused + some.refused,
          ignored: report.ignored + some.ignored,
          withoutPath: report.withoutPath + some.withoutPath,
        };
        this.report = report;
      }
    } finally {
      this.pending -= paths.length;
    }
  }
}

/** What became of the last things that were added, in a sentence or two; empty where nothing was. */
export function addedText(report: AddedJobs | null, pending: number, { convert: t }: Messages): string {
  if (pending > 0) return t.adding(pending);
  if (!report) return '';
  const { added, refused, ignored, withoutPath } = report;
  const isAllPathless = withoutPath > 0 && added + refused + ignored === 0;
  return [isAllPathless ? '' : t.added(report), withoutPath > 0 ? t.withoutPath(withoutPath) : '']
    .filter((part) => part !== '')
    .join(' ');
}
