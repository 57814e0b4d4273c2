/** What `contextBridge.exposeInMainWorld` does to values on their way between preload and page. */
export interface Bridge {
  /** Plain data copied, functions wrapped, promises followed; File, Blob and Element pass as they are. */
  cross(value: unknown): unknown;
  /** Freezes plain objects all the way down, and answers the value itself. */
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

  // structuredClone refuses functions inside of plain data, which the bridge walks into, and proxies and host objects,
  // which it must refuse: they are told apart by their prototype. A Proxy (Svelte's $state) has the prototype of its
  // target but refuses to be cloned without holding a function.
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
