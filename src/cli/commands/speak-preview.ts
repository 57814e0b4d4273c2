import { speechSecondsOf } from '../../main/core/jobs/space-reservations.ts';
import type { ReadyText } from '../../main/core/speech/speech-batch.ts';
import type { Problem } from '../../shared/errors.ts';
import type { SpeechOutline } from '../../shared/schemas/speech.ts';
import type { Invocation } from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence } from '../errors.ts';
import type { Session } from '../session.ts';

/** A text that would be spoken with these settings, or why not. */
type PreviewText = {
  /** Null for the only one. */
  readonly name: string | null;
  readonly place: { readonly source?: string; readonly row?: number | null; readonly title?: string };
} & (Pick<ReadyText, 'text' | 'settings' | 'problem'> | { readonly problem: Problem });

/** `timbre speak --dry-run`: lists what would be spoken, and how much of that is not spoken yet. Nothing is sent. */
export async function printSpeechPreview(
  { core, connectionId }: Pick<Session, 'core' | 'connectionId'>,
  texts: readonly PreviewText[],
  { output, messages, signal }: Pick<Invocation, 'output' | 'messages' | 'signal'>,
): Promise<ExitCode> {
  const { takes, inspectSound } = await core.queue();
  const { createSpeechOutline } = await import('../../main/core/speech/speech-outline.ts');
  const reader = createSpeechOutline({ takes, inspectSound });
  const { hosts, limits } = core.connections.get(connectionId).document;
  const of = { connectionId, address: hosts.voice, maxLength: limits.maxTextLength };
  const { speech, cli } = messages;

  const leftOf = ({ passages, spoken, characters }: SpeechOutline): string =>
    passages > 1
      ? speech.sentencesLeft({ n: passages - spoken, total: passages, characters })
      : speech.characters({ n: characters });

  const listed: object[] = [];
  let count = 0;
  let seconds = 0;
  for (const text of texts) {
    signal.throwIfAborted();
    const { name, place } = text;
    const toLine = (words: string) => (name === null ? words : `${name}: ${words}`);
    if (text.problem) {
      const message = sentence(messages, text.problem);
      output.error(toLine(message));
      listed.push({ ...place, code: text.problem.code, message });
      continue;
    }
    const outline = await reader.outline({ ...of, text: text.text, settings: text.settings });
    const { passages: sentences, spoken, calls, characters, subtitles } = outline;
    const own = speechSecondsOf(text);
    if (subtitles) output.print(toLine(messages.batch.subtitles(subtitles)));
    output.print(toLine(leftOf(outline)));
    listed.push({ ...place, sentences, spoken, calls, characters, seconds: own, ...(subtitles && { subtitles }) });
    count += 1;
    seconds += own;
  }
  output.print(cli.watch.wouldSpeak({ texts: count, seconds }));
  output.event({ event: 'preview', texts: listed, count, seconds });
  const refused = texts.find(({ problem }) => problem !== null)?.problem;
  return refused ? exitCodeOf(refused.code) : exitCodes.done;
}
