import { expect, type Page } from 'playwright/test';
import { contract } from '../../src/shared/ipc/contract.ts';
import { createClient } from '../../src/shared/ipc/client.ts';
import { defaultSettings } from '../../src/shared/schemas/settings.ts';
import type { JobInfo } from '../../src/shared/schemas/job.ts';
import type { Timbre } from './app.ts';

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled', 'uncertain']);

/** The requests of a page, made for the test. */
const clientOf = (page: Page) =>
  createClient(contract, {
    invoke: (channel, input) =>
      page.evaluate(([name, given]) => window.bridge.invoke(name, given), [channel, input] as const),
    subscribe: () => () => undefined,
  });

/**
 * Removes what a test did, with the requests of the page: jobs, history, folders, services, presets, the text and the settings.
 * The page is loaded again, in the view that it begins with. What stays: takes and previews of voices, own voices, and the log.
 */
export async function empty({ page }: Pick<Timbre, 'page'>): Promise<void> {
  const { history, jobs, ...ask } = clientOf(page);
  // A page that ends saves the text that the user was writing.
  await page.evaluate(() => void window.dispatchEvent(new Event('pagehide')));
  await ask.settings.update(defaultSettings);
  for (const { id } of await ask.watch.list()) await ask.watch.remove({ id });

  async function listJobs(): Promise<readonly JobInfo[]> {
    const found: JobInfo[] = [];
    for (let after: number | null | undefined; after !== null;) {
      const page = await jobs.list({ after: after ?? null });
      found.push(...page.jobs);
      after = page.next;
    }
    return found;
  }
  const idsOf = (listed: readonly JobInfo[]) => listed.map(({ id }) => id);
  await jobs.cancel({ ids: idsOf((await listJobs()).filter(({ state }) => !ended.has(state))) });
  for (const { connectionId } of [
    { connectionId: null },
    ...(await ask.connections.list()).map(({ id }) => ({ connectionId: id })),
  ])
    await jobs.resume({ connectionId });
  await expect.poll(async () => (await listJobs()).every(({ state }) => ended.has(state))).toBe(true);
  await jobs.remove({ ids: idsOf(await listJobs()) });
  for (;;) {
    const { rows } = await history.search({ text: '' });
    if (rows.length === 0) break;
    await history.remove({ choice: { ids: rows.map(({ id }) => id) }, withFiles: false });
  }

  for (const { id, kind } of await ask.connections.list()) if (kind !== 'local') await ask.connections.remove({ id });
  for (const { id } of await ask.presets.list()) await ask.presets.remove({ id });
  for (const entry of await ask.pronunciations.list()) await ask.pronunciations.remove(entry);
  const connectionId = defaultSettings.connectionId;
  for (const voiceId of await ask.voices.listFavourites({ connectionId }))
    await ask.voices.setFavourite({ connectionId, voiceId, isFavourite: false });
  for (const voiceId of Object.keys(await ask.voices.listNotes({ connectionId })))
    await ask.voices.setNote({ connectionId, voiceId, text: '' });
  await ask.voices.removeExcerpt();
  await ask.speech.saveDraft({ part: 0, parts: 1, text: '' });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
}
