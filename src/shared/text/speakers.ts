import { runAtOnce, type Sliced } from '../time-slicing.ts';
import { invisibleCharacters } from './control-characters.ts';
import { type Line, linesOf } from './lines.ts';
import { textLength } from './text-parts.ts';

/** A part of a text that one voice speaks, in UTF-16 units and without the name that begins it. */
export interface Turn {
  readonly start: number;
  readonly end: number;
  /** Its speaker's name as assigned; null for the voice of the text. */
  readonly speaker: string | null;
}

const maxNameLength = 40;

/** A name at the start of a line: `Anna: …`, `Anna : …`, or `安娜：…`. Blanks before it are few, so that no line is read twice. */
const lead =
  /^[^\S\r\n]{0,20}([^\s:：][^:：\r\n]{0,49})(?::(?:(?=\p{Default_Ignorable_Code_Point})\p{Cf})*(?=\s|$)|：)[^\S\r\n]*/u;
/** Longer than what `lead` reads up to the colon. */
const headLength = 120;

const visible = (name: string): string => name.replace(invisibleCharacters, '').trim();

/** The form in which names are compared. */
export const speakerKey = (name: string): string => visible(name).replace(/\s+/g, ' ').normalize('NFC').toLowerCase();

/** True for a name that a line can begin with. */
export const isSpeakerName = (name: string): boolean =>
  visible(name) !== '' && textLength(name) <= maxNameLength && !/[:：\r\n]/.test(name) && name.isWellFormed();

/** The name that a line begins with, and where its words begin. */
function leadOf(
  text: string,
  { start, breakAt }: Line,
): { readonly name: string; readonly wordsAt: number } | undefined {
  const [whole = '', name = ''] = lead.exec(text.slice(start, Math.min(breakAt, start + headLength))) ?? [];
  return name !== '' && isSpeakerName(name.trim()) ? { name: name.trim(), wordsAt: start + whole.length } : undefined;
}

/** Reads lines that begin with the name of a speaker: the name as assigned, and where the words of the line begin. */
function createLabelReader(text: string, speakers: readonly string[]) {
  const names = new Map(speakers.map((name) => [speakerKey(name), name]));
  return (line: Line): { readonly speaker: string; readonly wordsAt: number } | undefined => {
    const found = leadOf(text, line);
    const speaker = found && names.get(speakerKey(found.name));
    return speaker === undefined ? undefined : { speaker, wordsAt: found?.wordsAt ?? line.start };
  };
}

/** The speakers whose names begin lines of a text, even without words, in order of appearance. */
export const labelledSpeakers = (text: string, speakers: readonly string[]): readonly string[] =>
  runAtOnce(labelledSpeakersSliced(text, speakers));

/** Like `labelledSpeakers`. */
export function* labelledSpeakersSliced(text: string, speakers: readonly string[]): Sliced<readonly string[]> {
  const found = new Set<string>();
  if (speakers.length === 0) return [];
  const labelOf = createLabelReader(text, speakers);
  for (const line of linesOf(text)) {
    yield;
    const label = labelOf(line);
    if (label) found.add(label.speaker);
  }
  return [...found];
}

/**
 * Divides a text among its speakers. A line that begins with one of their names is theirs, up to the next such line or a blank
 * one; what nobody says belongs to the voice of the text. Parts of blanks are left out.
 */
export const turnsOf = (text: string, speakers: readonly string[]): readonly Turn[] =>
  runAtOnce(turnsSliced(text, speakers));

/** Like `turnsOf`. */
export function* turnsSliced(text: string, speakers: readonly string[]): Sliced<readonly Turn[]> {
  const all = { start: 0, end: text.length, speaker: null };
  if (speakers.length === 0) return [all];
  const labelOf = createLabelReader(text, speakers);
  const turns: Turn[] = [];
  let turn: Turn = { ...all, end: 0 };
  const finish = (end: number) => {
    if (text.slice(turn.start, end).trim() !== '') turns.push({ ...turn, end });
  };
  for (const line of linesOf(text)) {
    yield;
    const label = labelOf(line);
    if (label) {
      finish(line.start);
      turn = { start: label.wordsAt, end: line.end, speaker: label.speaker };
    } else if (turn.speaker !== null && text.slice(line.start, line.breakAt).trim() === '') {
      finish(line.start);
      turn = { start: line.start, end: line.end, speaker: null };
    }
  }
  finish(text.length);
  return turns;
}

/** What looks like the name of a person: a few words, each with its letters, and no sentence. */
const likelyName = /^(?=\p{L})[\p{L}\p{M}\p{N}.'’-]+(?: [\p{L}\p{M}\p{N}.'’-]+){0,3}$/u;
const mostNames = 50;

/** Names that begin two or more lines, as a play writes them, in order of appearance. */
export function findSpeakerNames(text: string): readonly string[] {
  const found = new Map<string, { readonly name: string; count: number }>();
  if (!/[:：]/.test(text)) return [];
  for (const line of linesOf(text)) {
    const name = visible(leadOf(text, line)?.name ?? '');
    if (!likelyName.test(name) || /^\p{Ll}/u.test(name)) continue;
    const before = found.get(speakerKey(name));
    if (before) before.count += 1;
    else found.set(speakerKey(name), { name, count: 1 });
  }
  return [...found.values()]
    .filter(({ count }) => count > 1)
    .slice(0, mostNames)
    .map(({ name }) => name);
}
