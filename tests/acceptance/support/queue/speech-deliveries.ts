import type { SpeechDelivery } from '../../../faults/speech-delivery.ts';

/** Every way in which speech can arrive, with a word for it. */
export const speechDeliveries: readonly (readonly [string, SpeechDelivery])[] = [
  ['address', 'address'],
  ['body', 'body'],
  ['message', 'message'],
  ['dotted path', { path: 'result.sound.address' }],
  ['base64', 'base64'],
];

/** Those in which the sound is fetched in a call of its own. */
export const hasAddress = (delivery: SpeechDelivery): boolean => delivery !== 'body' && delivery !== 'base64';
