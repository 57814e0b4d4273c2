import type { Page } from 'playwright';
import type { Shot } from './shots.mts';

const open = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(Diagnostics|Diagnose)$/)
    .click();
  await page.getByRole('tablist', { name: /^Operation/ }).waitFor();
};
const choose = async (page: Page, name: string | RegExp) => {
  await open(page);
  await page.getByRole('tab', { name }).click();
};
const send = async (page: Page) => {
  await page.getByRole('button', { name: /^(Send|Senden)$/ }).click();
};
/** Sends an operation and shows what came of it. */
const sent = async (page: Page, name: string | RegExp, fields: Readonly<Record<string, string>> = {}) => {
  await choose(page, name);
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await send(page);
};
const openLog = async (page: Page) => {
  await open(page);
  await page.getByRole('tab', { name: /^(Log|Protokoll)/ }).click();
  await page.getByRole('tabpanel', { name: /^(Log|Protokoll)/ }).waitFor();
};
const settle = (page: Page) => page.locator('.exchange .content').waitFor();

/** Every state of Diagnostics. */
export const diagnosticsShots: readonly Shot[] = [
  { name: 'diagnostics', scene: 'diagnostics', isView: true, act: (page) => choose(page, /Text to speech/) },
  {
    name: 'diagnostics-contrast',
    repeats: true,
    scene: 'diagnostics-contrast',
    act: (page) => choose(page, /Convert/),
  },
  {
    name: 'diagnostics-german',
    repeats: true,
    scene: 'diagnostics-german',
    act: (page) => choose(page, /Konvertieren/),
  },
  { name: 'diagnostics-local', repeats: true, scene: 'diagnostics-local', act: (page) => choose(page, /Convert/) },
  { name: 'diagnostics-looking', repeats: true, scene: 'diagnostics-looking', act: open },
  { name: 'diagnostics-wrong', scene: 'diagnostics-wrong', act: open },
  { name: 'diagnostics-wrong-german', repeats: true, scene: 'diagnostics-wrong-german', act: open },
  { name: 'diagnostics-log', scene: 'diagnostics', isView: true, act: openLog },
  { name: 'diagnostics-log-german', repeats: true, scene: 'diagnostics-german', act: openLog },
  { name: 'diagnostics-log-empty', scene: 'diagnostics-log-empty', act: openLog },
  {
    name: 'diagnostics-log-detail',
    scene: 'diagnostics',
    act: async (page) => {
      await openLog(page);
      await page.getByRole('button', { name: 'Show details' }).last().click();
      await page.getByRole('grid').hover();
      await page.mouse.wheel(0, -60);
      await page.getByRole('button', { name: 'Go to newest' }).waitFor();
    },
  },
  {
    name: 'diagnostics-log-no-match',
    scene: 'diagnostics',
    act: async (page) => {
      await openLog(page);
      await page.getByRole('textbox', { name: 'Search the log' }).fill('nothing like this');
      await page.getByText('No entries match').waitFor();
    },
  },
  { name: 'diagnostics-broken', repeats: true, scene: 'diagnostics-broken', act: open },
  {
    name: 'diagnostics-reply',
    scene: 'diagnostics',
    isView: true,
    act: (page) => sent(page, /Create task/).then(() => settle(page)),
  },
  {
    name: 'diagnostics-fed',
    repeats: true,
    scene: 'diagnostics',
    act: async (page) => {
      await sent(page, /Create task/);
      await page.locator('.exchange .content').waitFor();
      await page.getByRole('tab', { name: /Upload audio/ }).click();
      await page.getByRole('button', { name: /Choose a recording/ }).click();
    },
  },
  {
    name: 'diagnostics-paid',
    scene: 'diagnostics',
    act: (page) => sent(page, /Text to speech/, { speech: 'The ferry had left.' }),
  },
  {
    name: 'diagnostics-audio',
    scene: 'diagnostics',
    act: async (page) => {
      await sent(page, /Text to speech/, { speech: 'The ferry had left.' });
      await page.getByRole('button', { name: 'Send request' }).click();
      await settle(page);
    },
  },
  {
    name: 'diagnostics-cut',
    repeats: true,
    scene: 'diagnostics',
    act: (page) => sent(page, /Voices/).then(() => settle(page)),
  },
  {
    name: 'diagnostics-error',
    repeats: true,
    scene: 'diagnostics',
    act: (page) => sent(page, /Voice detail/, { voiceId: 'nobody' }).then(() => settle(page)),
  },
  {
    name: 'diagnostics-html',
    repeats: true,
    scene: 'diagnostics',
    act: (page) => sent(page, /Models/).then(() => settle(page)),
  },
  {
    name: 'diagnostics-plant',
    repeats: true,
    scene: 'diagnostics-german',
    act: (page) => sent(page, /Beispielpflanze/, { name: 'Farn', tag: 'grün' }).then(() => settle(page)),
  },
  {
    name: 'diagnostics-delete',
    scene: 'diagnostics',
    act: (page) => sent(page, /Delete model/, { name: 'My voice' }),
  },
  {
    name: 'diagnostics-unreachable',
    scene: 'diagnostics',
    act: async (page) => {
      await sent(page, /Delete model/, { name: 'My voice' });
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await settle(page);
    },
  },
  { name: 'diagnostics-refused', scene: 'diagnostics', act: (page) => sent(page, /Voices/, { page: '-1' }) },
  {
    name: 'diagnostics-refused-plant',
    repeats: true,
    scene: 'diagnostics-german',
    act: (page) => sent(page, /Beispielpflanze/, { id: '9223372036854775808', name: 'Farn' }),
  },
  { name: 'diagnostics-busy', repeats: true, scene: 'diagnostics-busy', act: (page) => sent(page, /Models/) },
  {
    name: 'diagnostics-stopped',
    repeats: true,
    scene: 'diagnostics-stopped',
    act: (page) => sent(page, /Models/).then(() => settle(page)),
  },
  {
    name: 'diagnostics-names',
    repeats: true,
    scene: 'diagnostics-names',
    act: (page) => choose(page, /Text to speech/),
  },
];
