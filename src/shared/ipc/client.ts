import { errorFrom, type Reply } from '../errors.ts';
import { channelOf, type Client, type ContractShape } from './contract-types.ts';

/** The two functions that a transport has to offer; the preload's bridge is one, a test's in-memory pair another. */
export interface Transport {
  invoke(channel: string, input?: unknown): Promise<Reply<unknown>>;
  subscribe(channel: string, listener: (payload: unknown) => void): () => void;
}

const listenerName = (event: string): string => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`;

/** Turns a contract and a transport into calls. A failed reply is thrown as `AppError` with its code. */
export function createClient<C extends ContractShape>(contract: C, transport: Transport): Client<C> {
  const call = (channel: string) => async (input?: unknown) => {
    const reply = await transport.invoke(channel, input);
    if (reply.ok) return reply.value;
    throw errorFrom(reply.error);
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
  // The loop above builds exactly the mapped type; the compiler cannot follow Object.fromEntries.
  return Object.fromEntries(groups) as Client<C>;
}

/** The preload's own word to main, which the page cannot say: the paths that it found behind files. */
export const givenPathsChannel = 'files:given';

/** All that the preload gives the page, as `window.bridge`. `DomFile` is the DOM's `File`, which this room does not know. */
export interface Bridge<DomFile> extends Transport {
  /**
   * The path behind a dropped or chosen file. Opaque to the page: hand it to main as it is, never show, parse or test it. Empty for
   * a file that has no path (made by a script, or dragged out of a web page).
   */
  pathForFile(file: DomFile): string;
}
