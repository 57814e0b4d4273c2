// Fails when anything that is shown, played, drawn, dragged or exported of history needs a network, or asks for one.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { OfflineFinding, OfflineMessage, OfflineOrder } from '../support/history/offline-process.ts';
import { openHistory } from '../support/history/open-history.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

const offlineProcess = fileURLToPath(new URL('../support/history/offline-process.ts', import.meta.url));
/** A network namespace with only a loopback that is down; not every system permits one. */
const withoutNetwork = ['unshare', '--user', '--map-root-user', '--net'];
/** As `knownPort` of the process. */
const knownPort = 9;
const netCalls = 'socket,connect,sendto,sendmsg,sendmmsg,bind';

function canUnshare(): boolean {
  const [command = '', ...args] = withoutNetwork;
  return spawnSync(command, [...args, 'true']).status === 0;
}

async function lookOffline(
  context: ScenarioContext,
  order: OfflineOrder,
): Promise<{ readonly finding: OfflineFinding; readonly lines: readonly string[]; readonly isUnshared: boolean }> {
  const trace = join(context.folder, 'net.trace');
  const isUnshared = canUnshare();
  const strace = ['strace', '-f', '-qq', '-o', trace, '-e', `trace=${netCalls}`];
  const line: readonly string[] = [
    ...(isUnshared ? withoutNetwork : []),
    ...strace,
    process.execPath,
    offlineProcess,
    JSON.stringify(order),
  ];
  const [command = process.execPath, ...args] = line;
  // io_uring operations of libuv do not appear in a trace.
  const env = { ...process.env, UV_USE_IO_URING: '0' };
  const child = context.spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
  const told = Promise.withResolvers<OfflineMessage>();
  child.on('message', told.resolve);
  const exited = once(child, 'exit').then(([code]) => {
    told.reject(new Failed(`it ended with ${code} and told nothing`));
  });
  const message = await told.promise;
  await exited;
  if (message.type === 'failed') throw new Failed(message.why);
  return { finding: message.finding, lines: (await readFile(trace, 'utf8')).split('\n'), isUnshared };
}

export const scenario: Scenario = {
  id: 'H1',
  title: 'without network and engine, list, search, play, draw, reveal, drag and export work after a fresh start',
  async run(context) {
    const folder = join(context.folder, 'history');
    const app = await openHistory({ ...context, folder });
    await app.sound();
    const count = context.size(4, 60);
    const sources = await Promise.all(
      Array.from({ length: count }, (_, k) => putFile(join(folder, 'in'), `take ${k}.wav`, recording(k, 1))),
    );
    const jobs = await app.convert(sources);
    const spoken = await app.speak('Good evening, Zoë.');
    const all = [...jobs, spoken];
    must(
      all.every(({ state }) => state === 'done'),
      'not all were converted',
    );
    // Half of them were drawn before; the others are drawn for the first time, offline. One was drawn and is gone since.
    const drawn = jobs.slice(0, count / 2);
    for (const { id } of drawn) {
      for (const which of ['source', 'result'] as const) await app.api.jobs.getWaveform({ id, which });
    }
    await app.close();

    context.note('offline');
    const searches = ['take', 'zoe', 'status:done kind:conversion', 'voice:bronze after:today', '"take 1"', 'zzz'];
    const { finding, lines, isUnshared } = await lookOffline(context, { folder, searches });
    must(finding.spawned.length === 0, `it asked for ${finding.spawned.join(', ')}`);
    const net = lines.filter((line) => /\b(?:AF|PF)_INET6?\b/.test(line));
    must(net.filter((line) => line.includes(`htons(${knownPort})`)).length === 1, 'the one known call is not seen');
    // That one is a socket and its connection.
    must(net.length === 2, `it went to the network: ${net.slice(0, 3).join('; ')}`);

    const newestFirst = (some: readonly { readonly id: string }[]) => {
      const ids = new Set(some.map(({ id }) => id));
      return finding.rows.filter((id) => ids.has(id));
    };
    must(finding.rows.length === all.length, `${finding.rows.length} of ${all.length} entries are listed`);
    const expected = [all, [spoken], jobs, all, [jobs[1] ?? spoken], []];
    // The first search finds the recordings alone: the text has no such word.
    expected[0] = jobs;
    for (const [k, text] of searches.entries()) {
      const found = finding.searches[text] ?? [];
      const wanted = expected[k] ?? [];
      must(isDeepStrictEqual(found, newestFirst(wanted)), `"${text}" finds ${found.length} of ${wanted.length}`);
    }
    for (const job of all) {
      const entry = finding.entries[job.id];
      must(entry !== undefined, `${job.id} could not be looked at`);
      const path = job.output?.path ?? '';
      const paths = job.kind === 'speech' ? [path] : [job.source.path, path];
      const hashes = await Promise.all(paths.map(async (each) => sha256Of(await readFile(each))));
      must(entry.voice === job.voice.name, `it has the voice ${entry.voice}`);
      must(isDeepStrictEqual(entry.sounds, hashes), `${path} is not played as it is`);
      must(entry.part === 100, `${path} cannot be sought: ${entry.part} of 100 bytes`);
      must(entry.folds.length === paths.length && entry.folds.every(Boolean), `${path} is not drawn`);
      must(entry.revealed === path, `"${entry.revealed}" is shown in its folder`);
      must(entry.dragged === path && entry.copied === path, `"${entry.dragged}" is taken along`);
    }
    const { list, sound } = finding.exported;
    must(list.entries === all.length && sound.entries === all.length, 'not all is exported');
    must(sound.bytes > list.bytes, 'the archive holds no sound');

    context.note('a drawing outlives its file');
    const [first] = drawn;
    must(first !== undefined, 'nothing was drawn');
    await rm(first.output?.path ?? '');
    const later = await openHistory({ ...context, folder });
    const fold = await later.api.jobs.getWaveform({ id: first.id, which: 'result' });
    must(fold !== null, 'what was drawn once cannot be drawn without its file');
    await later.close();
    return {
      entries: all.length,
      'network calls': 0,
      'processes started': finding.spawned.length,
      'network taken away': isUnshared,
      searches: searches.length,
    };
  },
};
