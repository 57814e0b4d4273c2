import { textAt } from './identify-call.ts';
import { bytesOf, replyFromAnswer, type Reply } from './reply.ts';

/**
 * How speech reaches the client, which the interface leaves open. `address`: in `data.audioUrl`, as the engine does. `body`: the reply is
 * the audio. `message`: the address is in `message`. `base64`: the audio is in `data.audio`. Or an address at any dotted path.
 */
export type SpeechDelivery = 'address' | 'body' | 'message' | 'base64' | { readonly path: string };

const message = 'The text has been spoken.';

const nested = (path: string, value: string): Readonly<Record<string, unknown>> => {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length > 0 ? nested(rest.join('.'), value) : value };
};

/**
 * Converts the engine's reply to speak to another delivery; null for a reply without an address (a refusal).
 * `fetchResult` requests the engine; `publicAddress` is the client's address of the same result.
 */
export async function deliverSpeech(
  json: unknown,
  delivery: Exclude<SpeechDelivery, 'address'>,
  fetchResult: (address: string) => Promise<Reply>,
  publicAddress: (address: string) => string,
): Promise<Reply | null> {
  const address = textAt(json, 'data.audioUrl');
  if (address === null) return null;
  if (delivery === 'message') return replyFromAnswer({ status: 200, body: { message: publicAddress(address) } });
  if (typeof delivery === 'object') {
    const body = { message, ...nested(delivery.path, publicAddress(address)) };
    return replyFromAnswer({ status: 200, body });
  }
  const result = await fetchResult(address);
  if (result.status !== 200) throw new Error(`the engine answered ${result.status} for its own result ${address}`);
  if (delivery === 'body') return result;
  const audio = (await bytesOf(result.body)).toString('base64');
  return replyFromAnswer({ status: 200, body: { message, data: { audio } } });
}
