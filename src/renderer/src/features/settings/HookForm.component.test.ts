import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type HookSettings, type HookStatus, hookSeconds } from '../../../../shared/schemas/hook.ts';
import { argumentLimits } from '../../../../shared/text/hook-arguments.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { HookState } from '../jobs/hook.svelte.ts';
import HookForm from './HookForm.svelte';

const t = messages.hook;
const args = page.getByRole('textbox', { name: t.args });
const time = page.getByRole('textbox', { name: t.timeout });
const on = page.getByRole('switch', { name: t.run });

async function open(value: Partial<HookSettings> = {}, status: Partial<HookStatus> = {}) {
  const { api, bridge } = createFakeApi({ hook: { waiting: 0, failed: 0, failures: [], last: null, ...status } });
  const hook = new HookState(api.hook);
  const settings = { isOn: false, program: '/bin/upload.sh', args: ['{result}'], timeoutSeconds: 60, ...value };
  await hook.load();
  await renderInApp(HookForm, {
    hook,
    value: settings,
    voice: { name: 'Low bronze', language: 'en' },
    connection: 'Studio',
  });
  return {
    hook,
    updates: () => bridge.calls.filter(([channel]) => channel === 'hook:update').map(([, input]) => input),
  };
}

it('cannot be turned on, tried or given arguments before a program is chosen', async () => {
  await open({ program: null });
  await expect.element(on).toBeDisabled();
  await expect.element(page.getByRole('button', { name: t.choose })).toBeVisible();
  await expect.element(args).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: t.test })).not.toBeInTheDocument();
});

it('shows what the program would get, and asks about new arguments only when told to use them', async () => {
  const { updates } = await open();
  await args.fill('--to\n{voice}, {name}\n\n{nonsense}');
  await expect
    .poll(() => document.querySelector('.example pre')?.textContent)
    .toBe('upload.sh\n--to\nLow bronze, harbour\n{nonsense}');
  expect(updates()).toEqual([]);
  await expect.element(page.getByRole('button', { name: t.test })).toBeDisabled();
  await page.getByRole('button', { name: t.save }).click();
  await expect
    .poll(updates)
    .toEqual([{ isOn: false, args: ['--to', '{voice}, {name}', '{nonsense}'], timeoutSeconds: 60 }]);
});

it.each([
  ['a tab, as from a table', 'a\tb'],
  ['too many', 'x\n'.repeat(argumentLimits.count + 1)],
  ['one that is too long for the dialog', 'x'.repeat(argumentLimits.length + 1)],
])('says which arguments it takes instead of asking about %s', async (_, text) => {
  const { updates } = await open();
  await args.fill(text);
  await expect
    .element(
      page
        .getByRole('alert')
        .filter({ hasText: t.argsError({ count: argumentLimits.count, length: argumentLimits.length }) }),
    )
    .toBeVisible();
  await expect.element(page.getByRole('button', { name: t.save })).toBeDisabled();
  await page.getByRole('button', { name: t.undo }).click();
  await expect.element(args).toHaveValue('{result}');
  expect(updates()).toEqual([]);
});

it('inserts a field where the caret is, and discards what was not used', async () => {
  const { updates } = await open();
  await args.fill('a\nb');
  (args.element() as HTMLTextAreaElement).setSelectionRange(1, 1);
  await page.getByRole('button', { name: messages.settings.insert({ field: '{source}' }) }).click();
  await expect.element(args).toHaveValue('a{source}\nb');
  await page.getByRole('button', { name: t.undo }).click();
  await expect.element(args).toHaveValue('{result}');
  expect(updates()).toEqual([]);
});

it.each(['', '0', '3601', '1.5', 'x'])(
  'says which time limits are allowed for "%s", and saves nothing',
  async (text) => {
    const { updates } = await open();
    await time.fill(text);
    await userEvent.tab();
    await expect.element(page.getByText(t.timeoutError({ min: hookSeconds.min, max: hookSeconds.max }))).toBeVisible();
    expect(updates()).toEqual([]);
  },
);

it('says why the last run failed and what it wrote, and repeats what failed only while it is on', async () => {
  const last = {
    ...{ name: 'a.wav', isTest: false, endedAt: 0, seconds: 2, exitCode: 7, output: 'no route' },
    problem: { code: 'hook/failed', facts: { name: 'upload.sh', exitCode: 7 } },
  } as const;
  await open({}, { failed: 2, last });
  await expect.element(page.getByText(/upload\.sh failed \(exit code 7\)/)).toBeVisible();
  await expect.element(page.getByRole('region', { name: t.output })).toHaveTextContent('no route');
  await expect.element(page.getByRole('button', { name: t.repeat({ n: 2 }) })).toBeDisabled();
});

it('shows a try that succeeded, with its exit code', async () => {
  await open();
  await page.getByRole('button', { name: t.test }).click();
  await expect.element(page.getByText(t.succeeded({ name: t.sample, n: 0.2 }))).toBeVisible();
});
