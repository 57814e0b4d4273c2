// Fails when a result that was moved, renamed, deleted or replaced is shown as if nothing had happened, when one that was only moved is not
// found again by its bytes, or when one that is gone cannot be made again.
import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Job } from '../../../src/main/core/jobs/job.ts';
import type { FileStatus } from '../../../src/shared/schemas/history.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

async function mustStand(app: HistoryCase, job: Job, standing: FileStatus, what: string): Promise<void> {
  const [look] = await app.api.history.getFileStatus({ ids: [job.id] });
  must(look?.result === standing, `a result that ${what} stands as ${look?.result ?? 'none'}`);
  must(look.source === 'there', `the source of a result that ${what} stands as ${look.source ?? 'none'}`);
}

/** The entry leads to this file, and so does every other way to it. */
async function mustLeadTo(app: HistoryCase, { id }: Job, path: string, what: string): Promise<void> {
  const { result } = await app.api.history.detail({ id });
  must(
    result !== null && join(result.folder, result.name) === path,
    `a result that ${what} leads to ${result?.name ?? 'none'}`,
  );
  const played = Buffer.from(await (await app.media(id, 'result')).arrayBuffer());
  must(sha256Of(played) === result.sha256, `a result that ${what} plays something else`);
  await app.api.history.drag({ ids: [id] });
  must(app.person.dragged.at(-1)?.[0] === path, `a result that ${what} cannot be dragged`);
}

const minuteSeconds = 60;

const pathOf = (job: Job) => job.output?.path ?? '';

/** The disk is a linked folder of another file system; unmounted, an empty folder replaces it, like a mount point. */
async function diskGone(context: ScenarioContext, app: HistoryCase, source: string): Promise<void> {
  const disk = await mkdtemp(process.platform === 'linux' ? '/dev/shm/timbre-h3-' : join(tmpdir(), 'timbre-h3-'));
  context.onEnd(() => rm(disk, { recursive: true, force: true }));
  const place = join(app.folder, 'disk');
  await symlink(disk, place);
  await app.settings({ outputFolder: place });
  const [job] = await app.convert([source]);
  await app.settings({ outputFolder: app.outputFolder });
  must(job?.state === 'done' && dirname(pathOf(job)) === place, 'nothing was converted onto the disk');
  await mustStand(app, job, 'there', 'lies on a disk');
  await unlink(place);
  await mkdir(place);
  await mustStand(app, job, 'away', 'lies on a disk that is gone');
  await rm(place, { recursive: true });
  await symlink(disk, place);
  await mustStand(app, job, 'there', 'lies on a disk that came back');
  await mustLeadTo(app, job, pathOf(job), 'lies on a disk that came back');
}

async function madeAgain(app: HistoryCase, job: Job): Promise<void> {
  const before = await app.ids();
  await app.api.history.repeat({ choice: { ids: [job.id] } });
  const [made] = await app.endedSince(before, 1);
  must(made?.state === 'done', `a deleted one is made again: ${made?.state ?? 'nothing'}`);
  must(JSON.stringify(made.settings) === JSON.stringify(job.settings), 'it is made with other settings');
  must(made.voice.id === job.voice.id && made.kind === job.kind, 'it is made with another voice');
  // The engine makes the same of the same: what was lost is back to the byte.
  must(made.finished?.sha256 === job.finished?.sha256, 'the same request made another sound');
}

async function linkByHand(app: HistoryCase, job: Job, where: string): Promise<void> {
  await mustStand(app, job, 'missing', 'was moved far away');
  app.person.answer = app.trashFolder;
  const nowhere = await app.api.history.findFile({ id: job.id, which: 'result' });
  must(nowhere?.kind === 'not-found', 'it is found where it is not');
  app.person.answer = where;
  const found = await app.api.history.findFile({ id: job.id, which: 'result' });
  must(found?.kind === 'found' && found.entries === 1, 'it is not found by its bytes');
}

export const scenario: Scenario = {
  id: 'H3',
  title: 'a moved, renamed, deleted or replaced result is flagged, and found by its bytes or repeated',
  async run(context) {
    const app = await openHistory({ ...context, folder: join(context.folder, 'history') });
    await app.sound();
    const each = context.size(1, 8);
    const count = 6 * each + 1;
    const sources: string[] = [];
    for (let k = 0; k < count; k += 1) {
      sources.push(await putFile(join(app.folder, 'in'), `take ${k}.wav`, recording(k)));
    }
    const jobs = await app.convert(sources);
    must(
      jobs.every(({ state }) => state === 'done'),
      `not all were converted: ${jobs.map(({ state }) => state).join(', ')}`,
    );
    const some = (kind: number) => jobs.slice(kind * each, (kind + 1) * each);

    context.note('renamed in its folder');
    for (const [k, job] of some(0).entries()) {
      const path = join(app.outputFolder, `the one I like ${k}.wav`);
      await rename(pathOf(job), path);
      await mustStand(app, job, 'there', 'was renamed');
      await mustLeadTo(app, job, path, 'was renamed');
    }
    context.note('moved into a folder beside it');
    for (const job of some(1)) {
      const path = join(app.outputFolder, 'chosen', job.output?.path.split('/').at(-1) ?? '');
      await mkdir(dirname(path), { recursive: true });
      await rename(pathOf(job), path);
      await mustStand(app, job, 'there', 'was moved nearby');
      await mustLeadTo(app, job, path, 'was moved nearby');
    }
    context.note('moved far away');
    const far = join(context.folder, 'far', 'away', 'deep', 'down');
    await mkdir(far, { recursive: true });
    for (const [k, job] of some(2).entries()) {
      const path = join(far, `${k}.wav`);
      await rename(pathOf(job), path);
      // Where one of a folder was found, the others are looked for without being asked.
      if (k === 0) await linkByHand(app, job, join(context.folder, 'far'));
      await mustStand(app, job, 'there', 'was linked again');
      await mustLeadTo(app, job, path, 'was linked again');
    }
    context.note('deleted');
    for (const job of some(3)) {
      await rm(pathOf(job));
      await mustStand(app, job, 'missing', 'was deleted');
      await madeAgain(app, job);
    }
    context.note('replaced');
    for (const [k, job] of some(4).entries()) {
      const bytes = await readFile(pathOf(job));
      bytes[bytes.length - 1 - k] = (bytes.at(-1 - k) ?? 0) ^ 0xff;
      await writeFile(pathOf(job), bytes);
      // Some file systems keep times in steps of two seconds: what was written into so soon passes for what it was.
      const later = Date.now() / 1000 + minuteSeconds;
      await utimes(pathOf(job), later, later);
      await mustStand(app, job, 'changed', 'has other bytes');
    }
    for (const job of some(5)) {
      await writeFile(pathOf(job), 'no sound at all');
      await mustStand(app, job, 'changed', 'is another file');
    }
    context.note('its disk gone');
    await diskGone(context, app, sources.at(-1) ?? '');

    context.note('after a new start');
    await app.close();
    const later = await openHistory({ ...context, folder: app.folder });
    for (const [kind, standing] of (['there', 'there', 'there', 'there', 'changed', 'changed'] as const).entries()) {
      // One that was made again lies where the deleted one lay, with its bytes: it is both entries' result.
      for (const job of some(kind)) await mustStand(later, job, standing, `was treated in the way ${kind}`);
    }
    await later.close();
    return { results: count + 1, flagged: count, 'found again': 3 * each, 'made again, same bytes': each };
  },
};
