import { toAppError, type Reply } from '../errors.ts';
import { channelOf, type Client, type ContractShape } from './define-contract.ts';

/** A transport of calls and events: the preload's bridge, or an in-memory pair in tests. */
export interface Transport {
  invoke(channel: string, input?: unknown): Promise<Reply<unknown>>;
  subscribe(channel: string, listener: (payload: unknown) => void): () => void;
}

const listenerName = (event: string): string => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`;

/** Creates a client from a contract and a transport. A failed reply is thrown as `AppError` with its code. */
export function createClient<C extends ContractShape>(contract: C, transport: Transport): Client<C> {
  const call = (channel: string) => async (input?: unknown) => {
    const reply = await transport.invoke(channel, input);
    if (reply.ok) return reply.value;
    throw toAppError(reply.error);
  };
  const listen = (channel: string) => (listener: (payload: unknown) => void) => transport.subscribe(channel, listener);

  const groups = Object.entries(contract).map(([group, entries]) => {
    const members = Object.entries(entries).map(([name, entry]) => {
      const channel = channelOf(group, name);
      return entry.kind === 'request'
        ? ([name, call(channel)] as const)
        : ([listenerName(name), listen(channel)] as const);
    });
    return [group, Object.fromEntries(members) as Readonly<Record<string, unknown>>] as const;
  });
  // The loop builds exactly the mapped type, which the compiler cannot infer from Object.fromEntries.
  return Object.fromEntries(groups) as Client<C>;
}

/** Channel on which only the preload, not the page, reports the paths of files. */
export const givenPathsChannel = 'files:given';

/**
 * What the preload exposes to the page as `window.bridge`. `DomFile` is the DOM's `File`, a type
 * that this folder does not have.
 */
export interface Bridge<DomFile> extends Transport {
  /**
   * Returns the path of a dropped or selected file. Opaque to the page: pass it to main unchanged;
   * never show, parse or test it. Empty for a file without a path (made by a script, or dragged from
   * a web page).
   */
  pathForFile(file: DomFile): string;
}
