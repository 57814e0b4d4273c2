import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { HookSettings } from '../../../../shared/schemas/hook.ts';
import { defaultSettings } from '../../../../shared/schemas/settings.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { localInfo } from '../connections/connections.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { Presets } from '../presets/presets.svelte.ts';
import { SupportedFormats } from '../voices/voice-details.svelte.ts';
import { FolderForm as FormState } from './folder-form.svelte.ts';
import FolderForm from './FolderForm.svelte';
import { folderOf } from './watch.fixture.ts';
import { createSilentPlayer } from '../voices/preview-player.fixture.ts';

const t = messages.watch.form;

async function renderForm(hook: Partial<HookSettings> = {}, following = 0) {
  const { api, bridge } = createFakeApi();
  const connections = new Connections(api.connections, () => undefined);
  connections.list = [localInfo];
  const { conversion } = folderOf('f').settings;
  const form = new FormState(api, connections, { kind: 'new', path: '/recordings', connectionId: 'local', conversion });
  const onsave = vi.fn(async () => void (await form.save()));
  const [onskip, oncancel] = [vi.fn(), vi.fn()];
  await renderInApp(FolderForm, {
    previews: createSilentPlayer().previews,
    connections,
    presets: new Presets(api.presets),
    formats: new SupportedFormats(api.voices),
    form,
    hook: { ...defaultSettings.hook, ...hook },
    following,
    onsave,
    onskip,
    oncancel,
  });
  await expect.poll(() => form.voices.isWhole).toBe(true);
  const saved = () => bridge.calls.filter(([channel]) => channel === 'watch:save').map(([, input]) => input);
  return { form, saved, onskip, oncancel };
}

const limit = page.getByRole('textbox', { name: t.limit });

it('starts with the focus on its first button', async () => {
  await renderForm();
  await expect.element(page.getByRole('button', { name: t.change, exact: true }).first()).toHaveFocus();
});

it('has its whole heading as a tooltip, since a long one is cut', async () => {
  await renderForm();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveAttribute('title', t.titleNew);
});

it('says how many folders follow, and skips to the next one or cancels all', async () => {
  const { onskip, oncancel } = await renderForm({}, 2);
  await expect.element(page.getByText(t.following({ n: 2 }))).toBeVisible();
  await page.getByRole('button', { name: t.skip }).click();
  expect([onskip.mock.calls.length, oncancel.mock.calls.length]).toEqual([1, 0]);
  await page.getByRole('button', { name: t.cancelAll }).click();
  expect(oncancel).toHaveBeenCalledOnce();
});

it('lets the user choose another connection if that of the folder was removed', async () => {
  const { form } = await renderForm();
  await expect.element(page.getByRole('combobox', { name: t.connection })).not.toBeInTheDocument();
  form.connectionId = 'removed';
  await page.getByRole('combobox', { name: t.connection }).selectOptions('This computer');
  expect(form.connectionId).toBe('local');
});

it('focuses the first invalid field on Enter and sends nothing until it is valid', async () => {
  const { saved } = await renderForm();
  await limit.fill('a lot');
  await expect.element(limit).not.toHaveAttribute('aria-invalid', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(limit).toHaveAttribute('aria-invalid', 'true');
  await expect.element(limit).toHaveFocus();
  await expect.element(limit).toHaveAccessibleDescription(t.limitError);
  await expect.element(page.getByText(messages.app.invalidFields({ n: 1 }))).toBeVisible();
  expect(saved()).toEqual([]);
  await userEvent.fill(limit, '90');
  await userEvent.keyboard('{Enter}');
  await expect.poll(saved).toHaveLength(1);
  expect(saved()[0]).toMatchObject({ id: null, settings: { path: '/recordings', dailyMinutes: 90 } });
});

it('toggles a format with Space', async () => {
  const { form } = await renderForm();
  const wav = page.getByRole('checkbox', { name: 'wav' });
  await expect.element(wav).toBeChecked();
  (wav.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(wav).not.toBeChecked();
  expect(form.endings).not.toContain('.wav');
});

it('gives the speakers of texts their voices, whose names are entered without saving the folder', async () => {
  const { form, saved } = await renderForm();
  const speakers = messages.speech.speakers;
  const name = page.getByRole('textbox', { name: speakers.name });
  await expect.element(name).not.toBeInTheDocument();
  form.speaksTexts = true;
  await name.fill('Anna');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('dialog').getByRole('option').first().click();
  await expect.element(page.getByRole('button', { name: speakers.remove({ name: 'Anna' }) })).toBeVisible();
  expect(saved()).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: t.save }));
  await expect.poll(saved).toHaveLength(1);
  expect(saved()[0]).toMatchObject({ settings: { speech: { speakers: [{ name: 'Anna' }] } } });
});

