import type { Keychain, KeychainAnswer } from '../../../src/main/core/secrets/keychain.ts';

/** A keychain in memory that can be locked, for scenarios about what hangs on it. */
export function memoryKeychain() {
  const items = new Map<string, string>();
  let isLocked = false;
  const answer = (work: () => string | null): Promise<KeychainAnswer> =>
    Promise.resolve(isLocked ? { kind: 'unavailable', why: 'locked' } : { kind: 'value', value: work() });
  const nothing = (work: () => void) => () => {
    work();
    return null;
  };
  const keychain: Keychain = {
    get: (account) => answer(() => items.get(account) ?? null),
    set: (account, value) => answer(nothing(() => items.set(account, value))),
    delete: (account) => answer(nothing(() => items.delete(account))),
    stop: () => undefined,
  };
  return { keychain, items, lock: (locked: boolean) => void (isLocked = locked) };
}
