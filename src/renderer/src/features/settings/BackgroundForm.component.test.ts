import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DesktopInfo, PowerSource } from '../../../../shared/schemas/app.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import BackgroundForm from './BackgroundForm.svelte';
import { DesktopState } from './desktop.svelte.ts';

const t = messages.background.settings;
const battery = page.getByRole('switch', { name: t.battery });

async function open(powerSource: PowerSource, isPausedOnBattery: boolean) {
  const info: DesktopInfo = { place: 'tray', loginItem: 'off', powerSource, terminalCommand: null };
  const answer = () => Promise.resolve(info);
  const desktop = new DesktopState({ desktop: answer, setLoginItem: answer, setTerminalCommand: answer });
  await desktop.load();
  const value = { closeAction: 'ask', isPausedOnBattery } as const;
  await renderInApp(BackgroundForm, { desktop, value, onchange: () => undefined });
}

it('does not let work be paused on battery power where that cannot be known, and says why', async () => {
  await open('unknown', false);
  await expect.element(page.getByText(t.batteryUnknown)).toBeVisible();
  await expect.element(battery).toBeDisabled();
});

it('lets a pause on battery power that does not work be turned off, and others be chosen', async () => {
  await open('unknown', true);
  await expect.element(page.getByText(t.batteryUnknown)).toBeVisible();
  await expect.element(battery).toBeEnabled();
});

it('lets work be paused on battery power while the computer is plugged in', async () => {
  await open('mains', false);
  await expect.element(page.getByText(t.batteryHint)).toBeVisible();
  await expect.element(battery).toBeEnabled();
});
