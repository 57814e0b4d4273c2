// Fails when an import doubles or loses an entry or changes a byte of its sound, or when an export holds anything that is a secret.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { historyHeader, listName } from '../../../src/main/core/history/archive-format.ts';
import { connect } from '../support/history/connect.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { filesWith, holds } from '../support/queue/secrets.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

const token = 'canary-token-7f3a9c51e2';
const signature = 'canary-signature-94bd1';
const host = 'canary-host.example.test';

/** One after the other what is in an archive, unpacked. */
async function unzipped(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  zip.close();
  return files;
}

/** Entries with their fields in one order, sorted. */
function canonical(list: string): readonly string[] {
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : Array.isArray(value)
        ? value.map(sorted)
        : Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, each]) => [key, sorted(each)]),
          );
  const [header = '', ...lines] = list.trimEnd().split('\n');
  must(isDeepStrictEqual(JSON.parse(header), historyHeader), `an export begins with ${header}`);
  return lines.map((line) => JSON.stringify(sorted(JSON.parse(line)))).sort();
}

async function exported(app: HistoryCase, what: 'list' | 'sound', name: string): Promise<string> {
  const path = join(app.folder, name);
  app.person.answer = path;
  const written = await app.api.history.export({ choice: null, what });
  must(written !== null, 'nothing was exported');
  return path;
}

async function imported(app: HistoryCase, path: string) {
  app.person.answer = path;
  const result = await app.api.history.import();
  must(result !== null, 'nothing was imported');
  const { added, known, refused, withoutFile, ...rest } = result;
  must(!rest.isStopped && rest.problem === null && rest.broughtBack === 0, `it ended as ${JSON.stringify(rest)}`);
  return { added, known, refused, withoutFile };
}

/** Lets go of which marks were set in which order. */
const listOf = async (app: HistoryCase, name: string) =>
  canonical(await readFile(await exported(app, 'list', name), 'utf8'));

