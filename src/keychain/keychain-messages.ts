/** What the keychain's process is asked. `account` is a connection's id. */
export type KeychainRequest =
  | { readonly id: number; readonly op: 'get' | 'delete'; readonly account: string }
  | { readonly id: number; readonly op: 'set'; readonly account: string; readonly value: string };

/** `value` is null where there is none, and after `set` and `delete`. */
export type KeychainReply =
  | { readonly id: number; readonly ok: true; readonly value: string | null }
  | { readonly id: number; readonly ok: false; readonly why: string };
