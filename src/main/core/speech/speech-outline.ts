import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { PassagePage, PassageState, SpeechJobSettings, SpeechOutline } from '../../../shared/schemas/speech.ts';
import { readSubtitles, subtitleCounts } from '../../../shared/text/subtitles.ts';
import { textLength } from '../../../shared/text/text-parts.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { runInSlices } from '../clock.ts';
import { fileStampAt } from '../files/identity.ts';
import { type SpokenPassage, spokenPassagesSliced } from './spoken-passages.ts';
import type { TakeKey, Takes } from './takes.ts';

/** A text, as a job would speak it. */
export interface OutlinedText {
  readonly text: string;
  readonly connectionId: string;
  /** See `Takes.keyOf`. */
  readonly address: string;
  /** See `jobSettings`. */
  readonly settings: SpeechJobSettings;
  /** Characters; null for no limit. */
  readonly maxLength: number | null;
}

/** Tells how a text is divided into passages, and which of them are spoken already. */
export interface SpeechOutlineReader {
  outline(text: OutlinedText): Promise<SpeechOutline>;
  /** Up to `passagesPerPage` passages, beginning with number `from`. */
  passages(text: OutlinedText, from: number): Promise<PassagePage>;
  /**
   * Numbers of the next takes of the passages that begin at `starts`, by hash, for a job's settings. Throws `request/invalid` if none begins there.
   */
  numberRetakes(text: OutlinedText, starts: readonly number[]): Promise<Readonly<Record<string, number>>>;
}

interface Dependencies {
  readonly takes: Pick<Takes, 'keyOf' | 'find' | 'list' | 'latestNumber'>;
  readonly inspectSound: InspectSound;
}

const passagesPerPage = 250;
const maxCachedDurations = 20_000;

/** Path from the folder of all takes, as pages write it. */
const mediaOf = (path: string): string => path.split(/[/\\]/).slice(-2).join('/');

export function createSpeechOutline({ takes, inspectSound }: Dependencies): SpeechOutlineReader {
  /** Lengths in seconds, by path: a take never changes. */
  const lengths = new Map<string, Promise<number | null>>();

  /** Of a text whose pages are listed one after the other. */
  const divided = new WeakMap<OutlinedText, Promise<readonly SpokenPassage[]>>();

  function passagesOf(outlined: OutlinedText): Promise<readonly SpokenPassage[]> {
    const { text, settings, maxLength } = outlined;
    const passages = divided.get(outlined) ?? runInSlices(spokenPassagesSliced(text, settings, maxLength));
    divided.set(outlined, passages);
    return passages;
  }

  /** Of passages that are outlined first, and then listed. */
  const keys = new WeakMap<SpokenPassage, TakeKey>();

  function keyOf({ connectionId, address }: OutlinedText, passage: SpokenPassage): TakeKey {
    const { text, settings } = passage;
    const key = keys.get(passage) ?? takes.keyOf({ connectionId, address, text, settings });
    keys.set(passage, key);
    return key;
  }

  function secondsOf(path: string): Promise<number | null> {
    if (lengths.size >= maxCachedDurations) lengths.clear();
    const seconds =
      lengths.get(path) ??
      inspectSound(path).then((found) => (found.kind === 'sound' ? (found.durationSeconds ?? null) : null));
    lengths.set(path, seconds);
    seconds.catch(() => lengths.delete(path));
    return seconds;
  }

  return {
    async outline(outlined) {
      const passages = await passagesOf(outlined);
      // A text of one passage is one call each time.
      const isDivided = passages.length > 1;
      const paths: (string | undefined)[] = [];
      for (let from = 0; isDivided && from < passages.length; from += passagesPerPage) {
        const some = passages.slice(from, from + passagesPerPage);
        paths.push(...(await Promise.all(some.map((passage) => takes.find(keyOf(outlined, passage))))));
        // Main does other things in between: a book has thousands.
        await yieldToEventLoop();
      }
      const open = passages.filter((_, k) => paths[k] === undefined);
      const calls = new Map(open.map((passage) => [keyOf(outlined, passage).hash, passage]));
      return {
        passages: passages.length,
        spoken: passages.length - open.length,
        calls: calls.size,
        characters: [...calls.values()].reduce((sum, { text }) => sum + textLength(text), 0),
        paragraphs: passages.filter(({ ends }) => ends === 'paragraph').length,
        subtitles: outlined.settings.textFormat === 'subtitles' ? subtitleCounts(readSubtitles(outlined.text)) : null,
      };
    },
    async passages(outlined, from) {
      const passages = await passagesOf(outlined);
      const page = passages.slice(from, from + passagesPerPage);
      const states = page.map(async (passage): Promise<PassageState> => {
        const { start, end, ends, speaker } = passage;
        const place = { start, end, ends, ...(speaker !== undefined && { speaker }) };
        const key = keyOf(outlined, passage);
        const path = passages.length > 1 ? await takes.find(key) : undefined;
        if (path === undefined) return { ...place, media: null, takes: [], durationSeconds: null };
        return {
          ...place,
          media: mediaOf(path),
          takes: (await takes.list(key)).map(mediaOf),
          durationSeconds: await secondsOf(path),
        };
      });
      const next = from + page.length;
      return { passages: await Promise.all(states), next: next < passages.length ? next : null };
    },
    async numberRetakes(outlined, starts) {
      const passages = new Map((await passagesOf(outlined)).map((passage) => [passage.start, passage]));
      const counts = starts.map(async (start) => {
        const passage = passages.get(start);
        if (!passage) throw new AppError('request/invalid', `no passage begins at ${start}`);
        const key = keyOf(outlined, passage);
        return [key.hash, (await takes.latestNumber(key)) + 1] as const;
      });
      return Object.fromEntries(await Promise.all(counts));
    },
  };
}

const takeMedia = /^[0-9a-f]{32}\/[0-9a-f]{64}(?:-\d+)?\.[a-z0-9]{1,16}$/;

/** Path of a take that the page may play, by its `media`; undefined if there is none. `folder` is that of all takes. */
export async function findTakeSound(folder: string, media: string): Promise<string | undefined> {
  if (!takeMedia.test(media)) return undefined;
  const path = join(folder, media);
  return (await fileStampAt(path))?.isFile ? path : undefined;
}
