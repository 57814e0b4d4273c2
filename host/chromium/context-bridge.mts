/** How `contextBridge.exposeInMainWorld` converts values between preload and page. */
export interface Bridge {
  /** Copies plain data, wraps functions and promises; File, Blob and Element pass unchanged. */
  cross(value: unknown): unknown;
  /** Freezes plain objects recursively, and returns the value. */
  freeze(value: unknown): unknown;
}

/**
 * Copies as Electron's context bridge does, although preload and page share one world here.
 *
 * It's sent to the page as text: it may use no import and no outer name.
 */
export function createBridge(): Bridge {
  const passes = (value: object): boolean =>
    (typeof Blob !== 'undefined' && value instanceof Blob) ||
    (typeof Element !== 'undefined' && value instanceof Element);

  // structuredClone rejects functions in plain data, which the bridge wraps, and proxies and host objects, which it
  // must reject too: the prototype distinguishes them. A Proxy (Svelte's $state) has the prototype of its target, but
  // can't be cloned although it contains no function.
  const holdsWalkable = (value: object, above: readonly object[]): boolean => {
    if (above.includes(value)) return false;
    return Object.values(value).some(
      (member: unknown) =>
        typeof member === 'function' ||
        (typeof member === 'object' &&
          member !== null &&
          (member instanceof Promise || passes(member) || holdsWalkable(member, [...above, value]))),
    );
  };

  const cross = (value: unknown): unknown => {
    if (typeof value === 'function') {
      return (...args: unknown[]) => cross((value as (...all: unknown[]) => unknown)(...args.map(cross)));
    }
    if (value === null || typeof value !== 'object' || passes(value)) return value;
    if (value instanceof Promise) {
      return value.then(cross, (reason: unknown) => {
        throw cross(reason);
      });
    }
    if (value instanceof Error) return new Error(value.message);
    if (holdsWalkable(value, [])) {
      if (Array.isArray(value)) return value.map(cross);
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cross(member)]));
    }
    try {
      return structuredClone(value);
    } catch {
      throw new Error('An object could not be cloned.');
    }
  };

  const freeze = (value: unknown): unknown => {
    if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
      Object.values(value).forEach(freeze);
      Object.freeze(value);
    }
    return value;
  };

  return { cross, freeze };
}
