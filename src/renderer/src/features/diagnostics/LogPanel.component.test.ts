import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type LogPage, type LogQuery, type LogRow, logText, matchesLog } from '../../../../shared/schemas/log.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { LogTail } from './log-tail.svelte.ts';
import LogPanel from './LogPanel.svelte';

const t = messages.diagnostics.log;
const pageSize = 200;

async function renderLog(count: number, delayMs = 200) {
  const entries: LogRow[] = [];
  const write = (level: LogRow['level'] = 'info', detail?: string) => {
    const k = entries.length;
    const time = new Date(Date.UTC(2026, 10, 22) + k).toISOString();
    entries.push({ id: String(k), time, level, area: 'app', message: `Entry ${k}.`, ...(detail && { detail }) });
  };
  for (let k = 0; k < count; k += 1) write();
  // Cursors are the numbers of entries.
  const readLog = (query: LogQuery): Promise<LogPage> => {
    const cursor = query.cursor === null ? entries.length : Number(query.cursor);
    const isOlder = query.direction === 'older';
    const [from, to] = isOlder ? [Math.max(0, cursor - pageSize), cursor] : [cursor, entries.length];
    const rows = entries.slice(from, to).filter((row) => matchesLog(row, query));
    return Promise.resolve({ rows, start: from > 0 ? String(from) : null, end: String(to) });
  };
  const revealed: number[] = [];
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(copied.push(text)) },
  });
  const log = new LogTail({ readLog, revealLog: () => Promise.resolve(void revealed.push(1)) }, { delayMs });
  const { container } = await renderInApp(LogPanel, { id: 'log', log });
  const entry = (k: number) => page.getByText(`Entry ${k}.`, { exact: true });
  return {
    log,
    write,
    entries,
    copied,
    revealed,
    entry,
    scroller: () => container.querySelector('.virtual-list') as HTMLElement,
    isInView: (k: number) => expect.element(entry(k)).toBeInViewport(),
  };
}

it('shows new entries while it is at the end', async () => {
  const { write, isInView } = await renderLog(500);
  await isInView(499);
  for (let k = 0; k < 30; k += 1) write();
  await isInView(529);
});

it('stops following once it is scrolled up, keeps its rows in place, and goes back to the newest', async () => {
  const { log, scroller, write, entry, isInView } = await renderLog(1000);
  await isInView(999);
  // The first page begins with entry 800; the one before it is read meanwhile.
  await expect
    .poll(() => {
      // Until the rows are measured, the list scrolls to its end.
      if (log.isFollowing) scroller().scrollTop = 0;
      return log.isFollowing;
    })
    .toBe(false);
  await expect.poll(() => log.rows.length).toBeGreaterThan(pageSize);
  await isInView(800);
  const { top } = entry(800).element().getBoundingClientRect();
  write();
  await log.readNewer();
  await log.readOlder();
  await expect.poll(() => log.rows.length).toBeGreaterThan(2 * pageSize);
  expect(entry(800).element().getBoundingClientRect().top).toBe(top);
  await userEvent.click(page.getByRole('button', { name: t.newest }));
  await isInView(1000);
  write();
  await isInView(1001);
});

it('filters by level and by text, and offers to show everything again', async () => {
  const { write, isInView, entry } = await renderLog(20);
  write('error');
  await userEvent.selectOptions(page.getByRole('combobox', { name: t.level }), t.atLeast.error);
  await isInView(20);
  await expect.element(entry(19)).not.toBeInTheDocument();
  await userEvent.fill(page.getByRole('textbox', { name: t.search }), 'nothing like it');
  await expect.element(page.getByText(t.noMatch)).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: t.showAll }));
  await isInView(19);
});

it('copies the selected entry by key and all listed ones by button, with their details', async () => {
  const { write, entries, copied, isInView } = await renderLog(2);
  write('error', 'at parse\nat run');
  await isInView(2);
  const row = page.getByRole('row').nth(2);
  (row.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/at run/)).toBeVisible();
  await userEvent.keyboard('{Control>}c{/Control}');
  await expect.poll(() => copied).toEqual([`${logText(entries[2] as LogRow)}\n`]);
  await userEvent.click(page.getByRole('button', { name: t.copyList }));
  await expect.poll(() => copied[1]).toBe(`${entries.map(logText).join('\n')}\n`);
  await expect.element(page.getByText(t.copied({ n: 3 }))).toBeVisible();
});

it('copies only what the filter selects, also while its entries are not read yet', async () => {
  const { copied, entries, isInView } = await renderLog(20, 60_000);
  await isInView(19);
  await userEvent.fill(page.getByRole('textbox', { name: t.search }), 'entry 1');
  await userEvent.click(page.getByRole('button', { name: t.copyList }));
  const selected = entries.filter(({ message }) => message.startsWith('Entry 1'));
  await expect.poll(() => copied).toEqual([`${selected.map(logText).join('\n')}\n`]);
});

it('says that the log is empty, and opens its folder', async () => {
  const { revealed } = await renderLog(0);
  await expect.element(page.getByText(t.empty)).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: t.openFolder }));
  expect(revealed).toEqual([1]);
});
