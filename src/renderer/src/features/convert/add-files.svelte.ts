import type { Messages } from '../../../../shared/messages/index.ts';
import type { AddedJobs } from '../../../../shared/schemas/job.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The contract's limit for paths in one call. */
const chunkSize = 1000;

const noneAdded: AddedJobs = { added: 0, refused: 0, ignored: 0, withoutPath: 0 };

interface AddFilesApi {
  readonly app: Pick<Api['app'], 'chooseFiles' | 'chooseFolder'>;
  readonly jobs: Pick<Api['jobs'], 'add' | 'addSample'>;
}

/** Adds recordings to the queue: dropped, pasted or selected in a dialog. */
export class AddFiles extends ActionState {
  readonly #api: AddFilesApi;
  readonly #pathForFile: (file: File) => string;
  readonly #settings: () => Promise<ConversionSettings | null>;

  /** How many items are being added. */
  pending = $state(0);
  /** What was added last; null if nothing was. */
  report = $state.raw<AddedJobs | null>(null);

  constructor(
    api: AddFilesApi,
    pathForFile: (file: File) => string,
    settings: () => Promise<ConversionSettings | null>,
  ) {
    super();
    this.#api = api;
    this.#pathForFile = pathForFile;
    this.#settings = settings;
  }

  addFiles(files: readonly File[]): Promise<void> {
    // An item without a path is sent as an empty one: main counts it in its reply.
    return this.attempt(() => this.#addPaths(files.map((file) => this.#pathForFile(file))));
  }

  addPaths(paths: readonly string[]): Promise<void> {
    return this.attempt(() => this.#addPaths(paths));
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
    let report = noneAdded;
    if (paths.length === 0) return;
    this.pending += paths.length;
    try {
      const settings = await this.#settings();
      if (settings === null) return;
      for (let start = 0; start < paths.length; start += chunkSize) {
        const added = await this.#api.jobs.add({ paths: paths.slice(start, start + chunkSize), settings });
        report = {
          added: report.added + added.added,
          refused: report.refused + added.refused,
          ignored: report.ignored + added.ignored,
          withoutPath: report.withoutPath + added.withoutPath,
        };
        this.report = report;
      }
    } finally {
      this.pending -= paths.length;
    }
  }
}

/** What was added last, and what was not, in one or two sentences; empty if nothing was added. */
export function addedText(report: AddedJobs | null, pending: number, { convert: t }: Messages): string {
  if (pending > 0) return t.adding(pending);
  if (!report) return '';
  const { added, refused, ignored, withoutPath } = report;
  const areAllWithoutPath = withoutPath > 0 && added + refused + ignored === 0;
  return [areAllWithoutPath ? '' : t.added(report), withoutPath > 0 ? t.withoutPath(withoutPath) : '']
    .filter((part) => part !== '')
    .join(' ');
}
