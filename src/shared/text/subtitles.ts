import type { SubtitleCounts } from '../schemas/speech.ts';
import { runAtOnce, type Sliced } from '../time-slicing.ts';
import { estimateSpeechSeconds } from './speech-duration.ts';
import { linesOf } from './lines.ts';
import { endsSentence, withoutSoundNotes } from './sound-notes.ts';
import { isSpoken, type Passage, type SplitOptions, splitText } from './split-text.ts';

/** A line of subtitles and when it is shown. */
interface Cue {
  /** Where its words are in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Without marks and line breaks. */
  readonly words: string;
}

interface Subtitles {
  /** In the order of their times. */
  readonly cues: readonly Cue[];
  /** How many of them are only notes about sounds, which are not spoken. */
  readonly notes: number;
  /** Numbers of lines whose times cannot be read, counted from 1. */
  readonly badLines: readonly number[];
}

/** A passage that starts at a time; one without continues the passage before it. */
export interface TimedPassage extends Passage {
  readonly atSeconds?: number;
}

/** A longer one would be a file of gigabytes, most of it silent. */
const longestSeconds = 24 * 3600;

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)`;
/** WebVTT adds settings after the times, and some programs of SubRip coordinates. */
const timing = new RegExp(String.raw`^[ \t]*${time}[ \t]*-->[ \t]*${time}(?:[ \t].*)?$`);

function secondsOf(hours = '0', minutes: string, seconds: string): number | null {
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds.replace(',', '.'))];
  const all = h * 3600 + m * 60 + s;
  return m < 60 && s < 60 && all <= longestSeconds ? all : null;
}

/** Start and end of a cue; null if its line has none that can be. */
function timesOf(line: string): readonly [from: number, to: number] | null {
  const [, h1, m1 = '', s1 = '', h2, m2 = '', s2 = ''] = timing.exec(line) ?? [];
  if (m1 === '') return null;
  const [from, to] = [secondsOf(h1, m1, s1), secondsOf(h2, m2, s2)];
  return from === null || to === null || to < from ? null : [from, to];
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' },
};

/** The character of a reference such as `&amp;` or `&#39;`; one of none is left out. */
function characterOf(name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return entities[name.toLowerCase()] ?? '';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : '';
}

/** The dash or the arrows before each speaker; not the sign of a number, unless all lines begin with one. */
function withoutDashes(payload: string): string {
  const dashed = payload.match(/^[ \t]*[-–—]/gm)?.length ?? 0;
  return payload.replace(
    dashed > 1 ? /^[ \t]*(?:[-–—]|>{2,3})[ \t]*(?=\S)/gm : /^[ \t]*(?:[-–—](?!\d)|>{2,3})[ \t]*(?=\S)/gm,
    '',
  );
}

