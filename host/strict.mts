// Members that the host does not implement throw, so that no missing part of Electron goes unnoticed.

/** Names that Node, promises and loggers look up on any object; undefined instead of an error. `dock` exists on macOS only. */
const probed = new Set<string>([
  'then',
  'toJSON',
  'dock',
  'inspect',
  'nodeType',
  'domain',
  'constructor',
  'asymmetricMatch',
]);

/** The error for a part of Electron that the host lacks: `host: <name> is not implemented`. */
export function notImplemented(name: string): Error {
  return new Error(`host: ${name} is not implemented`);
}

/** Wraps `implementation` so that reading a missing member throws. That includes unset expandos: keep them in a WeakMap. */
export function strict<T extends object>(name: string, implementation: T): T {
  return new Proxy(implementation, {
    get(target, property, receiver) {
      if (property in target || typeof property === 'symbol' || probed.has(property)) {
        return Reflect.get(target, property, receiver) as unknown;
      }
      throw notImplemented(`${name}.${property}`);
    },
  });
}

/** Placeholder for an Electron module that the host lacks: it can be imported, but any use throws. */
export function missing(name: string): never {
  const refuse = (): never => {
    throw notImplemented(name);
  };
  return new Proxy(function () {}, {
    get(_target, property) {
      if (typeof property === 'symbol' || probed.has(property)) return undefined;
      throw notImplemented(`${name}.${property}`);
    },
    construct: refuse,
    apply: refuse,
  }) as never;
}
