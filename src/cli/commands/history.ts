import { resolve } from 'node:path';
import type { Data } from '../../main/core/open-data.ts';
import { text, usageText, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { exportEntries, importEntries } from '../history/exchange.ts';
import { findEntries } from '../history/find-entries.ts';
import { listEntries } from '../history/list-entries.ts';
import { againFlags, makeAgain } from '../history/make-again.ts';
import { showEntry } from '../history/show-entry.ts';
import { wholeNumber } from '../read-flags.ts';
import { readVerb } from '../read-verb.ts';
import { openCore } from '../session.ts';
import { usageError } from '../usage-error.ts';

const defaultLimit = 50;
const usage = [
  'timbre history list [--limit N]',
  'timbre history search QUERY [--limit N]',
  'timbre history show ID',
  'timbre history again ID [--voice ID] [--out DIR] [--pitch N] [--speed N] [--format .mp3] [--language L]',
  'timbre history export FILE.jsonl|FILE.zip [--search QUERY]',
  'timbre history import FILE [--out DIR]',
];
const options = { limit: { type: 'string' }, search: { type: 'string' }, ...againFlags } as const;

type Verb = 'list' | 'search' | 'show' | 'export' | 'import' | 'again';
type Flag = keyof typeof options;

const flagsOf: Readonly<Record<Verb, readonly Flag[]>> = {
  list: ['limit'],
  search: ['limit'],
  show: [],
  export: ['search'],
  import: ['out'],
  again: Object.keys(againFlags) as Flag[],
};

/** A flag of another verb would be passed over in silence, and a part of history be taken for all of it. */
function mustFit(verb: Verb, { flags, messages }: Invocation): void {
  const stray = (Object.keys(options) as Flag[]).find(
    (name) => flags[name] !== undefined && !flagsOf[verb].includes(name),
  );
  if (stray !== undefined) throw usageError(messages.cli.usage.unknownFlag(`--${stray}`, usageText(usage, messages)));
}

async function act(
  verb: Exclude<Verb, 'again'>,
  words: readonly string[],
  data: Pick<Data, 'history' | 'historyFiles'>,
  invocation: Invocation,
): Promise<ExitCode> {
  const { flags, messages } = invocation;
  const { history, historyFiles } = data;
  const [word = ''] = words;
  const limit = wholeNumber(invocation, 'limit', 1) ?? defaultLimit;
  switch (verb) {
    case 'list':
    case 'search':
      await listEntries(history, words.join(' '), limit, invocation);
      return exitCodes.done;
    case 'show':
      await showEntry(data, word, invocation);
      return exitCodes.done;
    case 'export':
      return exportEntries(
        historyFiles,
        word,
        await findEntries(history, text(flags, 'search') ?? '', messages),
        invocation,
      );
    case 'import':
      return importEntries(historyFiles, word, resolve(text(flags, 'out') ?? 'Timbre import'), invocation);
  }
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const [verb, ...words] = readVerb(invocation, usage, {
    list: [0, 0],
    search: [1, Infinity],
    show: [1, 1],
    export: [1, 1],
    import: [1, 1],
    again: [1, 1],
  });
  mustFit(verb, invocation);
  if (verb === 'again') return makeAgain(words[0] ?? '', invocation);
  const core = openCore(invocation);
  try {
    return await act(verb, words, await core.data(), invocation);
  } finally {
    await core.stop();
  }
}

export const history: Command = { usage, purpose: ({ cli }) => cli.help.history, options, run };
