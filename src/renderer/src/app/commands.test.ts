import { describe, expect, test } from 'vitest';
import { jobOf } from '../features/jobs/job.fixture.ts';
import { windowShortcuts } from '../lib/shortcut-table.ts';
import { openAppState } from './app-state.fixture.ts';
import { findCommands, listCommands, listMenuCommands } from './commands.ts';

/** Shortcuts of a focused row or panel, and of positions in a recording, are no commands. */
const uncommanded = new Set<string>(
  'palette panels panelsBack findToo favourite compare back forward backFine forwardFine'.split(' '),
);

async function open(change: Readonly<Record<string, unknown>> = {}) {
  const opened = openAppState({ 'app:info': { version: '1', platform: 'linux', languages: ['en'] }, ...change });
  await opened.app.start();
  return opened;
}
const idsOf = (app: Parameters<typeof listCommands>[0]) => listCommands(app).map(({ id }) => id);

describe('the commands', () => {
  test('are only those that can be run now', async () => {
    const conditional = ['pause', 'retry', 'clear', 'undo-adding', 'listen', 'loop'];
    const empty = await open();
    expect(idsOf(empty.app).filter((id) => conditional.includes(id))).toEqual([]);

    const jobs = [jobOf('a'), jobOf('b', { state: 'failed' }), jobOf('c', { state: 'done', resultMedia: 'r' })];
    const { app } = await open({
      'jobs:list': { jobs, next: null },
      'jobs:add': { added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: 1, createdIds: ['a'] },
    });
    await app.adding.addFiles([new File([], 'a.wav')]);
    await app.player.listen(jobs[2] ?? jobOf('c'));
    expect(
      idsOf(app)
        .filter((id) => conditional.includes(id))
        .sort(),
    ).toEqual([...conditional].sort());
  });

  test('include every shortcut of the window that needs no focused row, with its keys', async () => {
    const jobs = [jobOf('a'), jobOf('c', { state: 'done', resultMedia: 'r' })];
    const { app } = await open({
      'jobs:list': { jobs, next: null },
      'jobs:add': { added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: 1, createdIds: ['a'] },
    });
    await app.adding.addFiles([new File([], 'a.wav')]);
    await app.player.listen(jobs[1] ?? jobOf('c'));
    const shown = new Set(listCommands(app).map(({ keys }) => keys.join(' ')));
    const missing = windowShortcuts.filter(
      ({ id }) => !uncommanded.has(id) && !shown.has(app.keyBindings.keysOf(id).join(' ')),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('have unique ids and labels, and no single-letter keys while those are turned off', async () => {
    const { app } = await open();
    app.keyBindings.hasLetterKeys = false;
    const commands = listCommands(app);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(new Set(commands.map(({ label }) => label)).size).toBe(commands.length);
    expect(commands.find(({ id }) => id === 'voice')?.keys).toEqual([]);
  });

  test('change what they say', async () => {
    const { app, inputs } = await open();
    const run = (id: string) =>
      listCommands(app)
        .find((command) => command.id === id)
        ?.run();
    run('view-history');
    expect(app.shell.view).toBe('history');
    run('statistics');
    expect(app.history.statistics.isOpen).toBe(true);
    run('settings-copies');
    expect([app.shell.view, app.shell.settingsPlace?.part]).toEqual(['settings', 'copies']);
    run('theme-dark');
    await app.flush();
    expect(inputs['settings:update']).toMatchObject({ theme: 'dark' });
    run('keys');
    expect(app.shell.isShortcutsOpen).toBe(true);
  });
});

test('every section of Settings is found by its title', async () => {
  const { app } = await open();
  const { settings, background } = app.i18n.t;
  for (const title of [settings.language, settings.proxy, background.settings.title]) {
    expect(findCommands(listCommands(app), title).map(({ label }) => label)).toContain(`Settings: ${title}`);
  }
});

describe('the application menu', () => {
  test('has every command once, also those that cannot be run now, under a shorter label', async () => {
    const { app } = await open();
    const menu = listMenuCommands(app);
    const ids = menu.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(app).filter((id) => !ids.includes(id))).toEqual([]);
    const labelOf = (id: string) => menu.find((command) => command.id === id)?.label;
    expect([labelOf('view-history'), labelOf('retry'), labelOf('theme-dark')]).toEqual([
      'History',
      'Retry failed items',
      'Dark',
    ]);
    expect(menu.filter(({ isEnabled }) => !isEnabled).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['pause', 'retry', 'clear', 'undo-adding', 'undo-removing', 'listen']),
    );
  });

  test('shows what is selected, and the keys that the user chose', async () => {
    const { app } = await open();
    const find = (id: string) => listMenuCommands(app).find((command) => command.id === id);
    expect(['theme-system', 'theme-dark', 'view-history'].map((id) => find(id)?.isSelected)).toEqual([
      true,
      false,
      null,
    ]);
    expect(find('find')?.press).toBe('ctrl+f');
    app.keyBindings.changes = { find: 'ctrl+g', keys: null };
    expect([find('find')?.press, find('keys')?.press]).toEqual(['ctrl+g', null]);
  });

  test('leaves the keys that edit text to the editing commands', async () => {
    const { app } = await open();
    expect(app.keyBindings.pressOf('undo')).toBe('ctrl+z');
    expect(listMenuCommands(app).find(({ id }) => id === 'undo-adding')?.press).toBeNull();
  });
});

describe('retrying all', () => {
  const studio = { id: 'studio', name: 'Studio', kind: 'remote', pitch: {}, speed: {} };
  const failed = (count: number, connectionId: string) =>
    Array.from({ length: count }, (_, k) =>
      jobOf(`${connectionId} ${k}`, {
        connectionId,
        connectionName: 'Studio',
        state: 'failed',
        problem: { code: 'network/cut' },
        durationSeconds: k === 0 ? null : 10,
      }),
    );
  async function retryAll(jobs: readonly ReturnType<typeof jobOf>[]) {
    const local = { id: 'local', name: 'This computer', kind: 'local', pitch: {}, speed: {} };
    const { app, inputs } = await open({
      'jobs:list': { jobs, next: null },
      'jobs:retry': undefined,
      'connections:list': [local, studio],
    });
    listCommands(app)
      .find(({ id }) => id === 'retry')
      ?.run();
    const retried = () => (inputs['jobs:retry'] as { readonly ids: readonly string[] } | undefined)?.ids.length;
    return { app, retried };
  }

  test('asks before many go to a service, as adding them does', async () => {
    const { app, retried } = await retryAll([...failed(21, 'studio'), ...failed(1, 'local')]);
    await expect.poll(() => app.adding.question).not.toBeNull();
    const { question } = app.adding;
    expect(question?.preview).toEqual({ recordings: 21, seconds: 200, longestSeconds: 200, unmeasured: 1, tooLong: 0 });
    expect([question?.service, retried()]).toEqual(['Studio', undefined]);
    question?.answer(true);
    await expect.poll(retried).toBe(22);
  });

  test('sends nothing if the user does not want it', async () => {
    const { app, retried } = await retryAll(failed(21, 'studio'));
    await expect.poll(() => app.adding.question).not.toBeNull();
    const again = app.retryAll();
    app.adding.question?.answer(false);
    await expect.poll(() => app.adding.question).not.toBeNull();
    app.adding.question?.answer(false);
    await again;
    expect([retried(), app.adding.question]).toEqual([undefined, null]);
  });

  test.each([
    ['few', () => failed(20, 'studio')],
    ['those that stay on this computer', () => failed(30, 'local')],
  ])('does not ask about %s', async (_which, jobs) => {
    const { app, retried } = await retryAll(jobs());
    await expect.poll(retried).toBe(jobs().length);
    expect(app.adding.question).toBeNull();
  });

  test('leaves out what another try does not mend', async () => {
    const tooLong = failed(2, 'studio').map((job) => ({ ...job, problem: { code: 'input/too-long' as const } }));
    const { retried } = await retryAll([...tooLong, ...failed(1, 'local')]);
    await expect.poll(retried).toBe(1);
  });
});

describe('finding a command', () => {
  const commands = ['Show keyboard shortcuts', 'Zoom in', 'Reset zoom', 'Use Café Müller'].map((label) => ({
    id: label,
    label,
    keys: [],
    run: () => undefined,
  }));
  const found = (query: string) => findCommands(commands, query).map(({ label }) => label);

  test('takes words in any order, without accents, and prefers what begins with them', () => {
    expect(found('short key')).toEqual(['Show keyboard shortcuts']);
    expect(found('cafe muller')).toEqual(['Use Café Müller']);
    expect(found(' ZOOM')).toEqual(['Zoom in', 'Reset zoom']);
    expect(found('nothing')).toEqual([]);
  });

  test('lists all for an empty query', () => {
    expect(found('  ')).toHaveLength(4);
  });
});
