import { resolve } from 'node:path';
import { readDocument } from '../../main/core/connections/connection-file.ts';
import { localConnectionId } from '../../shared/schemas/connection.ts';
import type { Core } from '../../main/core/core.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import { AppError } from '../../shared/errors.ts';
import type { Invocation, Run } from '../args.ts';
import { exitCodes, usageError } from '../errors.ts';
import { documentError, isLocal, openCore, storedConnection } from '../session.ts';
import { shellWord } from '../shell-word.ts';
import { writeNewFile } from '../write-new-file.ts';

type Action = (core: Core, args: readonly string[], invocation: Invocation) => Promise<void>;

const toPrettyJson = (document: unknown): string => JSON.stringify(document, null, 2);

const printDocument = (document: unknown, { output }: Pick<Invocation, 'output'>): void =>
  toPrettyJson(document)
    .split('\n')
    .forEach((line) => output.print(line));

const list: Action = async (core, _args, { output }) => {
  await core.data();
  const connections = core.connections.list().map(({ id, name, kind }) => {
    const { voice } = core.connections.get(id).document.hosts;
    return { name, kind, ...(kind === 'remote' && { address: voice }) };
  });
  for (const { name, address } of connections) output.print(address === undefined ? name : `${name}, ${address}`);
  output.event({ event: 'result', connections });
};

const show: Action = async (core, [name = ''], { output, messages }) => {
  const local = isLocal(name) ? core.connections.get(localConnectionId) : undefined;
  const { id, document } = local ?? (await storedConnection(core, name, messages));
  printDocument(document, { output });
  const token = local
    ? null
    : { place: await core.secrets.placeOf(id), keychainProblem: await core.secrets.keychainProblem() };
  if (token) output.print(messages.cli.token.place[token.place ?? 'none']);
  output.event({ event: 'result', document, token });
};

const importFile: Action = async (core, [path = ''], { output, messages, signal }) => {
  const raw = await readDocument(path, signal).catch((error: unknown) => {
    throw documentError(error, path, messages);
  });
  const { connectionStore } = await core.data();
  const { name } = connectionStore.save(null, raw).document;
  output.print(messages.cli.connections.imported({ name, argument: shellWord(name, process.platform) }));
  output.event({ event: 'result', connection: name });
};

const exportFile: Action = async (core, [name = '', path], invocation) => {
  const { output, messages } = invocation;
  const { cli } = messages;
  if (isLocal(name)) throw usageError(cli.connections.noDocument);
  const { document } = await storedConnection(core, name, messages);
  if (path === undefined || path === '-') {
    printDocument(document, invocation);
    output.event({ event: 'result', document });
    return;
  }
  await writeNewFile(path, `${toPrettyJson(document)}\n`, messages);
  output.print(cli.connections.exported({ name: document.name, path }));
  output.event({ event: 'result', connection: document.name, output: resolve(path) });
};

const remove: Action = async (core, [name = ''], invocation) => {
  const { flags, output, messages } = invocation;
  if (isLocal(name)) throw usageError(messages.cli.connections.notRemoved);
  const { id, document } = await storedConnection(core, name, messages);
  if (flags['yes'] !== true) throw usageError(messages.cli.connections.wouldRemove({ name: document.name }));
  const { connectionStore, queue } = await core.data();
  // An open job needs its connection to reach the service.
  const isOpen = queue.store.page(null, -1).some((job) => job.connection.id === id && !hasEnded(job));
  if (isOpen) throw new AppError('connection/in-use', `connection ${id} has open jobs`);
  await core.secrets.clear(id);
  connectionStore.remove(id);
  output.print(messages.cli.connections.removed({ name: document.name }));
  output.event({ event: 'result', connection: document.name });
};

const actions: Readonly<Record<string, Action>> = { list, show, import: importFile, export: exportFile, remove };

export const connections: Run = async (invocation) => {
  const core = openCore(invocation);
  try {
    await actions[invocation.verb]?.(core, invocation.args, invocation);
    return exitCodes.done;
  } finally {
    await core.stop();
  }
};
