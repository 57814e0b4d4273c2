import { maxSpeakers, type Speaker } from '../shared/schemas/speech.ts';
import { isSpeakerName, speakerKey } from '../shared/text/speakers.ts';
import { type FlagSource, type Invocation, textFlags } from './args.ts';
import { resolveVoice } from './resolve-arguments.ts';
import { usageError } from './errors.ts';
import type { Session } from './session.ts';

export interface GivenSpeaker {
  readonly name: string;
  /** Id or name of the voice, as typed. */
  readonly voice: string;
}

/** The speakers given as `--speaker NAME=ID`. */
export function readSpeakers({ flags, messages }: FlagSource): readonly GivenSpeaker[] {
  const { usage } = messages.cli;
  const given = textFlags(flags, 'speaker');
  if (given.length > maxSpeakers) throw usageError(usage.tooManySpeakers({ most: maxSpeakers }));
  const speakers: GivenSpeaker[] = [];
  for (const each of given) {
    const split = each.indexOf('=');
    const [name, voice] = [each.slice(0, Math.max(split, 0)).trim(), each.slice(split + 1).trim()];
    if (!isSpeakerName(name) || voice === '') throw usageError(usage.speaker({ given: each }));
    if (speakers.some((one) => speakerKey(one.name) === speakerKey(name)))
      throw usageError(usage.speakerTwice({ name }));
    speakers.push({ name, voice });
  }
  return speakers;
}

/** Finds the voices of speakers. Throws `voice/not-found`. */
export async function resolveSpeakers(
  given: readonly GivenSpeaker[],
  session: Session,
  invocation: Invocation,
): Promise<readonly Speaker[]> {
  const speakers: Speaker[] = [];
  for (const { name, voice } of given) {
    const { id, name: voiceName } = await resolveVoice(session, voice, invocation);
    speakers.push({ name, voiceId: id, voiceName });
  }
  return speakers;
}
