// Fails when a result that was moved, renamed, deleted or replaced is shown as if nothing had happened, when one that was only moved is not
// found again by its bytes, or when one that is gone cannot be made again.
import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Job } from '../../../src/main/core/jobs/job.ts';
import type { FileStatus } from '../../../src/shared/schemas/history.ts';
import { openLibrary, type Library } from '../support/history/open-history.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

async function mustStand(library: Library, job: Job, standing: FileStatus, what: string): Promise<void> {
  const [look] = await library.api.history.getFileStatus({ ids: [job.id] });
  must(look?.result === standing, `a result that ${what} stands as ${look?.result ?? 'none'}`);
  must(look.source === 'there', `the source of a result that ${what} stands as ${look.source ?? 'none'}`);
}

/** The entry leads to this file, and so does every other way to it. */
async function mustLeadTo(library: Library, { id }: Job, path: string, what: string): Promise<void> {
  const { result } = await library.api.history.detail({ id });
  must(
    result !== null && join(result.folder, result.name) === path,
    `a result that ${what} leads to ${result?.name ?? 'none'}`,
  );
  const played = Buffer.from(await (await library.media(id, 'result')).arrayBuffer());
  must(sha256Of(played) === result.sha256, `a result that ${what} plays something else`);
  await library.api.history.drag({ ids: [id] });
  must(library.person.dragged.at(-1)?.[0] === path, `a result that ${what} cannot be dragged`);
}

const minuteSeconds = 60;

const pathOf = (job: Job) => job.output?.path ?? '';

/** The disk is a folder of another file system behind a link; without it an empty folder stands in its place, as below a mount. */
async function diskGone(context: ScenarioContext, library: Library, source: string): Promise<void> {
  const disk = await mkdtemp(process.platform === 'linux' ? '/dev/shm/timbre-h3-' : join(tmpdir(), 'timbre-h3-'));
  context.onEnd(() => rm(disk, { recursive: true, force: true }));
  const place = join(library.folder, 'disk');
  await symlink(disk, place);
  await library.settings({ outputFolder: place });
  const [job] = await library.convert([source]);
  await library.settings({ outputFolder: library.outputFolder });
  must(job?.state === 'done' && dirname(pathOf(job)) === place, 'nothing was converted onto the disk');
  await mustStand(library, job, 'there', 'lies on a disk');
  await unlink(place);
  await mkdir(place);
  await mustStand(library, job, 'away', 'lies on a disk that is gone');
  await rm(place, { recursive: true });
  await symlink(disk, place);
  await mustStand(library, job, 'there', 'lies on a disk that came back');
  await mustLeadTo(library, job, pathOf(job), 'lies on a disk that came back');
}

async function madeAgain(library: Library, job: Job): Promise<void> {
  const before = await library.ids();
  await library.api.history.repeat({ choice: { ids: [job.id] } });
  const [made] = await library.endedSince(before, 1);
  must(made?.state === 'done', `a deleted one is made again: ${made?.state ?? 'nothing'}`);
  must(JSON.stringify(made.settings) === JSON.stringify(job.settings), 'it is made with other settings');
  must(made.voice.id === job.voice.id && made.kind === job.kind, 'it is made with another voice');
  // The engine makes the same of the same: what was lost is back to the byte.
  must(made.finished?.sha256 === job.finished?.sha256, 'the same request made another sound');
}

async function linkByHand(library: Library, job: Job, where: string): Promise<void> {
  await mustStand(library, job, 'missing', 'was moved far away');
  library.person.answer = library.trashFolder;
  const nowhere = await library.api.history.findFile({ id: job.id, which: 'result' });
  must(nowhere?.kind === 'not-found', 'it is found where it is not');
  library.person.answer = where;
  const found = await library.api.history.findFile({ id: job.id, which: 'result' });
  must(found?.kind === 'found' && found.entries === 1, 'it is not found by its bytes');
}

export const scenario: Scenario = {
  id: 'H3',
  title: 'a result that was moved, renamed, deleted or replaced is flagged, found by its bytes, or made again',
  async run(context) {
    const library = await openLibrary({ ...context, folder: join(context.folder, 'library') });
    await library.sound();
    const each = context.size(1, 8);
    const count = 6 * each + 1;
    const sources: string[] = [];
    for (let k = 0; k < count; k += 1) {
      sources.push(await putFile(join(library.folder, 'in'), `take ${k}.wav`, recording(k)));
    }
    const jobs = await library.convert(sources);
    must(
      jobs.every(({ state }) => state === 'done'),
      `not all were converted: ${jobs.map(({ state }) => state).join(', ')}`,
    );
    const some = (kind: number) => jobs.slice(kind * each, (kind + 1) * each);

    context.note('renamed in its folder');
    for (const [k, job] of some(0).entries()) {
      const path = join(library.outputFolder, `the one I like ${k}.wav`);
      await rename(pathOf(job), path);
      await mustStand(library, job, 'there', 'was renamed');
      await mustLeadTo(library, job, path, 'was renamed');
    }
    context.note('moved into a folder beside it');
    for (const job of some(1)) {
      const path = join(library.outputFolder, 'chosen', job.output?.path.split('/').at(-1) ?? '');
      await mkdir(dirname(path), { recursive: true });
      await rename(pathOf(job), path);
      await mustStand(library, job, 'there', 'was moved nearby');
      await mustLeadTo(library, job, path, 'was moved nearby');
    }
    context.note('moved far away');
    const far = join(context.folder, 'far', 'away', 'deep', 'down');
    await mkdir(far, { recursive: true });
    for (const [k, job] of some(2).entries()) {
      const path = join(far, `${k}.wav`);
      await rename(pathOf(job), path);
      // Where one of a folder was found, the others are looked for without being asked.
      if (k === 0) await linkByHand(library, job, join(context.folder, 'far'));
      await mustStand(library, job, 'there', 'was linked again');
      await mustLeadTo(library, job, path, 'was linked again');
    }
    context.note('deleted');
    for (const job of some(3)) {
      await rm(pathOf(job));
      await mustStand(library, job, 'missing', 'was deleted');
      await madeAgain(library, job);
    }
    context.note('replaced');
    for (const [k, job] of some(4).entries()) {
      const bytes = await readFile(pathOf(job));
      bytes[bytes.length - 1 - k] = (bytes.at(-1 - k) ?? 0) ^ 0xff;
      await writeFile(pathOf(job), bytes);
      // Some file systems keep times in steps of two seconds: what was written into so soon passes for what it was.
      const later = Date.now() / 1000 + minuteSeconds;
      await utimes(pathOf(job), later, later);
      await mustStand(library, job, 'changed', 'has other bytes');
    }
    for (const job of some(5)) {
      await writeFile(pathOf(job), 'no sound at all');
      await mustStand(library, job, 'changed', 'is another file');
    }
    context.note('its disk gone');
    await diskGone(context, library, sources.at(-1) ?? '');

    context.note('after a new start');
    await library.close();
    const later = await openLibrary({ ...context, folder: library.folder });
    for (const [kind, standing] of (['there', 'there', 'there', 'there', 'changed', 'changed'] as const).entries()) {
      // One that was made again lies where the deleted one lay, with its bytes: it is both entries' result.
      for (const job of some(kind)) await mustStand(later, job, standing, `was treated in the way ${kind}`);
    }
    await later.close();
    return { results: count + 1, flagged: count, 'found again': 3 * each, 'made again, same bytes': each };
  },
};
