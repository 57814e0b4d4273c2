import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { localInfo } from '../connections/connections.fixture.ts';
import { Jobs } from '../jobs/jobs.svelte.ts';
import { Voices } from '../voices/voices.svelte.ts';
import { Models } from './models.svelte.ts';
import ModelsView from './ModelsView.svelte';

const t = messages.models;
const resize = (width: number) => page.viewport(width, 700);
const [narrow, wide] = [900, 1200];

afterEach(() => resize(1000));

it('keeps what was typed to confirm a deletion while the window becomes narrow and wide again', async () => {
  await resize(wide);
  const { api } = createFakeApi({
    voiceService: {
      models: [
        { id: 'm', name: 'Anna', voiceId: 'v', languageCode: 'en-GB', gender: 'female', creationDate: '2026-11-20' },
      ],
    },
  });
  await renderInApp(ModelsView, {
    models: new Models(api.models, () => Promise.resolve()),
    voices: new Voices(api),
    jobs: new Jobs(api, createInternalDrag(), () => undefined),
    connection: localInfo,
    usedId: '',
    foldersWith: () => [],
    onuse: () => undefined,
  });
  await page.getByRole('button', { name: t.delete }).first().click();
  const field = page.getByRole('textbox', { name: t.typeName });
  await field.fill('Ann');
  for (const width of [narrow, wide]) {
    await resize(width);
    await expect.element(field).toHaveValue('Ann');
  }
  await resize(narrow);
  await page.getByRole('button', { name: messages.app.close }).click();
  await expect.element(field).not.toBeInTheDocument();
});
