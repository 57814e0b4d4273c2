import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { startEngine } from '../acceptance/support/start-engine.ts';
import { startFaultProxy, type FaultProxy } from '../faults/start-fault-proxy.ts';
import { chooseFile, expect, openView, test as base, type Timbre } from './app.ts';
import { addService, giveToken } from './service.ts';
import { samples } from './run-command.ts';

const sample = join(samples, 'lantern.mp3');
const token = 'diagnostics-CANARY-7f3a';

interface Service {
  readonly proxy: FaultProxy;
  /** Makes an own voice at the engine behind it. */
  makeModel(name: string): Promise<void>;
}

/** The real engine as a service on the net, which is paid for. */
const test = base.extend<{ service: Service }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  service: async ({}, use, info) => {
    const engine = await startEngine({ dataDirectory: info.outputPath('engine') });
    const proxy = await startFaultProxy({ target: engine.origin, serviceToken: engine.token });
    await use({
      proxy,
      async makeModel(name) {
        const form = new FormData();
        form.set('name', name);
        form.set('audioFile', new Blob([await readFile(sample)]), 'lantern.mp3');
        const headers = { authorization: `Bearer ${engine.token}` };
        const made = await fetch(`${engine.origin}/local/models`, { method: 'POST', headers, body: form });
        if (!made.ok) throw new Error(`no model: ${made.status}`);
      },
    });
    await proxy.stop();
    await engine.stop();
  },
});

test.use({ isShared: true });

const reply = (page: Page): Locator => page.getByRole('region', { name: 'Reply' });
const sendButton = (page: Page): Locator => page.getByRole('button', { name: 'Send', exact: true });
const openDiagnostics = async ({ page }: Timbre) => {
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await openView(page, 'Diagnostics');
};
const choose = (page: Page, operation: string): Promise<void> =>
  page.getByRole('tab', { name: operation, exact: true }).click();
const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(text);
};

/** Adds the service from its document with a token, and selects it in Diagnostics. */
async function useService(timbre: Timbre, { proxy }: Service): Promise<void> {
  const { page } = timbre;
  await addService(timbre, proxy);
  await giveToken(page, token);
  await openView(page, 'Diagnostics');
  await page.getByRole('combobox', { name: 'Connection' }).selectOption('Studio');
}

test('all operations run in their order and answer as the interface specifies', async ({ timbre }) => {
  const { page, folder } = timbre;
  const recording = join(folder, 'lantern "take 7".mp3');
  await copyFile(sample, recording);
  await openDiagnostics(timbre);
  const answered = async (status: number, ...texts: readonly (string | RegExp)[]) => {
    await expect(reply(page).getByRole('status')).toContainText(new RegExp(`^${status}`));
    for (const text of texts) await expect(reply(page)).toContainText(text);
    await expect(reply(page)).toContainText('hidden, new at each start');
  };

  await choose(page, 'POST Create task');
  await fill(page, { voice: 'low-bronze' });
  await sendButton(page).click();
  await answered(200, '"taskId": "', 'operation": "FVC"', '/api/createaudiofilechanger');

  await choose(page, 'POST Upload audio');
  await expect(page.getByLabel('uuid', { exact: true })).not.toHaveValue('');
  await expect(page.getByLabel('Changer-Type', { exact: true })).toHaveValue('FVC');
  await chooseFile(timbre, recording);
  await page.getByRole('button', { name: /Choose a recording/ }).click();
  await expect(page.locator('.selected-file')).toContainText('take 7');
  await sendButton(page).click();
  await answered(200, 'name="audioFile"; filename="lantern %22take 7%22.mp3"', '"uuid": "');

  await choose(page, 'POST Convert');
  await fill(page, { pitch: '1,5', outputFormat: '.mp3' });
  await page.getByLabel('auto_f0_adjust').check();
  await expect(page.getByText('On this computer, free')).toBeVisible();
  await sendButton(page).click();
  await answered(200, '"status": "success"', '"audioUrl": "', '"pitch": 1.5', '"auto_f0_adjust": true');

  await choose(page, 'POST Text to speech');
  await fill(page, { speech: 'The ferry had left.', voice: 'low-bronze', Speed: '0.92' });
  await page.getByRole('combobox', { name: 'platform' }).selectOption('mac');
  await sendButton(page).click();
  await answered(200, '"message": "', '"Speed": "0.92"', '"AppId": "107"', '"platform": "mac"');

  await choose(page, 'GET Voices');
  await page.getByRole('combobox', { name: 'gender' }).selectOption('male');
  await fill(page, { limit: '2' });
  await sendButton(page).click();
  await answered(200, '"limit": 2', '/api/pagevoices?version=v2&gender=male&page=0&limit=2');

  await choose(page, 'GET Voice detail');
  await fill(page, { voiceId: 'low-bronze' });
  await sendButton(page).click();
  await answered(200, '"supportedFormats": [', '"voiceId": "low-bronze"');

  await choose(page, 'GET Models');
  await sendButton(page).click();
  await answered(200, '"pagination": {', '"currentPage": 1');

  await choose(page, 'DELETE Delete model');
  await fill(page, { name: 'No such voice' });
  await sendButton(page).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answered(404, '"error": "Invalid model name."', 'Message from the service: “Invalid model name.');

  await choose(page, 'POST Sample plant');
  await fill(page, { id: '9223372036854775807', name: 'Fern', tag: 'green' });
  await sendButton(page).click();
  await answered(200, '"id": 9223372036854775807', '"tag": "green"');
});

