import { detectFormat } from '../../../sound/detect-format.ts';

/** Where a reply's sound was found. `message` is the service's, null where it has none or where it was the address. */
export type FoundSound =
  | { readonly kind: 'address'; readonly audioUrl: string; readonly message: string | null }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly message: string | null };

/** What `auto` looks at, in this order. */
const addressPaths = ['data.audioUrl', 'audioUrl', 'data.url', 'url', 'message'];
const base64Paths = ['data.audio', 'audio'];

/** The value at a dotted path. Own fields only: `constructor` is no field of a reply. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      body,
    );
}

/** An http(s) address and nothing else: a sentence that holds one is not one. */
function addressAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** Sound in base64, plain or as a `data:` address. What does not begin like sound is not taken for any. */
function soundAt(body: unknown, path: string): Buffer | undefined {
  const value = valueAt(body, path);
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '');
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return detectFormat(bytes) ? bytes : undefined;
}

/**
 * Finds the sound in a reply's JSON, where the connection says (`speechDelivery`): `auto` looks at the usual places, a dotted path
 * (`message` is one) at that place only. Undefined where there is none.
 */
export function findSound(body: unknown, delivery: string): FoundSound | undefined {
  const isAuto = delivery === 'auto';
  const said = valueAt(body, 'message');
  const messageBut = (path: string): string | null => (typeof said === 'string' && path !== 'message' ? said : null);
  for (const path of isAuto ? addressPaths : [delivery]) {
    const audioUrl = addressAt(body, path);
    if (audioUrl !== undefined) return { kind: 'address', audioUrl, message: messageBut(path) };
  }
  for (const path of isAuto ? base64Paths : [delivery]) {
    const bytes = soundAt(body, path);
    if (bytes) return { kind: 'bytes', bytes, message: messageBut(path) };
  }
  return undefined;
}

/**
 * Whether the reply itself is the sound. Its first bytes decide where they can: types of content are often wrong, and what was paid for
 * is taken however it comes. Where they cannot, its type does, or the connection, which says `body`.
 */
export function isSoundItself(head: Uint8Array, contentType: string, delivery: string): boolean {
  if (detectFormat(head)) return true;
  const isText =
    /^\s*[[{<"]/.test(Buffer.from(head).toString('latin1')) || /^(text\/|application\/json)/i.test(contentType);
  return !isText && head.length > 0 && (/^audio\//i.test(contentType) || delivery === 'body');
}
