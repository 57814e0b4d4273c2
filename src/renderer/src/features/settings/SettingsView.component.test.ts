import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { AppError } from '../../../../shared/errors.ts';
import { defaultSettings } from '../../../../shared/schemas/settings.ts';
import type { Api } from '../../lib/api.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { HookState } from '../jobs/hook.svelte.ts';
import { AboutState } from './about.svelte.ts';
import { CopiesState } from './copies.svelte.ts';
import { DesktopState } from './desktop.svelte.ts';
import { FfmpegState } from './ffmpeg.svelte.ts';
import { SettingsState } from './settings.svelte.ts';
import SettingsView from './SettingsView.svelte';
import { TakesState } from './takes.svelte.ts';
import { UpdatesState } from './updates.svelte.ts';

const nothing = () => undefined;
const never = () => new Promise<never>(nothing);
const heading = (name: string) => page.getByRole('heading', { name });

function open(change: (api: Api) => Partial<Api> = () => ({})) {
  const fake = createFakeApi().api;
  const api = { ...fake, ...change(fake) };
  return renderInApp(SettingsView, {
    settings: new SettingsState(api.settings),
    desktop: new DesktopState(api.app),
    copies: new CopiesState(api.copies),
    takes: new TakesState(api.speech),
    hook: new HookState(api.hook),
    ffmpeg: new FfmpegState(api.ffmpeg, nothing),
    about: new AboutState(api.app),
    updates: new UpdatesState(api.updates, localStorage),
    value: defaultSettings,
    voice: undefined,
    connectionLabel: '',
    portableFolder: null,
    onfolder: nothing,
    connections: new Connections(api.connections, nothing),
    selected: undefined,
    connectionUsers: () => ({ folders: [], presets: [] }),
    onconnection: nothing,
    onshortcuts: nothing,
    onpronunciations: nothing,
    onzoom: nothing,
  });
}

it('is shown once its forms know what they show', async () => {
  const taken = Promise.withResolvers<{ takes: number; bytes: number }>();
  await open(({ speech }) => ({ speech: { ...speech, takeUsage: () => taken.promise } }));
  expect(heading(messages.settings.appearance).elements()).toEqual([]);
  taken.resolve({ takes: 12, bytes: 3e6 });
  await expect.element(heading(messages.settings.appearance)).toBeVisible();
});

it('is shown although a form learns nothing, or fails', async () => {
  await open(({ speech, copies }) => ({
    speech: { ...speech, takeUsage: never },
    copies: { ...copies, status: () => Promise.reject(new AppError('data/not-writable', 'no disk')) },
  }));
  await expect.element(page.getByRole('status').filter({ hasText: messages.app.loading })).toBeVisible();
  await expect.element(heading(messages.settings.appearance)).toBeVisible();
  const { title } = messages.problems['data/not-writable'];
  await expect.element(page.getByRole('alert').filter({ hasText: title })).toBeInTheDocument();
});
