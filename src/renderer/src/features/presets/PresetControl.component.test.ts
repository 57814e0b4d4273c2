import { problemText } from '../../../../shared/messages/problem-text.ts';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { presetOf } from '../../../../../tests/fakes/preset-scenes.ts';
import { empty, settings, studio } from '../../../../../tests/fakes/base-scene.ts';
import type { Preset, PresetContent } from '../../../../shared/schemas/preset.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import type { Api } from '../../lib/api.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { PresetChoice } from './preset-choice.svelte.ts';
import { Presets } from './presets.svelte.ts';
import PresetControl from './PresetControl.svelte';
import { PresetTargetFixture } from './preset-target.fixture.svelte.ts';

const t = messages.presets;
const evening = presetOf(1, 'Evening');
const lessons = presetOf(2, 'Lessons', { connectionId: 'gone', connectionName: 'Studio South' });

async function renderControl(
  presets: readonly Preset[] = [evening, lessons],
  chosen = '',
  change: Partial<Api['presets']> = {},
) {
  const { api, bridge } = createFakeApi({ presets });
  const state = new Presets({ ...api.presets, ...change });
  state.subscribe();
  await state.load();
  const target = new PresetTargetFixture([...empty.connections, studio], settings.conversion);
  target.chosen = chosen;
  await renderInApp(PresetControl, { choice: new PresetChoice(state, target), voiceName: 'Clear fjord' });
  const sent = (channel: string) => bridge.calls.filter(([name]) => name === channel).map(([, input]) => input);
  return { target, state, sent };
}

const list = page.getByRole('combobox', { name: t.label });
const shown = () => {
  const select = list.element() as HTMLSelectElement;
  return select.selectedOptions[0]?.textContent;
};
const modified = page.getByText(t.modified);
async function chooseItem(name: string): Promise<void> {
  await page.getByRole('button', { name: t.more }).click();
  await page.getByRole('menuitem', { name }).click();
}
const contentWith = (change: object): PresetContent => ({
  kind: 'conversion',
  connectionId: 'local',
  voiceName: 'Clear fjord',
  settings: { ...settings.conversion, ...change },
});

it('applies the preset that is chosen, and none changes nothing', async () => {
  const { target } = await renderControl();
  expect(shown()).toBe(t.none);
  await list.selectOptions('Evening');
  expect(target.applied).toEqual([evening]);
  await expect.poll(shown).toBe('Evening');
  await list.selectOptions(t.none);
  await expect.poll(shown).toBe(t.none);
  expect(target.applied).toEqual([evening]);
});

it('shows “Modified” while the settings differ, and saves them; the list then has the focus', async () => {
  const { target, sent } = await renderControl([evening], evening.id);
  await expect.element(modified).not.toBeInTheDocument();
  target.settings = { ...settings.conversion, speed: 1.3 };
  await expect.element(modified).toBeVisible();
  await page.getByRole('button', { name: t.saveNamed({ name: 'Evening' }) }).click();
  await expect.element(modified).not.toBeInTheDocument();
  expect(sent('presets:update')).toEqual([{ id: evening.id, content: contentWith({ speed: 1.3 }) }]);
  await expect.element(list).toHaveFocus();
});

it('discards changes', async () => {
  const { target } = await renderControl([evening], evening.id);
  target.settings = { ...settings.conversion, speed: 1.3 };
  await chooseItem(t.revert);
  expect(target.applied).toEqual([evening]);
});

it('saves under a new name that no other preset has, and chooses it', async () => {
  const { target, sent } = await renderControl([evening], evening.id);
  await chooseItem(t.saveAsNew);
  const name = page.getByRole('textbox', { name: t.name });
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(name).toHaveAccessibleDescription(t.nameFault.empty);
  await userEvent.fill(name, ' EVENING ');
  await expect.element(name).toHaveAccessibleDescription(t.nameTaken);
  await userEvent.fill(name, ' Night ');
  await userEvent.keyboard('{Enter}');
  await expect.element(name).not.toBeInTheDocument();
  expect(sent('presets:create')).toEqual([{ name: 'Night', content: contentWith({}) }]);
  expect(target.applied.map((preset) => preset.name)).toEqual(['Night']);
});

