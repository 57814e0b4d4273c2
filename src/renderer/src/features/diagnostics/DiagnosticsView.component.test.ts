import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { loadMessages } from '../../../../shared/messages/index.ts';
import type { HealthReport } from '../../../../shared/schemas/diagnostics.ts';
import type { LogPage } from '../../../../shared/schemas/log.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { ApiConsole } from './api-console.svelte.ts';
import DiagnosticsView from './DiagnosticsView.svelte';
import { HealthChecks } from './health.svelte.ts';
import { LogTail } from './log-tail.svelte.ts';

const failed: HealthReport['checks'] = [
  { subject: 'data-disk', result: { ok: false, finding: { kind: 'full', folder: '/d', bytes: 1 } } },
];

async function renderView(checks: HealthReport['checks']) {
  const row = { id: 'a:0', time: '2026-11-22T14:03:11.204Z', level: 'info', area: 'app', message: 'Started.' } as const;
  const { api } = createFakeApi();
  const diagnostics = {
    ...api.diagnostics,
    runChecks: () => Promise.resolve({ at: 1, version: '1', system: 'Linux', checks }),
    readLog: (): Promise<LogPage> => Promise.resolve({ rows: [row], start: null, end: '1' }),
  };
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: () => Promise.resolve() },
  });
  return renderInApp(DiagnosticsView, {
    healthChecks: new HealthChecks(diagnostics),
    apiConsole: new ApiConsole(diagnostics),
    log: new LogTail(diagnostics),
    connections: new Connections(api.connections, () => undefined),
    connectionId: 'local',
    voice: undefined,
  });
}

it.each([
  { name: 'passed', checks: [] },
  { name: 'failed', checks: failed },
])('says when the checks were made that $name', async ({ checks }) => {
  await renderView(checks);
  await expect.element(page.getByText(/as of .*1970/)).toBeVisible();
});

it('a report and a notice that are shown follow the language', async () => {
  const view = await renderView(failed);
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('button', { name: 'Copy list' }).click();
  await expect.element(page.getByText('1 entry copied')).toBeVisible();
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const textOf = (name: string) => expect.poll(() => page.getByRole('region', { name }).element().textContent);
  await textOf('Report').toContain('problem');
  await view.rerender({ props: { messages: await loadMessages('de') } });
  await textOf('Bericht').toContain('Problem');
  await expect.element(page.getByText('1 Eintrag kopiert')).toBeInTheDocument();
});