export const scenario: Scenario = {
  id: 'H5',
  title: 'an export imported twice elsewhere gives the same entries and bytes once, and no secret',
  async run(context) {
    const engine = await context.startEngine();
    const proxy = await context.startProxy({
      target: engine.origin,
      serviceToken: engine.token,
      resultQuery: `signature=${signature}`,
    });
    const first = await openHistory({ ...context, folder: join(context.folder, 'first') });
    await connect(first, proxy, { hosts: { ...proxy.document().hosts, models: `https://${host}` } }, token);
    await first.sound();
    const count = context.size(8, 200);
    context.note('converting');
    const sources = await Promise.all(
      Array.from({ length: count }, (_, k) => putFile(join(first.folder, 'in'), `take ${k}.wav`, recording(k))),
    );
    const done = await first.convert(sources);
    must(
      done.every(({ state }) => state === 'done'),
      'not all were converted',
    );
    const spoken = await first.speak('Good evening, Zoë.');
    must(spoken.state === 'done', `speech ended ${spoken.state}`);
    const words = `Bearer ${token} refused, see https://${host}/result.wav?signature=${signature}`;
    const refusal = { kind: 'answer', status: 400, body: { error: words } } as const;
    proxy.script([{ operation: 'convert', fault: refusal }]);
    const [failed] = await first.convert([await putFile(join(first.folder, 'in'), 'refused.wav', recording(count))]);
    must(failed?.state === 'failed', 'what was refused did not fail');
    proxy.script([{ operation: 'download', fault: { kind: 'gone', status: 410 } }]);
    const [gone] = await first.convert([await putFile(join(first.folder, 'in'), 'gone.wav', recording(count + 1))]);
    must(gone?.state === 'uncertain', `a result that is gone ended ${gone?.state ?? 'nowhere'}`);
    proxy.script([]);
    const ids = (some: typeof done) => ({ ids: some.map(({ id }) => id) });
    await first.api.history.update({ choice: ids(done.slice(0, 3)), addTags: ['keep', 'für Zoë'], isFavourite: true });
    await first.api.history.update({ choice: { ids: [failed.id] }, addTags: ['ask them'] });

    context.note('exporting');
    const [list, archive] = [await exported(first, 'list', 'a.jsonl'), await exported(first, 'sound', 'a.zip')];
    const files = await unzipped(archive);
    const entries = canonical(await readFile(list, 'utf8'));
    must(entries.length === count + 3, `${entries.length} entries of ${count + 3} were exported`);
    must(
      isDeepStrictEqual(canonical(files.get(listName)?.toString() ?? ''), entries),
      'list and archive have other entries',
    );
    // No path either: it names the person.
    const secrets = [token, signature, host, engine.token, proxy.origin.replace('http://', ''), context.folder];
    const pieces = new Map([['the list', await readFile(list)], ['the archive', await readFile(archive)], ...files]);
    for (const [name, bytes] of pieces) {
      const found = secrets.filter((secret) => holds(bytes, [secret]));
      must(found.length === 0, `${name} holds ${found.join(', ')}`);
    }
    for (const planted of [token, signature, host]) {
      must((await filesWith(first.dataFolder, [planted])).length > 0, `${planted} was not there to be kept back`);
    }

    context.note('importing');
    const second = await openHistory({ ...context, folder: join(context.folder, 'second') });
    await second.sound();
    const listOnly = await imported(second, list);
    must(
      isDeepStrictEqual(listOnly, { added: count + 3, known: 0, refused: 0, withoutFile: 0 }),
      `the list: ${JSON.stringify(listOnly)}`,
    );
    must(isDeepStrictEqual(await listOf(second, 'b.jsonl'), entries), 'what was imported is not what was exported');
    const known = { added: 0, known: count + 3, refused: 0, withoutFile: 0 };
    for (const [name, path] of [
      ['the archive', archive],
      ['the archive again', archive],
      ['the list again', list],
    ] as const) {
      const result = await imported(second, path);
      must(isDeepStrictEqual(result, known), `${name}: ${JSON.stringify(result)}`);
    }
    must(isDeepStrictEqual(await listOf(second, 'c.jsonl'), entries), 'an import again changed entries');

    context.note('comparing sounds');
    let bytesCompared = 0;
    for (const { id, output } of [...done, spoken]) {
      const { row, result } = await second.api.history.detail({ id });
      const original = await readFile(output?.path ?? '');
      const sound = Buffer.from(await (await second.media(id, 'result')).arrayBuffer());
      must(original.equals(sound), `the result of ${row.name} has other bytes`);
      must(sha256Of(sound) === result?.sha256, `the result of ${row.name} has another hash`);
      bytesCompared += sound.length;
    }
    const sounds = await readdir(join(second.outputFolder, 'Timbre import'));
    must(sounds.length === count + 1, `${sounds.length} sounds of ${count + 1} were written`);

    context.note('in one go, and back');
    const third = await openHistory({ ...context, folder: join(context.folder, 'third') });
    await third.sound();
    must((await imported(third, archive)).added === count + 3, 'the archive alone does not bring everything');
    must(isDeepStrictEqual(await listOf(third, 'd.jsonl'), entries), 'an archive alone brings other entries');
    const back = await exported(third, 'sound', 'e.zip');
    const home = await imported(first, back);
    must(isDeepStrictEqual(home, known), `back home: ${JSON.stringify(home)}`);
    must(isDeepStrictEqual(await listOf(first, 'f.jsonl'), entries), 'what came back home changed entries');
    const cut = join(context.folder, 'no-export.jsonl');
    await writeFile(cut, '{"timbre":"something else"}\n');
    first.person.answer = cut;
    const said = await first.api.history.import().then(
      () => 'nothing',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error)),
    );
    must(said === 'history/not-an-export', `what is no export says ${String(said)}`);
    for (const app of [first, second, third]) await app.close();
    return { entries: entries.length, doubled: 0, 'sound bytes equal': bytesCompared, 'secrets found': 0 };
  },
};
