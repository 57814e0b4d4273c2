import { channelOf, type ContractShape, type Emitters } from '../../../shared/contract-types.ts';

/** One function for each event of a contract, all of which end in `send`. */
export function createEmitters<C extends ContractShape>(
  contract: C,
  send: (channel: string, payload: unknown) => void,
): Emitters<C> {
  const groups = Object.entries(contract).map(([group, entries]) => [
    group,
    Object.fromEntries(
      Object.entries(entries)
        .filter(([, entry]) => entry.kind === 'event')
        .map(([name]) => [name, (payload: unknown) => send(channelOf(group, name), payload)]),
    ),
  ]);
  // The loop builds exactly the mapped type; the compiler cannot follow Object.fromEntries.
  return Object.fromEntries(groups) as Emitters<C>;
}
