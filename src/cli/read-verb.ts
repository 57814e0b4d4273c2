import { usageText, type Invocation } from './command.ts';
import { usageError } from './usage-error.ts';

/** How many words may follow a verb: at least, at most. */
export type Verbs<V extends string> = Readonly<Record<V, readonly [min: number, max: number]>>;

/** The verb of a command that has several, and the words behind it. */
export function readVerb<const V extends string>(
  { words, messages }: Pick<Invocation, 'words' | 'messages'>,
  usage: readonly string[],
  verbs: Verbs<V>,
): readonly [verb: V, ...rest: string[]] {
  const [given, ...rest] = words;
  const found = (Object.keys(verbs) as V[]).find((verb) => verb === given);
  if (found !== undefined) {
    const [min, max] = verbs[found];
    if (rest.length >= min && rest.length <= max) return [found, ...rest];
  }
  throw usageError(messages.cli.usage.wrong(usageText(usage, messages)));
}