it('hides the output folder while results go next to the originals', async () => {
  await renderForm();
  const folder = page.getByText('/recordings/Converted');
  await expect.element(folder).toBeVisible();
  const location = page.getByRole('radiogroup', { name: t.into });
  (location.getByRole('radio', { name: t.places.folder }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(location.getByRole('radio', { name: t.places.beside })).toBeChecked();
  await expect.element(folder).not.toBeInTheDocument();
});

it('saves a time of the day only if both times are there and differ', async () => {
  const { saved } = await renderForm();
  const from = page.getByLabelText(t.hoursFrom, { exact: true });
  const to = page.getByLabelText(t.hoursTo, { exact: true });
  await userEvent.fill(from, '22:00');
  await userEvent.click(page.getByRole('button', { name: t.save }));
  await expect.element(from).toHaveFocus();
  await expect.element(from).toHaveAccessibleDescription(t.hoursError);
  await userEvent.fill(to, '22:00');
  await expect.element(from).toHaveAttribute('aria-invalid', 'true');
  await userEvent.fill(to, '06:30');
  await expect.element(from).not.toHaveAttribute('aria-invalid', 'true');
  await userEvent.click(page.getByRole('button', { name: t.save }));
  await expect.poll(saved).toHaveLength(1);
  expect(saved()[0]).toMatchObject({ settings: { hours: { from: 1320, to: 390 } } });
});

it('offers voices by subfolder only with subfolders', async () => {
  const { form } = await renderForm();
  const voices = page.getByRole('switch', { name: t.subfolderVoices });
  await expect.element(voices).not.toBeInTheDocument();
  await page.getByRole('radiogroup', { name: t.depth }).getByRole('radio', { name: t.depths.deep }).click();
  await voices.click();
  expect(form.settings.hasSubfolderVoices).toBe(true);
  await page.getByRole('radiogroup', { name: t.depth }).getByRole('radio', { name: t.depths.flat }).click();
  expect(form.settings.hasSubfolderVoices).toBe(false);
});

it('speaks no texts until it is told to, then as the voice does by itself, and keeps what was chosen', async () => {
  const { form, saved } = await renderForm();
  const settings = page.getByRole('group', { name: t.texts });
  await expect.element(settings).not.toBeInTheDocument();
  expect(form.settings.speech).toBeNull();
  const texts = page.getByRole('switch', { name: t.speakTexts });
  await expect.element(texts).toHaveAccessibleDescription(t.speakTextsHint);
  await texts.click();
  const { pitch, speed } = localInfo;
  expect(form.settings.speech).toMatchObject({ language: '', pitch: pitch.default, speed: speed.default });
  await settings.getByRole('radio', { name: 'v1' }).click();
  await texts.click();
  await expect.element(settings).not.toBeInTheDocument();
  expect(form.settings.speech).toBeNull();
  await texts.click();
  await userEvent.click(page.getByRole('button', { name: t.save }));
  await expect.poll(saved).toHaveLength(1);
  expect(saved()[0]).toMatchObject({ settings: { speech: { engine: 'v1', platform: 'web' } } });
});

it('counts texts apart from recordings in its preview, and says that their length is an estimate', async () => {
  const { form } = await renderForm();
  form.speaksTexts = true;
  form.preview = {
    files: [
      { path: 'a.wav', seconds: 60, problem: null },
      { path: 'b.md', seconds: 30, problem: null },
      { path: 'c.txt', seconds: null, problem: { code: 'input/text-empty' } },
    ],
    count: 1,
    texts: 1,
    seconds: 90,
    unmeasured: 0,
    refused: 1,
    ignored: 0,
    links: 0,
  };
  const { preview } = messages.watch;
  const list = page.getByRole('list', { name: preview.list });
  await expect.element(page.getByText('1 recording, 1 text')).toBeVisible();
  await expect.element(page.getByText(preview.aboutMinutes({ seconds: 90 }))).toBeVisible();
  await expect.element(list.getByText(preview.about({ length: messages.format.clockLength(30) }))).toBeVisible();
  await expect.element(list.getByText(/This file holds no text/)).toBeVisible();
});

it('offers to leave the program after each result out only once there is one, and says if it is off', async () => {
  const { form } = await renderForm({ program: '/home/ada/up.sh' });
  const runs = page.getByRole('switch', { name: messages.hook.folder });
  await expect.element(runs).toHaveAttribute('aria-checked', 'true');
  await expect.element(page.getByText(messages.hook.folderOff)).toBeVisible();
  await runs.click();
  expect(form.settings.runsHook).toBe(false);
});