test('a model is deleted only after a second confirmation', async ({ timbre, service }) => {
  const { page } = timbre;
  const deletions = () => service.proxy.calls.filter(({ method }) => method === 'DELETE').length;
  await service.makeModel('My voice');
  await useService(timbre, service);
  await choose(page, 'DELETE Delete model');
  await fill(page, { name: 'My voice' });
  // Enter asks, and Enter again is the safe answer.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Delete “My voice” at Studio?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(deletions()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(reply(page)).toContainText('"modelName": "My voice"');
  expect(deletions()).toBe(1);
});

test('a call that may be charged is sent on the second press, and once', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  await choose(page, 'POST Text to speech');
  await fill(page, { speech: 'The ferry had left.', voice: 'low-bronze' });
  await expect(page.getByText('Studio may charge you')).toBeVisible();
  await page.getByLabel('voice', { exact: true }).press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await sendButton(page).dblclick();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(service.proxy.count({ operation: 'speech' })).toBe(0);

  await sendButton(page).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(reply(page).getByRole('status')).toContainText('200');
  expect(service.proxy.count({ operation: 'speech' })).toBe(1);
});

test('a rejected token that the service echoes is nowhere in the page', async ({ timbre, service }) => {
  const { page } = timbre;
  service.proxy.script([
    {
      fault: {
        kind: 'answer',
        status: 401,
        headers: { 'x-echo': `Bearer ${token}`, 'set-cookie': `session=${token}` },
        body: { error: 'Unauthorized.', details: `${token} is ${Buffer.from(token).toString('base64')}` },
      },
    },
  ]);
  await useService(timbre, service);
  await choose(page, 'GET Models');
  await sendButton(page).click();
  await expect(reply(page)).toContainText('The service rejected the token.');
  await expect(reply(page)).toContainText('Message from the service: “Unauthorized. ••• is •••”');
  await expect(reply(page)).toContainText('Bearer •••');
  await expect(reply(page)).toContainText(/hidden, (from the password store|kept until you quit)/);
  expect(service.proxy.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);

  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Studio. The service rejected the token.')).toBeVisible();
  const content = await page.content();
  expect(content).not.toContain('CANARY');
  expect(content).not.toContain(Buffer.from(token).toString('base64').slice(0, 16));
});

