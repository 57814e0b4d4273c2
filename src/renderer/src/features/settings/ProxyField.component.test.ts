import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import ProxyField from './ProxyField.svelte';

const t = messages.settings;
const onchange = vi.fn<(proxy: string) => void>();
const ways = page.getByRole('combobox', { name: t.proxy });
const address = page.getByRole('textbox', { name: t.proxyAddress });

beforeEach(async () => {
  onchange.mockClear();
  await renderInApp(ProxyField, { proxy: '', onchange });
});

it('shows the address only if one is used, and saves nothing before it is valid', async () => {
  await expect.element(address).not.toBeInTheDocument();
  await ways.selectOptions(t.proxies.address);
  await address.fill('htp:/proxy');
  await expect.element(page.getByText(t.proxyError)).toBeVisible();
  await userEvent.tab();
  expect(onchange).not.toHaveBeenCalled();
});

it('saves an address once, when the user leaves the field', async () => {
  await ways.selectOptions(t.proxies.address);
  await address.fill('http://proxy.example:8080');
  expect(onchange).not.toHaveBeenCalled();
  await userEvent.tab();
  expect(onchange.mock.calls).toEqual([['http://proxy.example:8080']]);
});

it('saves a direct connection immediately', async () => {
  await ways.selectOptions(t.proxies.direct);
  expect(onchange.mock.calls).toEqual([['direct']]);
});
