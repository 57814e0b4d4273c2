import * as v from 'valibot';
import { AppError, type Failure, type Reply } from '../../shared/errors.ts';
import { channelOf, type ContractShape, type Emitters, type Handlers } from '../../shared/ipc/define-contract.ts';
import type { InputSchemas } from '../../shared/ipc/inputs.ts';

/** Answers one call. Never throws; always returns the reply envelope. */
export type RequestHandler = (input: unknown) => Promise<Reply<unknown>>;

type Handler = (input: unknown) => unknown;

interface Dependencies<C extends ContractShape> {
  readonly contract: C;
  readonly handlers: Handlers<C>;
  readonly schemas: InputSchemas<C>;
  /** Called with unexpected errors in full; the other side receives only `internal`. */
  onUnexpected(channel: string, error: unknown): void;
}

/** Wraps every handler of a contract: parses the input, runs the handler and wraps the result in the envelope. */
export function createIpcServer<C extends ContractShape>(
  dependencies: Dependencies<C>,
): ReadonlyMap<string, RequestHandler> {
  const { contract, onUnexpected } = dependencies;
  // Their types prove that handlers and schemas have the contract's keys; a loop over them loses that proof.
  const handlers = dependencies.handlers as Readonly<Record<string, Readonly<Record<string, Handler>>>>;
  const schemas = dependencies.schemas as Readonly<Record<string, Readonly<Record<string, v.GenericSchema>>>>;

  function failure(channel: string, error: unknown): Failure {
    if (error instanceof AppError) return { ...error.problem, message: error.message };
    onUnexpected(channel, error);
    return { code: 'internal', message: 'something went wrong inside Timbre' };
  }

  function answerTo(channel: string, handler: Handler, schema: v.GenericSchema): RequestHandler {
    return async (input) => {
      const parsed = v.safeParse(schema, input);
      if (!parsed.success) {
        const field = v.getDotPath(parsed.issues[0]) ?? '';
        const error: Failure = {
          code: 'request/invalid',
          message: `${channel}: ${field} ${parsed.issues[0].message}`,
          facts: { field },
        };
        return { ok: false, error };
      }
      try {
        return { ok: true, value: await handler(parsed.output) };
      } catch (error) {
        return { ok: false, error: failure(channel, error) };
      }
    };
  }

  const answers = new Map<string, RequestHandler>();
  for (const [group, entries] of Object.entries(contract)) {
    for (const [name, entry] of Object.entries(entries)) {
      if (entry.kind !== 'request') continue;
      const handler = handlers[group]?.[name];
      const schema = schemas[group]?.[name];
      if (!handler || !schema) throw new Error(`no handler or schema for ${channelOf(group, name)}`);
      answers.set(channelOf(group, name), answerTo(channelOf(group, name), handler, schema));
    }
  }
  return answers;
}

/** Creates one function per event of a contract, each of which calls `send`. */
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
