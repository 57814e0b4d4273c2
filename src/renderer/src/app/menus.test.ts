import { expect, test } from 'vitest';
import { jobOf } from '../features/jobs/job.fixture.ts';
import { openAppState } from './app-state.fixture.ts';
import { listCommands, listMenuCommands } from './commands.ts';

/** Why the palette lacks something that a menu has. */
type Reason = 'acts on what is selected' | 'changes what a list shows';
/** The id of its command, or why it has none. */
type Place = { readonly command: string } | Reason;

/** The items of the menus of the page, by the file and the source of their label; `*` stands for all of a file. */
const items: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  '../features/watch/FolderHeader.svelte': { '*': 'acts on what is selected' },
  '../features/history/HistoryView.svelte': {
    't.exportList': { command: 'export-history' },
    't.exportSound': { command: 'export-history-with-audio' },
    // The table of the time that is shown.
    "table === 'time' ? saveTable.time[statistics.value?.unit ?? 'month'] : saveTable[table]":
      'acts on what is selected',
  },
  '../features/history/SearchField.svelte': { '*': 'changes what a list shows' },
  '../features/history/entry-menu.ts': { '*': 'acts on what is selected' },
  '../features/convert/QueueHeader.svelte': { 't.whenDone.actions[action]': { command: 'when-done-sleep' } },
  '../features/presets/PresetControl.svelte': {
    't.revert': 'acts on what is selected',
    't.rename': 'acts on what is selected',
    't.isDefault': 'acts on what is selected',
    't.delete': 'acts on what is selected',
    't.saveAsNew': 'acts on what is selected',
    't.import': { command: 'import-presets' },
    't.export': { command: 'export-presets' },
  },
  '../features/speech/PassageList.svelte': { '*': 'acts on what is selected' },
};

const sources: Readonly<Record<string, string>> = import.meta.glob(['../**/*.svelte', '../**/*.ts', '!../ui/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A window in which everything can be done that commands wait for. */
async function openBusyWindow() {
  const range = { min: 0.5, max: 2, default: 1 };
  const connection = (id: string, kind: string) => ({ id, name: id, kind, pitch: range, speed: range });
  const { app } = openAppState({
    'jobs:list': { jobs: [jobOf('a')], next: null },
    'connections:list': [connection('local', 'local'), connection('north', 'remote')],
    'presets:list': [
      { id: 'p', kind: 'conversion', name: 'p', connectionId: 'local', connectionName: '', isDefault: false },
    ],
  });
  await app.start();
  return app;
}

test('what a menu of the page does is found by the palette, unless a reason is listed', async () => {
  const found = new Set(listCommands(await openBusyWindow()).map(({ id }) => id));
  const used = new Set<string>();
  for (const [name, source] of Object.entries(sources)) {
    if (/\.(?:test|fixture)\./.test(name) || !/\bMenuItem\b|<MenuButton|<MenuPanel/.test(source)) continue;
    const labels = source.matchAll(
      /(?<!as \{ )\blabel(?:: ([^\n]+?))?,\s+(?:icon|isChecked|isDestructive|onchoose)\b/g,
    );
    for (const [, label = 'label'] of labels) {
      const places = items[name] ?? {};
      const key = '*' in places ? '*' : label;
      const place = places[key];
      expect(place, `${name}: ${label} has no command and no reason`).toBeDefined();
      used.add(`${name} ${key}`);
      if (typeof place === 'object') expect(found, label).toContain(place.command);
    }
  }
  const listed = Object.entries(items).flatMap(([name, places]) => Object.keys(places).map((key) => `${name} ${key}`));
  expect(listed.filter((key) => !used.has(key))).toEqual([]);
});

test('what the application menu does is found by the palette, also what it does by itself', async () => {
  const app = await openBusyWindow();
  const found = new Set(listCommands(app).map(({ id }) => id));
  const missing = listMenuCommands(app).filter(
    ({ id, isEnabled, isSelected }) => isEnabled && isSelected !== true && !found.has(id),
  );
  // The palette does not open itself.
  expect(missing.map(({ id }) => id)).toEqual(['palette']);
  // `app-menu.test.ts` says what of the system's own items has these commands.
  for (const id of ['quit', 'settings-about', 'view-settings']) expect(found).toContain(id);
});

test('a token is entered where the palette leads', async () => {
  const app = await openBusyWindow();
  listCommands(app)
    .find(({ id }) => id === 'token-north')
    ?.run();
  expect([app.shell.view, app.shell.settingsPlace]).toEqual(['settings', { part: 'token', connectionId: 'north' }]);
});
