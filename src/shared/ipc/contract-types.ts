/**
 * The two words in which the bridge is declared, and everything that is derived from them. A contract is a plain value, so
 * that channel names can be listed at run time; its types live only in the compiler.
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

/** A call from the page to main: answered once, with a value or a failure. */
export const request = <In, Out>(): RequestEntry<In, Out> => ({ kind: 'request' });

/** News from main to every page that subscribed. */
export const event = <Payload>(): EventEntry<Payload> => ({ kind: 'event' });

type Entry = RequestEntry<unknown, unknown> | EventEntry<unknown>;
export type ContractShape = Readonly<Record<string, Readonly<Record<string, Entry>>>>;

/** What a request takes. */
export type Input<E> = E extends RequestEntry<infer In, unknown> ? In : never;
type Output<E> = E extends RequestEntry<unknown, infer Out> ? Out : never;
type Payload<E> = E extends EventEntry<infer P> ? P : never;
/** The names of the requests in one group of a contract. */
export type RequestName<G> = { [K in keyof G]: G[K] extends RequestEntry<unknown, unknown> ? K : never }[keyof G];
type EventName<G> = { [K in keyof G]: G[K] extends EventEntry<unknown> ? K : never }[keyof G];
type Arguments<In> = [In] extends [void] ? [] : [input: In];

/** What main must provide: forgetting one call is a compile error. */
export type Handlers<C extends ContractShape> = {
  readonly [G in keyof C]: {
    readonly [K in RequestName<C[G]>]: (
      ...args: Arguments<Input<C[G][K]>>
    ) => Output<C[G][K]> | Promise<Output<C[G][K]>>;
  };
};

/** What main may tell the pages. */
export type Emitters<C extends ContractShape> = {
  readonly [G in keyof C]: { readonly [K in EventName<C[G]>]: (payload: Payload<C[G][K]>) => void };
};

/** What the page holds: a promise for each request, and an `onX` for each event that gives back its own end. */
export type Client<C extends ContractShape> = {
  readonly [G in keyof C]: {
    readonly [K in RequestName<C[G]>]: (...args: Arguments<Input<C[G][K]>>) => Promise<Output<C[G][K]>>;
  } & {
    readonly [K in EventName<C[G]> as `on${Capitalize<string & K>}`]: (
      listener: (payload: Payload<C[G][K]>) => void,
    ) => () => void;
  };
};

/** `group:name`, the only form a channel has. */
export const channelOf = (group: string, name: string): string => `${group}:${name}`;

/** Every channel of a contract that has this kind. */
export function channelsOf(contract: ContractShape, kind: Entry['kind']): readonly string[] {
  return Object.entries(contract).flatMap(([group, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => entry.kind === kind)
      .map(([name]) => channelOf(group, name)),
  );
}