/** Tags of both formats, the reading of a character, and positions, styles and breaks of ASS and MicroDVD that SubRip files carry. */
const shownText = (payload: string): string =>
  withoutDashes(
    payload
      .replace(/<rt\b[^<>]*>[^<]*/gi, '')
      .replace(/<\/?[a-z][^<>]*>|<\d[\d:.]*>|<\/>|\{\\[^{}]*\}|\{[cfopsy]:[^{}]*\}/gi, '')
      .replace(/\\[Nh]/g, ' ')
      .replace(/&(amp|lt|gt|quot|apos|nbsp|lrm|rlm|#\d{1,7}|#x[\da-f]{1,6});/gi, (_, name: string) =>
        characterOf(name),
      ),
  );

const spokenWords = (shown: string): string => shown.replace(/\s+/g, ' ').trim();

/** How many lines at the end of one cue are shown again at the beginning of the next one. */
function repeatedLines(before: readonly string[], lines: readonly string[]): number {
  let count = Math.min(before.length, lines.length);
  while (count > 0 && lines.slice(0, count).some((line, k) => line !== before[before.length - count + k])) count -= 1;
  return count;
}

/**
 * Leaves out of captions that roll up, as of live programs and recognized speech, what the cue before shows already. They do if at
 * least half of the cues begin with what is shown, and not only because somebody repeats a word.
 */
function withoutRepeats(cues: readonly Cue[], shown: ReadonlyMap<Cue, string>): readonly Cue[] {
  const lines = cues.map((cue) =>
    (shown.get(cue) ?? '')
      .split(/[\r\n]+/)
      .map(spokenWords)
      .filter((line) => line !== ''),
  );
  const repeated = lines.map((own, k) => repeatedLines(lines[k - 1] ?? [], own));
  const count = repeated.filter((each) => each > 0).length;
  const added = repeated.filter((each, k) => each > 0 && each < (lines[k]?.length ?? 0)).length;
  const most = cues.length - 1;
  if (count < 2 || count < most / 2 || added < most / 4) return cues;
  return cues.map((cue, k) => ({ ...cue, words: (lines[k] ?? []).slice(repeated[k]).join(' ') }));
}

/** What both formats begin with: a mark, or the number and the times of a cue. */
const beginning = new RegExp(
  String.raw`^\ufeff?\s*(?:WEBVTT(?:[ \t].*)?\r?\n|(?:\d+[ \t]*\r?\n)?[ \t]*${time}[ \t]*-->)`,
);

/** What a preview says of subtitles. */
export const subtitleCounts = ({ cues, notes }: Subtitles): SubtitleCounts => ({ n: cues.length - notes, notes });

/** The subtitles of a text; null if it is none of a file of them. */
export function countSubtitles(text: string): SubtitleCounts | null {
  const subtitles = beginning.test(text) ? readSubtitles(text) : null;
  return subtitles && subtitles.cues.length > 0 ? subtitleCounts(subtitles) : null;
}

/** Blocks of WebVTT that are not shown. */
const hidden = /^(?:NOTE|STYLE|REGION|WEBVTT)(?:[ \t]|$)/;

/**
 * Reads SubRip or WebVTT as players do: numbers may be missing, blank lines may be in a cue, the order and overlaps do not matter.
 * Only times that cannot be read are errors, as nobody can tell when their words are to be heard.
 */
export function readSubtitles(text: string): Subtitles {
  const lines = [...linesOf(text)].map(({ start, breakAt }) => ({ start, words: text.slice(start, breakAt) }));
  const isWebVtt = /^\ufeff?WEBVTT/.test(text);
  const isAfterNumber = (at: number): boolean => /^\s*\d*\s*$/.test(lines[at - 1]?.words ?? '');
  /** An arrow between words of a cue is one of them. */
  const isTiming = (at: number): boolean => {
    const { words = '' } = lines[at] ?? {};
    return words.includes('-->') && (/\d[ \t]*-->|-->[ \t]*\d/.test(words) || isAfterNumber(at));
  };
  /** The number or the name before a cue, which is not spoken. */
  const isLabel = (at: number): boolean =>
    isTiming(at + 1) &&
    (/^\s*\d+\s*$/.test(lines[at]?.words ?? '') || (isWebVtt && (at === 0 || lines[at - 1]?.words.trim() === '')));
  const cues: Cue[] = [];
  const shown = new Map<Cue, string>();
  const badLines: number[] = [];
  let notes = 0;
  let before = '';
  const hasSentences = /[.!?…。！？]\s*?(?:\r\n|\n|\r)[ \t]*[\r\n]/.test(text);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    if (isWebVtt && hidden.test(line.words.replace(/^\ufeff/, ''))) {
      while (lines[at + 1]?.words.trim() && !isTiming(at + 1)) at += 1;
      continue;
    }
    if (!isTiming(at)) continue;
    const times = timesOf(line.words);
    if (!times) badLines.push(at + 1);
    const first = at + 1;
    while (at + 1 < lines.length && !isTiming(at + 1) && !isLabel(at + 1)) {
      if (isWebVtt && lines[at]?.words.trim() === '' && hidden.test(lines[at + 1]?.words ?? '')) break;
      at += 1;
    }
    const start = lines[first]?.start ?? text.length;
    const last = lines[at];
    const end = at < first || !last ? start : last.start + last.words.length;
    const [fromSeconds, toSeconds] = times ?? [0, 0];
    const all = shownText(text.slice(start, end));
    const payload = withoutSoundNotes(all, hasSentences && before !== '' && !endsSentence(before));
    const cue = { start, end, fromSeconds, toSeconds, words: spokenWords(payload) };
    if (isSpoken(payload)) before = payload;
    else if (/\S/.test(all) && all !== payload) notes += 1;
    cues.push(cue);
    shown.set(cue, payload);
  }
  cues.sort((a, b) => a.fromSeconds - b.fromSeconds);
  return { cues: withoutRepeats(cues, shown), notes, badLines };
}

/** Estimates how long subtitles take at a speed, each of which begins at its time or once the one before it has ended. */
export const estimateSubtitleSeconds = (text: string, speed: number): number =>
  readSubtitles(text).cues.reduce(
    (at, { fromSeconds, words }) =>
      words === '' ? at : Math.max(at, fromSeconds) + estimateSpeechSeconds(words) / speed,
    0,
  );

/** The passages of subtitles: each cue as one, unless it is long, at its time. Cues without words are left out. */
export function* splitSubtitlesSliced(text: string, options: SplitOptions): Sliced<readonly TimedPassage[]> {
  const timed: TimedPassage[] = [];
  for (const { start, end, fromSeconds, words } of readSubtitles(text).cues) {
    yield;
    const passages = splitText(words, options);
    for (const [k, passage] of passages.entries()) {
      const range = { start: Math.min(start + k, end), end };
      const isLast = k === passages.length - 1;
      const ends = isLast ? 'nothing' : passage.ends;
      timed.push({ ...passage, ...range, ends, ...(k === 0 && { atSeconds: fromSeconds }) });
    }
  }
  return timed;
}

/** Like `splitSubtitlesSliced`, at once. */
export const splitSubtitles = (text: string, options: SplitOptions): readonly TimedPassage[] =>
  runAtOnce(splitSubtitlesSliced(text, options));