it('saves under a new name once although Enter is pressed again meanwhile', async () => {
  const saved = Promise.withResolvers<Preset>();
  const create = vi.fn(() => saved.promise);
  await renderControl([evening], evening.id, { create });
  await chooseItem(t.saveAsNew);
  const name = page.getByRole('textbox', { name: t.name });
  await userEvent.fill(name, 'Night');
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{Enter}');
  saved.resolve(presetOf(3, 'Night'));
  await expect.element(name).not.toBeInTheDocument();
  expect(create).toHaveBeenCalledOnce();
});

it('renames, makes it the default, and deletes only after a confirmation', async () => {
  const { sent, state } = await renderControl([evening], evening.id);
  await chooseItem(t.rename);
  await userEvent.fill(page.getByRole('textbox', { name: t.name }), 'Night');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('presets:rename')).toEqual([{ id: evening.id, name: 'Night' }]);
  await page.getByRole('button', { name: t.more }).click();
  await page.getByRole('menuitemcheckbox', { name: t.isDefault }).click();
  await expect.poll(() => sent('presets:setDefault')).toEqual([{ id: evening.id, isDefault: true }]);
  await chooseItem(t.delete);
  await expect.element(page.getByRole('button', { name: messages.app.cancel })).toHaveFocus();
  expect(sent('presets:remove')).toEqual([]);
  await page.getByRole('button', { name: t.deleteDialog.confirm }).click();
  await expect.poll(() => state.list).toEqual([]);
});

it('offers to move a preset without its connection, with the voice that is selected, and applies nothing before', async () => {
  const { target, sent } = await renderControl();
  await list.selectOptions(t.missingConnection({ name: 'Lessons', connection: 'Studio South' }));
  await expect.element(page.getByRole('dialog').getByText(/“Clear fjord”/)).toBeVisible();
  expect(target.applied).toEqual([]);
  await page.getByRole('button', { name: t.moveDialog.confirm }).click();
  await expect.poll(() => target.applied.map(({ name }) => name)).toEqual(['Lessons']);
  expect(sent('presets:update')).toEqual([{ id: lessons.id, content: contentWith({}) }]);
});

it('shows a problem in the dialog whose action failed, and nowhere else', async () => {
  const { state } = await renderControl([evening, lessons], evening.id);
  const problem = { code: 'data/not-writable' } as const;
  const alert = page.getByRole('alert').filter({ hasText: problemText(messages, problem).title });
  const inDialog = page
    .getByRole('dialog')
    .getByRole('alert')
    .filter({ hasText: problemText(messages, problem).title });
  await chooseItem(t.delete);
  state.problem = problem;
  await expect.element(inDialog).toBeVisible();
  expect(alert.elements()).toHaveLength(1);
  await page.getByRole('button', { name: messages.app.cancel }).click();
  await list.selectOptions(t.missingConnection({ name: 'Lessons', connection: 'Studio South' }));
  state.problem = problem;
  await expect.element(inDialog).toBeVisible();
  expect(alert.elements()).toHaveLength(1);
});

it('names the voice of a preset that no longer exists', async () => {
  const { target } = await renderControl([evening], evening.id);
  target.isGone = true;
  await expect.element(page.getByText(t.missingVoice({ voice: 'Clear fjord' }))).toBeVisible();
});

it('lists 100 of what became of a file, and counts the rest', async () => {
  const { state } = await renderControl();
  const skipped = Array.from({ length: 499 }, (_, k) => ({
    name: `take ${k}`,
    reason: 'invalid' as const,
    connection: '',
  }));
  vi.spyOn(state, 'importFile').mockImplementation(async () => {
    await Promise.resolve();
    state.imported = { imported: 1, renamed: [{ from: 'a', to: 'a (2)' }], skipped };
  });
  await chooseItem(t.import);
  const lines = page.getByRole('dialog').getByRole('listitem');
  await expect.poll(() => lines.elements().length).toBe(101);
  await expect.element(lines.last()).toHaveTextContent(t.importDialog.more({ n: 400 }));
});

it('reports what became of a file', async () => {
  const { state } = await renderControl();
  vi.spyOn(state, 'importFile').mockImplementation(async () => {
    await Promise.resolve();
    state.imported = { imported: 1, renamed: [{ from: 'a', to: 'a (2)' }], skipped: [] };
  });
  await chooseItem(t.import);
  await expect.element(page.getByText(t.importDialog.renamed({ from: 'a', to: 'a (2)' }))).toBeVisible();
});
