import type { Problem } from '../../../../shared/errors.ts';
import type { LogFilter, LogLevel, LogPage, LogRow } from '../../../../shared/schemas/log.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';

/** Rows in memory; those at the far end of the list are dropped and read again when they are scrolled to. */
const maxRows = 5000;
/** Pages that are read at once for a filter that matches rarely. */
const maxPages = 20;

/** The rows of a page that are not shown yet: where a file was deleted or cut, a part of the log is read again. */
function newTo(rows: readonly LogRow[], page: readonly LogRow[]): readonly LogRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return page.filter(({ id }) => !known.has(id));
}

/** A window on the log that grows at both ends, from the newest entries. Nothing is read until `start`. */
export class LogTail {
  readonly #api: Pick<Api['diagnostics'], 'readLog' | 'revealLog'>;
  readonly #maxRows: number;
  readonly #debouncedReload: Debounced;
  /** Increased by each reload, which makes replies to earlier requests stale. */
  #generation = 0;
  #isReading = false;
  /** True if newer rows were dropped. */
  #hasNewer = false;
  #start: string | null = null;
  #end: string | null = null;

  rows = $state.raw<readonly LogRow[]>([]);
  filter = $state.raw<LogFilter>({ level: 'debug', text: '' });
  /** True until the first page of the current filter has arrived. */
  isLoading = $state(true);
  /** True if there are entries before the first row. */
  hasOlder = $state(false);
  /** True while the newest entries are shown as they are written. */
  isFollowing = $state(true);
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['diagnostics'], 'readLog' | 'revealLog'>, { max = maxRows, delayMs = 200 } = {}) {
    this.#api = api;
    this.#maxRows = max;
    this.#debouncedReload = debounced(() => void this.reload(), { delayMs, maxDelayMs: 1000 });
  }

  setLevel(level: LogLevel): void {
    this.filter = { ...this.filter, level };
    void this.reload();
  }

  setText(text: string): void {
    this.filter = { ...this.filter, text };
    this.#debouncedReload.call();
  }

  /** Shows the newest entries, and follows them. */
  async reload(): Promise<void> {
    this.#debouncedReload.cancel();
    this.#generation += 1;
    this.#isReading = false;
    this.isFollowing = true;
    await this.#read(async (read) => {
      const { page, rows } = await this.#collect(read, null);
      this.rows = rows;
      this.#end = page.end;
      this.#hasNewer = false;
      this.#setStart(page.start);
      this.isLoading = false;
    });
  }

  async readOlder(): Promise<void> {
    const { rows } = this;
    if (this.#start === null) return;
    await this.#read(async (read) => {
      const older = await this.#collect(read, this.#start);
      const all = [...newTo(rows, older.rows), ...rows];
      const dropped = all[this.#maxRows];
      this.rows = all.slice(0, this.#maxRows);
      if (dropped) {
        this.#end = dropped.id;
        this.#hasNewer = true;
      }
      this.#setStart(older.page.start);
    });
  }

  /** Reads the newer rows that were dropped while older ones were read. */
  async readDropped(): Promise<void> {
    if (this.#hasNewer) await this.readNewer();
  }

  /** Reads what was written since. */
  async readNewer(): Promise<void> {
    const { rows } = this;
    if (this.isLoading) return;
    await this.#read(async (read) => {
      const page = await read('newer', this.#end);
      this.#end = page.end;
      this.#hasNewer &&= page.rows.length > 0;
      if (page.rows.length === 0) return;
      const all = [...rows, ...newTo(rows, page.rows)];
      this.rows = all.slice(-this.#maxRows);
      if (all.length > this.#maxRows) this.#setStart(this.rows[0]?.id ?? null);
    });
  }

  async reveal(): Promise<void> {
    try {
      await this.#api.revealLog();
    } catch (error) {
      this.problem = toProblem(error);
    }
  }

  #setStart(start: string | null): void {
    this.#start = start;
    this.hasOlder = start !== null;
  }

  /** Reads on towards the beginning until a page has rows. */
  async #collect(
    read: ReadPage,
    cursor: string | null,
  ): Promise<{ readonly page: LogPage; readonly rows: readonly LogRow[] }> {
    const first = await read('older', cursor);
    let page = first;
    for (let k = 1; page.rows.length === 0 && page.start !== null && k < maxPages; k += 1) {
      page = await read('older', page.start);
    }
    return { page: { ...page, end: first.end }, rows: page.rows };
  }

  /** Runs one reader at a time, until another reload. */
  async #read(run: (read: ReadPage) => Promise<void>): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const generation = this.#generation;
    const read: ReadPage = async (direction, cursor) => {
      const page = await this.#api.readLog({ ...this.filter, direction, cursor });
      if (generation !== this.#generation) throw stale;
      return page;
    };
    try {
      await run(read);
      this.problem = null;
    } catch (error) {
      if (error === stale || generation !== this.#generation) return;
      this.problem = toProblem(error);
      this.isLoading = false;
    }
    this.#isReading = false;
  }
}

type ReadPage = (direction: 'older' | 'newer', cursor: string | null) => Promise<LogPage>;

const stale = new Error('the log was read again meanwhile');
