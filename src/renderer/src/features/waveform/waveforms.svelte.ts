import { SvelteMap } from 'svelte/reactivity';
import type { Api } from '../../lib/api.ts';
import { parseWaveformColumns, plainColumns, type WaveformColumns } from './waveform-columns.ts';

export type Side = 'source' | 'result';

/** A job or an entry; a side without a file is null. */
interface Recording {
  readonly id: string;
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
}

export interface Waveform {
  readonly columns: WaveformColumns;
  readonly durationSeconds: number;
  readonly levelDb: number | null;
}

interface Request {
  readonly key: string;
  readonly id: string;
  readonly side: Side;
}

const maxCached = 800;
const maxConcurrent = 3;
/** Older requests are of rows that were scrolled past. */
const maxPending = 200;

/**
 * Cache of waveforms, requested when they are shown. The newest request goes first, because its row is in view now. A sound that cannot
 * be drawn is null for good; one on a disk that does not answer is requested again when it is shown again.
 */
export class Waveforms {
  readonly #getWaveform: Api['jobs']['getWaveform'];
  readonly #cache = new SvelteMap<string, Waveform | null>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only `#cache` is shown
  readonly #requested = new Set<string>();
  #pending: Request[] = [];
  #running = 0;

  constructor(getWaveform: Api['jobs']['getWaveform']) {
    this.#getWaveform = getWaveform;
  }

  /** The waveform of a side; null while it is loading, and if it cannot be drawn. */
  request(job: Recording, side: Side): Waveform | null {
    const media = side === 'source' ? job.sourceMedia : job.resultMedia;
    if (media === null) return null;
    // With the id, because the next job may overwrite the file of this one.
    const key = `${job.id} ${side} ${media}`;
    const waveform = this.#cache.get(key) ?? null;
    if (!this.#requested.has(key)) {
      this.#requested.add(key);
      this.#pending.push({ key, id: job.id, side });
      if (this.#pending.length > maxPending) this.#requested.delete(this.#pending.shift()?.key ?? '');
      queueMicrotask(() => void this.#next());
    }
    return waveform;
  }

  /** Requests plain bars again: ffmpeg may be there now. */
  redrawPlain(): void {
    for (const [key, waveform] of this.#cache) {
      if (waveform?.columns !== plainColumns) continue;
      this.#requested.delete(key);
      this.#cache.delete(key);
    }
  }

  async #next(): Promise<void> {
    if (this.#running >= maxConcurrent) return;
    const request = this.#pending.pop();
    if (!request) return;
    this.#running++;
    try {
      this.#store(request.key, await this.#load(request));
    } catch {
      // The row itself reports what is wrong with its file.
      this.#requested.delete(request.key);
    } finally {
      this.#running--;
      void this.#next();
    }
  }

  async #load({ id, side }: Request): Promise<Waveform | null> {
    const info = await this.#getWaveform({ id, which: side });
    const columns = info && (info.columns === '' ? plainColumns : parseWaveformColumns(info.columns));
    if (!info || !columns) return null;
    const { durationSeconds, levelDb } = info;
    return { columns, durationSeconds, levelDb };
  }

  #store(key: string, waveform: Waveform | null): void {
    this.#cache.set(key, waveform);
    if (this.#cache.size <= maxCached) return;
    const oldest = this.#cache.keys().next().value;
    if (oldest === undefined) return;
    this.#cache.delete(oldest);
    this.#requested.delete(oldest);
  }
}
