import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { entriesOf } from '../../../../../tests/fakes/fake-history.ts';
import { AppError } from '../../../../shared/errors.ts';
import { problemText } from '../../../../shared/messages/problem-text.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { HookState } from '../jobs/hook.svelte.ts';
import { Jobs } from '../jobs/jobs.svelte.ts';
import { Player } from '../player/player.svelte.ts';
import { createSilentPlayer } from '../voices/preview-player.fixture.ts';
import { Voices } from '../voices/voices.svelte.ts';
import { Waveforms } from '../waveform/waveforms.svelte.ts';
import { agree, rowsOf } from './history.fixture.ts';
import { History } from './history.svelte.ts';
import HistoryView from './HistoryView.svelte';
import { Repeat } from './repeat.svelte.ts';

const t = messages.history;
/** More than a selection keeps by id. */
const entries = 1200;

/** The view of a history whose lists end as soon as there is a later one; another process can remove an entry. */
async function open() {
  await page.viewport(1280, 800);
  const { api, bridge } = createFakeApi({ history: { entries: entriesOf(rowsOf(entries)) } });
  const refuse = () => Promise.reject(new AppError('history/list-ended', 'there is a later list'));
  const internalDrag = createInternalDrag();
  const history = new History(
    { ...api.history, remove: refuse, update: refuse },
    (run) => requestAnimationFrame(run),
    internalDrag,
    agree,
  );
  history.subscribe();
  const connections = new Connections(api.connections, () => undefined);
  await renderInApp(HistoryView, {
    previews: createSilentPlayer().previews,
    history,
    repeat: new Repeat(api, connections, history.actions),
    keepsCopies: false,
    hook: new HookState(api.hook),
    fileActions: [],
    jobs: new Jobs(api, internalDrag),
    connection: undefined,
    connections,
    voices: new Voices(api),
    waveforms: new Waveforms(api.jobs.getWaveform),
    player: new Player(),
    ontryvoices: () => undefined,
  });
  await expect.poll(() => history.listing?.rows).toBe(entries);
  history.selection.selectAll();
  const removeElsewhere = async (): Promise<void> => {
    await api.history.remove({ choice: { ids: ['r7'] }, withFiles: false });
    await expect.poll(() => history.listing?.rows).toBe(entries - 1);
    expect(history.selection.count).toBe(0);
  };
  return { history, bridge, removeElsewhere };
}

const { title } = problemText(messages, { code: 'history/list-ended' });

it('says that the list is out of date when entries are removed that another process has changed meanwhile', async () => {
  const { history, removeElsewhere } = await open();
  document.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
  await userEvent.keyboard('{Delete}');
  const dialog = page.getByRole('dialog', { name: t.removing.title({ n: entries }) });
  await expect.element(dialog).toBeVisible();
  await removeElsewhere();
  await expect.element(dialog).toBeVisible();
  await page.getByRole('button', { name: t.removing.confirm, exact: true }).click();
  await expect.element(page.getByRole('alert').filter({ hasText: title })).toBeVisible();
  history.selection.select(0);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

it('keeps the tags of entries open that another process changes, and says why a tag was not added', async () => {
  const { removeElsewhere } = await open();
  await page.getByRole('button', { name: t.actions.tags }).click();
  const dialog = page.getByRole('dialog', { name: t.tagging.title({ n: entries }) });
  await removeElsewhere();
  await page.getByRole('combobox', { name: t.details.addTag }).fill('draft');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => dialog.element().textContent).toContain(title);
});
