// Fails when a redirect is followed: the target must not receive a single byte.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppError } from '../../../src/shared/errors.ts';
import type { Operation } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const statuses = [301, 302, 303, 307, 308] as const;
/** Whether it was carried out is unknown unless the redirect asks for the same call elsewhere: it may lead to the result. */
const paid: ReadonlySet<Operation> = new Set(['convert', 'speech']);
const operations = ['create-task', 'upload', 'convert', 'download', 'voices', 'speech'] as const;

/** Accepts any bytes of any protocol, and counts them. */
async function startTrap({ onEnd }: ScenarioContext) {
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(() => Promise.resolve(server.close()));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen: () => ({ connections, bytes }) };
}

/** Where to, by what is wrong with it; null: nowhere. */
const targets = (own: string, trap: string): readonly (readonly [string, string | null])[] => [
  ['the same origin', `${own}/elsewhere`],
  ['another origin', `http://${trap}/elsewhere`],
  ['another scheme', `https://${trap}/elsewhere`],
  ['another origin with a user', `http://user:password@${trap}/elsewhere`],
  ['another host without scheme', `//${trap}/elsewhere`],
  ['nowhere', null],
  // An empty reference is the call itself: following it would loop.
  ['itself', ''],
];

/** The code that the call ended with. */
async function outcomeOf(queue: QueueCase, operation: Operation, source: string): Promise<string> {
  if (operation === 'voices') {
    try {
      await queue.service.listVoices({ page: 0, limit: 10 }, new AbortController().signal);
      return 'a list of voices';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  }
  const ids = operation === 'speech' ? [queue.speak(String(queue.proxy.calls.length))] : await queue.convert([source]);
  const [job] = await queue.ended(ids);
  return job?.state === 'failed' ? (job.problem?.code ?? 'no reason') : (job?.state ?? '');
}

export const scenario: Scenario = {
  id: 'Q18',
  title: 'a redirect receives no credential, header or byte of a body',
  async run(context) {
    const engine = await context.startEngine();
    const trap = await startTrap(context);
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    let cases = 0;
    for (const operation of operations) {
      const queue = await openCase(context, engine, { name: operation });
      const { proxy } = queue;
      queue.scheduler.start();
      for (const status of statuses) {
        for (const [where, target] of targets(proxy.origin, trap.host)) {
          const name = `${operation} redirected by ${status} to ${where}`;
          context.note(name);
          const callsBefore = proxy.calls.length;
          const fault: Fault = { kind: 'redirect', status, ...(target !== null && { location: target }) };
          proxy.script([{ operation, fault }]);
          // Three results in a row that are paid for in vain pause the connection.
          queue.scheduler.resume(queue.connection.id);
          const code = await outcomeOf(queue, operation, source);
          const isUnclear = status < 307 && paid.has(operation);
          must(code === (isUnclear ? 'uncertain' : 'service/redirected'), `${name}: ${code}`);
          const calls = proxy.calls.slice(callsBefore);
          must(calls.filter((call) => call.operation === operation).length === 1, `${name}: it was tried again`);
          must(!calls.some((call) => call.operation === 'other'), `${name}: it was followed`);
          const { connections, bytes } = trap.seen();
          must(connections === 0, `${name}: ${connections} connections and ${bytes} bytes elsewhere`);
          cases += 1;
        }
      }
      must((await queue.outputs()).length === 0, `${operation}: there is an output`);
      await queue.close();
    }
    return { cases, ...trap.seen() };
  },
};
