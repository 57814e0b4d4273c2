import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Speaker } from '../../../../shared/schemas/speech.ts';
import { defaultSettings } from '../../../../shared/schemas/settings.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { localInfo } from '../connections/connections.fixture.ts';
import { createSilentPlayer } from '../voices/preview-player.fixture.ts';
import { Voices } from '../voices/voices.svelte.ts';
import SpeakersForm from './SpeakersForm.svelte';

const t = messages.speech.speakers;
const play = 'Anna: Hello.\nBen: Oh.\nAnna: Yes.\nBen: No.\n\nNote: once.';
const onchange = vi.fn<(speakers: readonly Speaker[]) => void>();
let voices: Voices;

beforeEach(async () => {
  onchange.mockClear();
  voices = new Voices(createFakeApi().api);
  await voices.load('local');
});

async function renderForm(speakers: readonly Speaker[] = [], text = play) {
  await renderInApp(SpeakersForm, {
    text,
    speech: { ...defaultSettings.speech, speakers },
    connection: localInfo,
    voices,
    previews: createSilentPlayer().previews,
    onchange,
  });
}
const anna = (): Speaker => ({ name: 'Anna', voiceId: voices.all[0]?.id ?? '', voiceName: voices.all[0]?.name ?? '' });
const chosen = () => onchange.mock.lastCall?.[0];
const button = (name: string) => page.getByRole('button', { name, exact: true });

it('offers a voice to each name that begins two lines, and to no other', async () => {
  await renderForm();
  await button(t.voiceOf({ name: 'Ben', voice: t.choose })).click();
  await expect.element(page.getByRole('combobox', { name: t.findFor({ name: 'Ben' }) })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(chosen()).toMatchObject([{ name: 'Ben', voiceId: voices.all[0]?.id }]);
  await expect.element(button(t.voiceOf({ name: 'Anna', voice: t.choose }))).toBeVisible();
  await expect.element(button(t.voiceOf({ name: 'Note', voice: t.choose }))).not.toBeInTheDocument();
});

it('gives a name that is written once a voice, and rejects what no line can begin with', async () => {
  await renderForm();
  const field = page.getByRole('textbox', { name: t.name });
  await field.fill('No: te');
  await button(t.add).click();
  await expect.element(field).toHaveAccessibleDescription(t.badName);
  expect(onchange).not.toHaveBeenCalled();
  await field.fill(' Note ');
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.poll(chosen).toMatchObject([{ name: 'Note' }]);
});

it('changes pitch and speed of a speaker alone, and takes them back', async () => {
  await renderForm([{ ...anna(), speed: 0.8 }]);
  await button(t.adjust({ name: 'Anna' })).click();
  await page.getByRole('slider', { name: messages.settings.pitch }).fill('2');
  expect(chosen()?.[0]).toMatchObject({ name: 'Anna', speed: 0.8 });
  expect(chosen()?.[0]?.pitch).toBeGreaterThan(1);
  await button(t.asText).click();
  expect(chosen()).toEqual([anna()]);
});

it('keeps the speakers of other texts out of the way, and removes one', async () => {
  await renderForm([anna(), { ...anna(), name: 'Clara' }]);
  await expect.element(button(t.remove({ name: 'Clara' }))).not.toBeInTheDocument();
  await page.getByText(t.unused({ n: 1 })).click();
  await button(t.remove({ name: 'Clara' })).click();
  expect(chosen()).toEqual([anna()]);
});

it('says which voice is not offered any more', async () => {
  await renderForm([{ name: 'Anna', voiceId: 'gone', voiceName: 'High glass' }]);
  await expect.element(page.getByRole('alert').filter({ hasText: t.missing({ voice: 'High glass' }) })).toBeVisible();
});

it('offers the most similar voice in place of one that is not offered any more', async () => {
  const [, namesake] = voices.all;
  await renderForm([{ name: 'Anna', voiceId: 'gone', voiceName: namesake?.name ?? '', pitch: 1.2 }]);
  await button(messages.voice.useSimilar({ name: namesake?.name ?? '' })).click();
  expect(chosen()).toEqual([{ name: 'Anna', voiceId: namesake?.id, voiceName: namesake?.name, pitch: 1.2 }]);
});
