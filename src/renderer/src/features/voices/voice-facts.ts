import type { Messages } from '../../../../shared/messages/index.ts';
import type { Voice, VoiceDetail } from '../../../../shared/schemas/voice.ts';
import { genderName, languageName } from './voice-labels.ts';

/** A number that a service wrote, alone or with Hz, in the user's language; other texts as they are. */
const measureText = (text: string, { format, voices: t }: Messages): string =>
  text.replace(/^(\d+\.?(\d*))( Hz)?$/, (_, number: string, decimals: string, unit?: string) =>
    unit ? t.similar.pitch({ hz: Number(number) }) : format.fixed(Number(number), decimals.length),
  );

/** What is known of a voice: values of the list until its details are loaded. Empty ones are left out. */
export function voiceFacts(voice: Voice, detail: VoiceDetail | null, messages: Messages) {
  const { voices: t, format, language } = messages;
  const known = detail ?? voice;
  return [
    { label: t.language, value: languageName(known.language, language), title: known.language },
    { label: t.gender, value: genderName(known.gender, messages) },
    { label: t.category, value: known.category },
    { label: t.pitch, value: measureText(detail?.pitch ?? '', messages) },
    { label: t.speed, value: measureText(detail?.speed ?? '', messages) },
    { label: t.formats, value: format.facts(...(detail?.supportedFormats ?? [])) },
  ].filter(({ value }) => value !== '');
}
