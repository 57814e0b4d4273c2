import { SvelteMap } from 'svelte/reactivity';
import type { Api } from '../../lib/api.ts';
import { parseWaveformColumns, type WaveformColumns } from './waveform-columns.ts';

export type Side = 'source' | 'result';

/** A recording and what was made of it, as far as there is anything to be drawn of them. */
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

interface Wish {
  readonly key: string;
  readonly id: string;
  readonly which: Side;
}

const maxKept = 800;
const maxAtOnce = 3;
/** Older wishes are of rows that a long list was dragged past. */
const maxWishes = 200;

/**
 * Drawings of sounds, asked for when somebody looks at them. The newest wish goes first: it is the row that is on screen now. A
 * sound that cannot be drawn is null, and stays so.
 */
export class Waveforms {
  readonly #fold: Api['jobs']['getWaveform'];
  readonly #pictures = new SvelteMap<string, Waveform | null>();
  // Not state: only `#pictures` is shown.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #asked = new Set<string>();
  #wishes: Wish[] = [];
  #running = 0;

  constructor(fold: Api['jobs']['getWaveform']) {
    this.#fold = fold;
  }

  /** Null while it is not there, or cannot be drawn. */
  get(job: Recording, which: Side): Waveform | null {
    const media = which === 'source' ? job.sourceMedia : job.resultMedia;
    if (media === null) return null;
    // The file of one job may be written over by the recording of the next.
    const key = `${job.id} ${which} ${media}`;
    const picture = this.#pictures.get(key) ?? null;
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      this.#wishes.push({ key, id: job.id, which });
      if (this.#wishes.length > maxWishes) this.#asked.delete(this.#wishes.shift()?.key ?? '');
      queueMicrotask(() => void this.#next());
    }
    return picture;
  }

  async #next(): Promise<void> {
    if (this.#running >= maxAtOnce) return;
    const wish = this.#wishes.pop();
    if (!wish) return;
    this.#running++;
    try {
      this.#keep(wish.key, await this.#picture(wish));
    } finally {
      this.#running--;
      void this.#next();
    }
  }

  async #picture({ id, which }: Wish): Promise<Waveform | null> {
    // A drawing is an ornament of its row: the row itself says what is wrong with its file.
    const info = await this.#fold({ id, which }).catch(() => null);
    const columns = info && parseWaveformColumns(info.columns);
    if (!info || !columns) return null;
    const { durationSeconds, levelDb } = info;
    return { columns, durationSeconds, levelDb };
  }

  #keep(key: string, picture: Waveform | null): void {
    this.#pictures.set(key, picture);
    if (this.#pictures.size <= maxKept) return;
    const oldest = this.#pictures.keys().next().value;
    if (oldest === undefined) return;
    this.#pictures.delete(oldest);
    this.#asked.delete(oldest);
  }
}
