import type { ErrorCode, Facts, Problem } from '../errors.ts';
import { badRowsOf, numberFact, proxyFault, textFact } from './facts.ts';
import type { Messages } from './index.ts';

/** What happened, and what the user can do about it. */
export interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

/** What the facts of a problem change in its text: sentences before the advice, and another title or advice. */
interface Told {
  readonly title?: string | undefined;
  readonly lead?: string | undefined;
  readonly advice?: string | undefined;
}

type Texts = Messages['problems'];

type Tellers = { readonly [C in ErrorCode]: (facts: Facts, texts: Texts[C], messages: Messages) => Told };

/** Codes with more messages than a title and advice: something must choose among these. */
type CodeWithChoice = {
  [C in ErrorCode]: Exclude<keyof Texts[C], keyof ProblemText> extends never ? never : C;
}[ErrorCode];

/** A message, if all its arguments are known. */
const ifKnown = <A extends object>(
  message: (args: A) => string,
  args: { readonly [K in keyof NoInfer<A>]: A[K] | undefined },
): string | undefined => (Object.values(args).includes(undefined) ? undefined : message(args as A));

type Named<F extends string> = (args: Readonly<Record<F, string>>) => string;

const byName = (facts: Facts, { titleNamed }: { readonly titleNamed: Named<'name'> }) => ({
  title: ifKnown(titleNamed, { name: textFact(facts, 'name') }),
});

const byFolder = (facts: Facts, { titleFolder }: { readonly titleFolder: Named<'folder'> }) => ({
  title: ifKnown(titleFolder, { folder: textFact(facts, 'folder') }),
});

const inFolder = (facts: Facts, { adviceFolder }: { readonly adviceFolder: Named<'folder'> }) => ({
  advice: ifKnown(adviceFolder, { folder: textFact(facts, 'folder') }),
});

/** How to get ffmpeg on a system; undefined stands for one that is not known. */
export function ffmpegAdvice({ ffmpeg: { install } }: Messages, system: string | undefined): string {
  return system === 'win32' || system === 'darwin' ? install[system] : install.other;
}

function cutShort(facts: Facts, { facts: t }: Messages): string | undefined {
  const size = { promised: numberFact(facts, 'promisedBytes'), actual: numberFact(facts, 'actualBytes') };
  const length = { promised: numberFact(facts, 'promisedSeconds'), actual: numberFact(facts, 'actualSeconds') };
  return ifKnown(t.lengthCut, length) ?? ifKnown(t.sizeCut, size);
}

function sizeLimit(facts: Facts, { facts: t }: Messages): string | undefined {
  const limit = numberFact(facts, 'limitBytes');
  const actual = numberFact(facts, 'actualBytes');
  return ifKnown(t.sizeLimitExceeded, { limit, actual }) ?? ifKnown(t.sizeLimit, { limit });
}

function textLimit(facts: Facts, { facts: t }: Messages): string | undefined {
  const size = { limit: numberFact(facts, 'limitBytes'), actual: numberFact(facts, 'actualBytes') };
  const length = { limit: numberFact(facts, 'limitCharacters'), actual: numberFact(facts, 'actualCharacters') };
  return (
    ifKnown(t.textSizeLimitExceeded, size) ??
    ifKnown(t.sizeLimit, { limit: size.limit }) ??
    ifKnown(t.characterLimitExceeded, length) ??
    ifKnown(t.characterLimit, { limit: length.limit })
  );
}

const statusIn = (facts: Facts, { facts: t }: Messages): string | undefined =>
  ifKnown(t.status, { status: numberFact(facts, 'status') });

const tryIn = (facts: Facts, { facts: t }: Messages): string | undefined =>
  ifKnown(t.tryIn, { seconds: numberFact(facts, 'retryAfterSeconds') });

const stored = (facts: Facts, _texts: ProblemText, { facts: t }: Messages) => ({
  lead: ifKnown(t.storedIn, { name: textFact(facts, 'name') }),
});

const polled = (facts: Facts, _texts: ProblemText, { facts: t }: Messages) => ({
  lead: ifKnown(t.polledEvery, { seconds: numberFact(facts, 'seconds') }) ?? t.polled,
});

