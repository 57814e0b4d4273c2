import { join } from 'node:path';
import type { PassagePage, PassageState, SpeechOutline, SpeechSettings } from '../../../shared/schemas/speech.ts';
import { textLength } from '../../../shared/text/text-parts.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { fileStampAt } from '../files/identity.ts';
import { type SpokenPassage, spokenPassages } from './spoken-passages.ts';
import type { Takes } from './takes.ts';

/** A text, as a job would speak it. */
interface OutlinedText {
  readonly text: string;
  readonly connectionId: string;
  /** See `Takes.keyOf`. */
  readonly address: string;
  /** See `jobSettings`. */
  readonly settings: SpeechSettings;
  /** Characters; null for no limit. */
  readonly maxLength: number | null;
}

/** Tells how a text is divided into passages, and which of them are spoken already. */
export interface SpeechOutlineReader {
  outline(text: OutlinedText): Promise<SpeechOutline>;
  /** Up to `passagesPerPage` passages, beginning with number `from`. */
  passages(text: OutlinedText, from: number): Promise<PassagePage>;
}

interface Dependencies {
  readonly takes: Pick<Takes, 'keyOf' | 'find'>;
  readonly inspectSound: InspectSound;
}

const passagesPerPage = 100;
const mostKnownLengths = 20_000;

export function createSpeechOutline({ takes, inspectSound }: Dependencies): SpeechOutlineReader {
  /** Lengths in seconds, by path: a take never changes. */
  const lengths = new Map<string, number | null>();

  const passagesOf = ({ text, settings, maxLength }: OutlinedText): readonly SpokenPassage[] =>
    spokenPassages(text, settings, maxLength);

  const takeOf = (
    { connectionId, address }: OutlinedText,
    { text, settings }: SpokenPassage,
  ): Promise<string | undefined> => takes.find(takes.keyOf({ connectionId, address, text, settings }));

  async function secondsOf(path: string): Promise<number | null> {
    const known = lengths.get(path);
    if (known !== undefined) return known;
    const found = await inspectSound(path);
    const seconds = found.kind === 'sound' ? (found.durationSeconds ?? null) : null;
    if (lengths.size >= mostKnownLengths) lengths.clear();
    lengths.set(path, seconds);
    return seconds;
  }

  return {
    async outline(outlined) {
      const passages = passagesOf(outlined);
      // A text of one passage is one call each time.
      const isDivided = passages.length > 1;
      const paths = isDivided ? await Promise.all(passages.map((passage) => takeOf(outlined, passage))) : [];
      const open = passages.filter((_, k) => paths[k] === undefined);
      return {
        passages: passages.length,
        spoken: passages.length - open.length,
        characters: open.reduce((sum, { text }) => sum + textLength(text), 0),
      };
    },
    async passages(outlined, from) {
      const passages = passagesOf(outlined);
      const page = passages.slice(from, from + passagesPerPage);
      const states = page.map(async (passage): Promise<PassageState> => {
        const { start, end, ends, speaker } = passage;
        const place = { start, end, ends, ...(speaker !== undefined && { speaker }) };
        const path = passages.length > 1 ? await takeOf(outlined, passage) : undefined;
        if (path === undefined) return { ...place, media: null, durationSeconds: null };
        const media = path.split(/[/\\]/).slice(-2).join('/');
        return { ...place, media, durationSeconds: await secondsOf(path) };
      });
      const next = from + page.length;
      return { passages: await Promise.all(states), next: next < passages.length ? next : null };
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
