/** Serialises values to text and back, with the types that structured clone supports. */
export interface Codec {
  /** Throws `An object could not be cloned.` as Electron does, and `host: …` for values that this format lacks. */
  pack(value: unknown): string;
  unpack(text: string): unknown;
}

/**
 * JSON with tags for types that structured clone supports and JSON lacks: undefined, bigint, NaN, -0, Date, Map, Set, Error,
 * (typed) arrays. Cycles, Blobs and the like throw; Electron would carry cycles.
 *
 * It's also sent to the page as text: it may use no import and no outer name.
 */
export function createCodec(): Codec {
  type TypedArrayName = 'Uint8Array' | 'Int16Array' | 'Float32Array';
  const errorClasses: Partial<Record<string, ErrorConstructor>> = {
    TypeError,
    RangeError,
    SyntaxError,
    ReferenceError,
    EvalError,
    URIError,
  };

  const toBase64 = (bytes: Uint8Array): string =>
    typeof Buffer === 'undefined'
      ? (bytes as Uint8Array & { toBase64(): string }).toBase64()
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

  const fromBase64 = (text: unknown): ArrayBuffer =>
    typeof Buffer === 'undefined'
      ? (Uint8Array as unknown as { fromBase64(text: string): Uint8Array<ArrayBuffer> }).fromBase64(String(text)).buffer
      : new Uint8Array(Buffer.from(String(text), 'base64')).buffer;

  const encode = (value: unknown, above: readonly object[]): unknown => {
    if (value === undefined) return { $: 'undefined' };
    if (typeof value === 'bigint') return { $: 'bigint', v: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
      return { $: 'number', v: Object.is(value, -0) ? '-0' : String(value) };
    }
    if (value === null || typeof value !== 'object') return value;
    if (above.includes(value)) throw new Error('host: cyclic values are not implemented');
    const path = [...above, value];
    const encodeAll = (items: Iterable<unknown>) => Array.from(items, (item) => encode(item, path));
    if (Array.isArray(value)) return encodeAll(value);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    if (tag === 'Date') return { $: tag, v: encode(Number(value), path) };
    if (tag === 'Map' || tag === 'Set') return { $: tag, v: encodeAll(value as Iterable<unknown>) };
    if (tag === 'ArrayBuffer') return { $: tag, v: toBase64(new Uint8Array(value as ArrayBuffer)) };
    if (ArrayBuffer.isView(value)) {
      return { $: tag, v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    }
    if (tag === 'Error') {
      const { name, message, stack } = value as Error;
      return { $: tag, v: [name, message, stack ?? ''] };
    }
    if (tag !== 'Object') throw new Error(`host: a ${tag} in IPC is not implemented`);
    // A key that looks like the tag gets an extra `$`, which decoding removes.
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key.startsWith('$') ? `$${key}` : key, encode(member, path)]),
    );
  };

  const decode = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(decode);
    const { $: tag, v: content } = value as { $?: string; v?: unknown };
    switch (tag) {
      case undefined:
        return Object.fromEntries(
          Object.entries(value).map(([key, member]) => [key.startsWith('$') ? key.slice(1) : key, decode(member)]),
        );
      case 'undefined':
        return undefined;
      case 'bigint':
        return BigInt(content as string);
      case 'number':
        return Number(content);
      case 'Date':
        return new Date(decode(content) as number);
      case 'Map':
        return new Map(decode(content) as [unknown, unknown][]);
      case 'Set':
        return new Set(decode(content) as unknown[]);
      case 'Error': {
        const [name, message, stack] = content as [string, string, string];
        const ErrorClass = errorClasses[name] ?? Error;
        return Object.assign(new ErrorClass(message), { stack });
      }
      case 'ArrayBuffer':
        return fromBase64(content);
      default:
        return new globalThis[tag as TypedArrayName](fromBase64(content));
    }
  };

  // Svelte $state proxies, functions and elements throw Electron's error.
  const clone = (value: unknown): unknown => {
    try {
      return structuredClone(value);
    } catch {
      throw new Error('An object could not be cloned.');
    }
  };

  return {
    pack: (value) => JSON.stringify(encode(clone(value), [])),
    unpack: (text) => decode(JSON.parse(text)),
  };
}