test('invalid input is rejected before the call, with what is expected', async ({ timbre, service }) => {
  const { page, folder } = timbre;
  await useService(timbre, service);
  const asked = service.proxy.calls.length;
  const refused = async (operation: string, fields: Readonly<Record<string, string>>, words: string) => {
    await choose(page, operation);
    await fill(page, fields);
    await sendButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(words);
  };
  await refused('GET Voices', { page: '-1' }, 'Enter a whole number of at least 0.');
  await refused('GET Voices', { page: '0', limit: '101' }, 'Enter a whole number from 1 to 100.');
  await refused('GET Models', { page: '0' }, 'Enter a whole number of at least 1.');
  await refused('POST Create task', { voice: '' }, 'Enter the ID of a voice.');
  await refused('POST Upload audio', { uuid: 'x' }, 'Choose a recording first.');
  await refused(
    'POST Sample plant',
    { id: '9223372036854775808', name: 'Fern' },
    'Enter a 64-bit whole number, from -9223372036854775808 to 9223372036854775807.',
  );
  await expect(page.getByLabel('id', { exact: true })).toBeFocused();

  const gone = join(folder, 'gone.mp3');
  await copyFile(sample, gone);
  await chooseFile(timbre, gone);
  await choose(page, 'POST Upload audio');
  await page.getByRole('button', { name: /Choose a recording/ }).click();
  await expect(page.locator('.selected-file')).toContainText('gone');
  await rm(gone);
  await sendButton(page).click();
  await expect(page.getByRole('alert')).toContainText('File moved or deleted.');
  expect(service.proxy.calls.slice(asked).map(({ operation }) => operation)).not.toContain('upload');
  expect(service.proxy.calls.slice(asked).map(({ operation }) => operation)).not.toContain('create-task');
});

test('a call that is not answered can be cancelled, and the next one is sent', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  // The catalogue asks for voices and models by itself, but never for a plant.
  service.proxy.script([{ operation: 'plant', times: 1, fault: { kind: 'stall', at: 'headers' } }]);
  await choose(page, 'POST Sample plant');
  await fill(page, { id: '1', name: 'Fern' });
  await sendButton(page).click();
  await expect(reply(page)).toContainText('Running');
  await reply(page).getByRole('button', { name: 'Stop' }).click();
  await expect(reply(page)).toContainText('The service may have carried out the request anyway.');
  await sendButton(page).click();
  await expect(reply(page)).toContainText('"name": "Fern"');
});

test('health checks appear line by line, and the report is copied without secrets', async ({ timbre }) => {
  const { page, dataFolder } = timbre;
  await openDiagnostics(timbre);
  const checks = page.getByRole('list', { name: 'Health' });
  await expect(checks.getByRole('listitem').filter({ hasText: 'This computer' })).toContainText('responds');
  await expect(checks.getByRole('listitem').filter({ hasText: 'Data folder' })).toContainText('writable');
  await expect(checks.getByRole('listitem').filter({ hasText: 'Watched folders' })).toContainText(
    'finds files at once',
  );
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const shown = await page.getByRole('region', { name: 'Report' }).textContent();
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect(page.getByText('Copied without secrets')).toBeVisible();
  await page.keyboard.press('Escape');
  await choose(page, 'POST Text to speech');
  const text = page.getByLabel('speech', { exact: true });
  await text.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(text).toHaveValue(shown ?? 'nothing shown');
  await expect(text).toHaveValue(/^Timbre \d+\.\d+\.\d+\n.*Node 24/);
  await expect(text).toHaveValue(new RegExp(`data-folder: ok\\. ${dataFolder} is writable\\.`));
});

test('the log shows what happens while it is open, and the report contains it', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  await choose(page, 'Log');
  const entries = page.getByRole('grid', { name: 'Log entries' });
  await expect(entries.getByText(/^Timbre \d+\.\d+\.\d+ started$/)).toBeVisible();
  await service.proxy.stop();
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report).toContainText(/info app: Timbre \d+\.\d+\.\d+ started/);
  await page.keyboard.press('Escape');

  await choose(page, 'Checks');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Studio. Can’t reach the service.')).toBeVisible();
  await choose(page, 'Log');
  await expect(entries.getByText(/^GET http:.*network\/unreachable/).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Severity' }).selectOption('Errors');
  await expect(page.getByText('No entries match')).toBeVisible();
});