function recovered(facts: Facts, t: Texts['data/damaged']): string | undefined {
  const count = numberFact(facts, 'count');
  const lost = numberFact(facts, 'lost');
  if (lost === undefined) return ifKnown(t.recovered, { count });
  return lost === 0 ? ifKnown(t.recoveredAll, { count }) : ifKnown(t.recoveredSome, { count, lost });
}

/** How many there are besides the one that is named; undefined if there are none. */
function othersIn(facts: Facts): number | undefined {
  const count = numberFact(facts, 'count') ?? 1;
  return count > 1 ? count - 1 : undefined;
}

const withFacts: Partial<Tellers> & Pick<Tellers, CodeWithChoice> = {
  'input/needs-ffmpeg': (facts, t, messages) => ({
    title: ifKnown(t.titleFormat, { format: textFact(facts, 'format') }),
    lead: ffmpegAdvice(messages, textFact(facts, 'system')),
  }),
  'input/cut': (facts, _t, messages) => ({ lead: cutShort(facts, messages) }),
  'input/too-long': (facts, t, { format }) => ({
    lead: format.sentences(
      ifKnown(t.limit, { seconds: numberFact(facts, 'limitSeconds') }),
      ifKnown(t.actual, { seconds: numberFact(facts, 'actualSeconds') }),
    ),
  }),
  'input/text-too-long': (facts, t, messages) => ({
    title: numberFact(facts, 'limitBytes') === undefined ? t.title : t.titleFile,
    lead: textLimit(facts, messages),
  }),
  'input/text-empty': (facts, t) => {
    const file = textFact(facts, 'file');
    return file === undefined ? t : { title: t.titleFile({ file }), advice: t.adviceFile };
  },
  'input/not-text': (facts, t) => ({ title: ifKnown(t.titleFile, { file: textFact(facts, 'file') }) }),
  'pronunciation/too-long': (facts, t, messages) => ({
    title: ifKnown(t.titleWord, { word: textFact(facts, 'word') }),
    lead: ifKnown(messages.facts.characterLimit, { limit: numberFact(facts, 'limit') }),
  }),
  'input/subtitle-times': (facts, t) => ({
    title: ifKnown(t.titleLines, { count: numberFact(facts, 'count'), lines: textFact(facts, 'lines') }),
  }),
  'table/columns': (facts, t) => ({
    title: ifKnown(t.titleCounts, { actual: numberFact(facts, 'actual'), expected: numberFact(facts, 'expected') }),
  }),
  'table/language': (facts, t) => ({ title: ifKnown(t.titleNamed, { language: textFact(facts, 'language') }) }),
  'table/no-voice': byName,
  'table/several-voices': byName,
  'table/too-many-rows': (facts, t) => ({
    lead: ifKnown(t.limit, { limit: numberFact(facts, 'limit'), actual: numberFact(facts, 'actual') }),
  }),
  'table/bad-rows': (facts, t, { problems, format }) => ({
    title: ifKnown(t.titleCount, { count: numberFact(facts, 'count') }),
    lead: format.sentences(
      ...badRowsOf(facts).map(({ row, code }) => t.row({ row, problem: format.sentence(problems[code].title) })),
    ),
  }),
  'speech/late-cues': (facts, t) => {
    const count = numberFact(facts, 'count');
    return {
      title: ifKnown(t.titleCount, { count }),
      advice: ifKnown(t.adviceSeconds, { count, seconds: numberFact(facts, 'seconds') }),
    };
  },
  'voice/not-found': (facts, _t, messages) => ({
    lead: ifKnown(messages.facts.notOffered, { name: textFact(facts, 'name') }),
  }),
  'voice/speaker-not-found': (facts, t) => ({
    ...byName(facts, t),
    lead: ifKnown(t.notOffered, { voice: textFact(facts, 'voice') }),
  }),
  'output/disk-full': (facts, t) => ({ advice: ifKnown(t.adviceBytes, { bytes: numberFact(facts, 'neededBytes') }) }),
  'output/folder-missing': inFolder,
  'system/login-item': inFolder,
  'system/terminal-command': inFolder,
  'system/terminal-command-taken': byName,
  'system/power-refused': (facts, t) => ({
    title: textFact(facts, 'action') === 'shut-down' ? t.titleShutDown : t.title,
    lead: ifKnown(t.said, { said: textFact(facts, 'said') }),
  }),
  'network/insecure': (facts, t) => {
    const host = textFact(facts, 'resultHost');
    return host === undefined ? t : { title: t.titleResult, advice: t.adviceResult({ host }) };
  },
  'network/proxy': (facts, t, messages) => {
    const fault = proxyFault(facts);
    return {
      title: fault === 'address' ? t.title : t.titles[fault],
      lead: statusIn(facts, messages),
      advice: fault === 'credentials' ? t.adviceCredentials : t.advice,
    };
  },
  'service/refused': (facts, t, messages) => {
    const limit = sizeLimit(facts, messages);
    return {
      title: limit === undefined ? t.title : t.titleTooLarge,
      lead: messages.format.sentences(limit, statusIn(facts, messages)),
    };
  },
  'service/format': (facts, t) => ({ advice: ifKnown(t.adviceTaken, { taken: textFact(facts, 'taken') }) }),
  'service/too-large': (facts, _t, messages) => ({ lead: sizeLimit(facts, messages) }),
  'service/not-understood': (facts, _t, messages) => ({ lead: statusIn(facts, messages) }),
  'service/unavailable': (facts, _t, messages) => ({
    lead: statusIn(facts, messages),
    advice: tryIn(facts, messages),
  }),
  'service/result-incomplete': (facts, t, { format }) => {
    const promised = numberFact(facts, 'promisedBytes');
    const actual = numberFact(facts, 'actualBytes');
    return promised === undefined || actual === undefined
      ? {}
      : { lead: t.arrived(format.bytesPair(actual, promised)) };
  },
  'auth/missing': (facts, t) => {
    const origin = textFact(facts, 'origin');
    return origin === undefined ? t : { title: t.titleOrigin({ origin }), advice: t.adviceOrigin };
  },
  'rate/limited': (facts, _t, messages) => ({ advice: tryIn(facts, messages) }),
  'preset/name-taken': byName,
  'preset/too-many': (facts, t) => ({ title: ifKnown(t.titleCount, { count: numberFact(facts, 'count') }) }),
  'preset/not-an-export': byName,
  'preset/export-too-large': (facts, t) => ({
    ...byName(facts, t),
    lead: ifKnown(t.limit, { bytes: numberFact(facts, 'limitBytes'), count: numberFact(facts, 'count') }),
  }),
  'pronunciation/not-a-lexicon': (facts, t) => ({
    ...byName(facts, t),
    advice: ifKnown(t.adviceLine, { line: numberFact(facts, 'line') }),
  }),
  'pronunciation/too-many': (facts, t) => ({ lead: ifKnown(t.limit, { count: numberFact(facts, 'count') }) }),
  'settings/unreadable': (facts, t) => ({ advice: ifKnown(t.adviceNamed, { name: textFact(facts, 'name') }) }),
  'settings/damaged': (facts, t) => ({ advice: ifKnown(t.adviceNamed, { name: textFact(facts, 'name') }) }),
  'data/unreadable': stored,
  'data/newer': (facts, t, { format }) => ({
    lead: ifKnown(t.versions, { found: numberFact(facts, 'found'), known: numberFact(facts, 'known') }),
    advice: format.sentences(
      t.advice,
      // The way back is for those who cannot go on: this is shown as long as the window is open.
      textFact(facts, 'access') === 'read' ? t.readable : ifKnown(t.backup, { backup: textFact(facts, 'backup') }),
    ),
  }),
  'data/unreleased': stored,
  'data/portable-not-writable': stored,
  'data/damaged': (facts, t) => {
    const name = textFact(facts, 'name');
    return name === undefined
      ? t
      : { title: t.titleRepaired, lead: recovered(facts, t), advice: t.adviceRepaired({ name }) };
  },
  'watch/missing': byFolder,
  'watch/overlaps': byFolder,
  'watch/elsewhere': byFolder,
  'watch/no-hints': polled,
  'watch/too-many-folders': polled,
  'watch/network-drive': polled,
  'watch/unreadable-inside': (facts, t) => {
    const named = { folder: textFact(facts, 'folder') };
    return { title: ifKnown(t.titleOthers, { ...named, others: othersIn(facts) }) ?? ifKnown(t.titleFolder, named) };
  },
  'input/unreadable-name': (facts, t) => {
    const named = { name: textFact(facts, 'name') };
    return { title: ifKnown(t.titleOthers, { ...named, others: othersIn(facts) }) ?? ifKnown(t.titleNamed, named) };
  },
  'watch/too-long': (facts, t) => {
    const minutes = numberFact(facts, 'minutes');
    return minutes === undefined ? {} : { lead: t.minutes({ minutes: Math.ceil(minutes) }) };
  },
  'watch/source-stays': byName,
  'watch/no-voice': byFolder,
  'watch/several-voices': byName,
  'watch/another-voice': (facts, t) => ({ advice: ifKnown(t.adviceNamed, { name: textFact(facts, 'name') }) }),
  'history/not-an-export': byName,
  'history/export-damaged': (facts, t) => ({
    ...byName(facts, t),
    lead: ifKnown(t.imported, { count: numberFact(facts, 'count') }),
  }),
  'history/export-too-large': (facts, t) => ({
    ...byName(facts, t),
    lead: ifKnown(t.size, { bytes: numberFact(facts, 'bytes') }),
  }),
  'hook/missing': byName,
  'hook/not-allowed': byName,
  'hook/not-a-program': byName,
  'hook/batch-file': byName,
  'hook/failed': (facts, t) => {
    const name = textFact(facts, 'name');
    const errno = textFact(facts, 'errno');
    if (errno !== undefined) return { title: ifKnown(t.titleErrno, { name, errno }), advice: t.adviceErrno };
    const title =
      ifKnown(t.titleExitCode, { name, exitCode: numberFact(facts, 'exitCode') }) ??
      ifKnown(t.titleSignal, { name, signal: textFact(facts, 'signal') });
    return title === undefined ? byName(facts, t) : { title };
  },
  'hook/timeout': (facts, t) => ({
    title: ifKnown(t.titleNamed, { name: textFact(facts, 'name'), seconds: numberFact(facts, 'seconds') }),
  }),
  'hook/interrupted': byName,
  'ffmpeg/wrong-program': byName,
};

