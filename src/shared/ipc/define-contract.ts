/**
 * Functions that declare the bridge's requests and events, and the types derived from them. A
 * contract is a plain value, so its channels can be listed at run time; its types exist only at
 * compile time.
 */
declare const types: unique symbol;

export interface RequestEntry<In, Out> {
  readonly kind: 'request';
  readonly [types]?: { readonly input: In; readonly output: Out };
}

export interface EventEntry<Payload> {
  readonly kind: 'event';
  readonly [types]?: { readonly payload: Payload };
}

/** A request from the page to main, which replies once with a value or a failure. */
export const request = <In, Out>(): RequestEntry<In, Out> => ({ kind: 'request' });

/** An event from main to every subscribed page. */
export const event = <Payload>(): EventEntry<Payload> => ({ kind: 'event' });

type Entry = RequestEntry<unknown, unknown> | EventEntry<unknown>;
export type ContractShape = Readonly<Record<string, Readonly<Record<string, Entry>>>>;

/** The input of a request. */
export type Input<E> = E extends RequestEntry<infer In, unknown> ? In : never;
type Output<E> = E extends RequestEntry<unknown, infer Out> ? Out : never;
type Payload<E> = E extends EventEntry<infer P> ? P : never;
/** The names of the requests in one group of a contract. */
export type RequestName<G> = { [K in keyof G]: G[K] extends RequestEntry<unknown, unknown> ? K : never }[keyof G];
type EventName<G> = { [K in keyof G]: G[K] extends EventEntry<unknown> ? K : never }[keyof G];
type Arguments<In> = [In] extends [void] ? [] : [input: In];

/** The handlers that main must provide. A missing one is a compile error. */
export type Handlers<C extends ContractShape> = {
  readonly [G in keyof C]: {
    readonly [K in RequestName<C[G]>]: (
      ...args: Arguments<Input<C[G][K]>>
    ) => Output<C[G][K]> | Promise<Output<C[G][K]>>;
  };
};

/** The events that main can emit. */
export type Emitters<C extends ContractShape> = {
  readonly [G in keyof C]: { readonly [K in EventName<C[G]>]: (payload: Payload<C[G][K]>) => void };
};

/**
 * The page's client: a function per request that returns a promise, and an `onX` per event that
 * returns its unsubscribe function.
 */
export type Client<C extends ContractShape> = {
  readonly [G in keyof C]: {
    readonly [K in RequestName<C[G]>]: (...args: Arguments<Input<C[G][K]>>) => Promise<Output<C[G][K]>>;
  } & {
    readonly [K in EventName<C[G]> as `on${Capitalize<string & K>}`]: (
      listener: (payload: Payload<C[G][K]>) => void,
    ) => () => void;
  };
};

/** Returns the channel name, `group:name`. */
export const channelOf = (group: string, name: string): string => `${group}:${name}`;

/** Lists the channels of one kind in a contract. */
export function channelsOf(contract: ContractShape, kind: Entry['kind']): readonly string[] {
  return Object.entries(contract).flatMap(([group, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => entry.kind === kind)
      .map(([name]) => channelOf(group, name)),
  );
}
