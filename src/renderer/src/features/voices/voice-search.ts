import { foldText } from '../../../../shared/text/fold-text.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { voiceSummary } from './voice-labels.ts';

/** Folded texts that a search compares: the name, and the other properties, which many voices share, by their index. */
interface SearchText {
  readonly name: string;
  readonly kind: number;
}

/** The user's notes on voices, by id. */
type Notes = Readonly<Record<string, string>>;

interface SearchTexts {
  readonly language: string;
  /** In the order of the voices. */
  readonly texts: SearchText[];
}

const foldedNames = new WeakMap<Voice, string>();
/** Texts of the properties that were seen, and their indexes by properties and language. */
const kinds: string[] = [];
const kindIndexes = new Map<string, number>();
const textsOfLists = new WeakMap<readonly Voice[], SearchTexts>();

function searchText(voice: Voice, messages: Messages): SearchText {
  const { language, gender, category } = voice;
  const name = foldedNames.get(voice) ?? foldText(voice.name);
  foldedNames.set(voice, name);
  const key = `${messages.language} ${language} ${gender} ${category}`;
  let kind = kindIndexes.get(key);
  if (kind === undefined) {
    kind = kinds.push(foldText(`${voiceSummary(voice, messages)} ${language} ${category}`)) - 1;
    kindIndexes.set(key, kind);
  }
  return { name, kind };
}

/** Folds the texts of voices ahead of a search, while `hasTime`. Returns whether all are folded. */
export function foldVoices(voices: readonly Voice[], messages: Messages, hasTime: () => boolean = () => true): boolean {
  const { language } = messages;
  const known = textsOfLists.get(voices);
  const texts: SearchText[] = known?.language === language ? known.texts : [];
  textsOfLists.set(voices, { language, texts });
  while (texts.length < voices.length && hasTime()) {
    for (const voice of voices.slice(texts.length, texts.length + 100)) texts.push(searchText(voice, messages));
  }
  return texts.length >= voices.length;
}

const foldedNotes = new WeakMap<Notes, ReadonlyMap<string, string>>();

function foldNotes(notes: Notes): ReadonlyMap<string, string> {
  const folded =
    foldedNotes.get(notes) ?? new Map(Object.entries(notes).map(([voiceId, text]) => [voiceId, foldText(text)]));
  foldedNotes.set(notes, folded);
  return folded;
}

/** Voices whose texts, or the user's notes on them, contain every word of the query. */
export function findVoices(
  voices: readonly Voice[],
  query: string,
  messages: Messages,
  notes: Notes = {},
): readonly Voice[] {
  const words = foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return voices;
  foldVoices(voices, messages);
  const texts = textsOfLists.get(voices)?.texts ?? [];
  const noteTexts = foldNotes(notes);
  // Each kind is searched once and not with each of its voices: this runs with each key over 20,000.
  const wanted = words.map((word) => ({ word, isInKind: kinds.map((kind) => kind.includes(word)) }));
  return voices.filter(({ id }, k) => {
    const { name = '', kind = -1 } = texts[k] ?? {};
    const note = noteTexts.size === 0 ? '' : (noteTexts.get(id) ?? '');
    return wanted.every(({ word, isInKind }) => isInKind[kind] === true || name.includes(word) || note.includes(word));
  });
}