function told<C extends ErrorCode>(code: C, facts: Facts, texts: Texts[C], messages: Messages): Told {
  const tellers: Partial<Tellers> = withFacts;
  return tellers[code]?.(facts, texts, messages) ?? {};
}

/** The text of a problem, with the facts that are known. */
export function problemText(messages: Messages, { code, facts = {} }: Problem): ProblemText {
  const texts: Readonly<Record<ErrorCode, ProblemText>> = messages.problems;
  const {
    title = texts[code].title,
    lead,
    advice = texts[code].advice,
  } = told(code, facts, messages.problems[code], messages);
  return { title, advice: messages.format.sentences(lead, advice) };
}

/** The text of a problem of a watched file, which the user did not add and which is checked again automatically. */
export function watchedProblemText(messages: Messages, problem: Problem): ProblemText {
  const { code, facts = {} } = problem;
  const text = problemText(messages, problem);
  const advices: Readonly<Partial<Record<ErrorCode, string>>> = messages.watch.advice;
  const advice = advices[code];
  if (advice === undefined) return text;
  const { lead } = told(code, facts, messages.problems[code], messages);
  return { ...text, advice: messages.format.sentences(lead, advice) };
}

/**
 * A problem in one line: what happened, what to do, and the service's own message. For an invalid connection document, each wrong field
 * follows on its own line.
 */
export const problemSentence = (messages: Messages, problem: Problem): string =>
  sentenceOf(messages, problemText(messages, problem), problem);

/** The same for a file of a watched folder. */
export const watchedProblemSentence = (messages: Messages, problem: Problem): string =>
  sentenceOf(messages, watchedProblemText(messages, problem), problem);

function sentenceOf({ format }: Messages, { title, advice }: ProblemText, { code, words }: Problem): string {
  const sentences = format.sentences(format.sentence(title), advice);
  return code === 'connection/invalid' && words ? `${sentences}\n${words}` : format.sentences(sentences, words);
}
