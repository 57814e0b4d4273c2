import { tick } from 'svelte';
import type { Messages } from '../../../shared/messages/index.ts';
import { type MenuCommand, type MenuSection, whenDoneActions } from '../../../shared/schemas/app.ts';
import { themes } from '../../../shared/schemas/settings.ts';
import { foldText } from '../../../shared/text/fold-text.ts';
import { connectionName } from '../features/connections/connections.svelte.ts';
import { isBlockedByDialog } from '../lib/is-blocked-by-dialog.ts';
import { settingsSections } from '../lib/shell.svelte.ts';
import { findShortcut, isReserved, isWindowShortcut, type ShortcutId } from '../lib/shortcut-table.ts';
import type { AppState } from './app-state.svelte.ts';
import { find, openVoicePicker } from './shortcut-actions.ts';
import { views } from './views.ts';

interface Definition {
  readonly id: string;
  /** Says the whole by itself, as in the palette. */
  readonly label: string;
  /** Its label below the title of a menu, if that can be shorter. */
  readonly menuLabel?: string;
  readonly shortcut?: ShortcutId;
  /** Default: true. */
  readonly isEnabled?: boolean;
  /** Default: its section is no choice. */
  readonly isSelected?: boolean;
  run(): unknown;
}

/** Something that the user can do now, in the command palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Its keys as shown; empty if it has none. */
  readonly keys: readonly string[];
  run(): void;
}

/** The titles under which the sections of Settings are found. */
const sectionTitles = (t: Messages): Readonly<Record<(typeof settingsSections)[number], string>> => ({
  appearance: t.settings.appearance,
  language: t.settings.language,
  keyboard: t.settings.keyboard,
  background: t.background.settings.title,
  output: t.settings.output,
  copies: t.copies.title,
  pronunciations: t.speech.pronunciations.title,
  takes: t.speech.kept.title,
  hook: t.hook.title,
  ffmpeg: t.ffmpeg.title,
  connections: t.connections.title,
  network: t.settings.network,
  proxy: t.settings.proxy,
  updates: t.updates.title,
  about: t.settings.about,
});

/** All commands, by section in the order of the palette. */
function defineCommands(app: AppState): Readonly<Record<MenuSection, readonly Definition[]>> {
  const { shell, i18n, settings, connections, defaults, adding, jobs, pauses, history, player } = app;
  const { t } = i18n;
  const c = t.commands;
  const hasTrack = player.track !== null;

  const inHistory = (run: () => Promise<void>) => () => {
    shell.openView('history');
    history.statistics.isOpen = false;
    return run();
  };
  /** Where the outcome is shown: beside the preset, which a narrow window has in a sheet. */
  const besidePreset = (run: () => Promise<unknown>) => async () => {
    shell.openView('convert');
    await tick();
    shell.isSidePanelOpen = true;
    await run();
  };
  const inConvert = (run: () => Promise<void>) => () => {
    shell.openView('convert');
    return run();
  };

  return {
    add: [
      { id: 'add-files', label: c.addFiles, run: inConvert(() => adding.chooseFiles()) },
      { id: 'add-folder', label: c.addFolder, run: inConvert(() => adding.chooseFolder()) },
      { id: 'watch-folder', label: c.watchFolder, run: () => app.addWatchFolder() },
    ],
    exchange: [
      { id: 'import-history', label: c.importHistory, run: inHistory(() => history.actions.import()) },
      { id: 'export-history', label: c.exportHistory, run: inHistory(() => history.actions.export(null, 'list')) },
      {
        id: 'export-history-with-audio',
        label: c.exportHistoryWithAudio,
        run: inHistory(() => history.actions.export(null, 'sound')),
      },
      {
        id: 'import-presets',
        label: t.presets.import,
        isEnabled: !app.isFirstStart,
        run: besidePreset(() => app.presets.importFile()),
      },
      {
        id: 'export-presets',
        label: t.presets.export,
        isEnabled: !app.isFirstStart && app.presets.list.length > 0,
        run: besidePreset(() => app.presets.exportFile((n) => shell.announce(t.presets.exported({ n })))),
      },
    ],
    queue: [
      {
        id: 'pause',
        label: pauses.isPausedByUser ? c.resumeQueue : c.pauseQueue,
        shortcut: 'pause',
        isEnabled: app.canPause,
        run: () => app.togglePause(),
      },
      {
        id: 'retry',
        label: c.retryAll({ n: jobs.retryable.length }),
        menuLabel: c.retryFailed,
        isEnabled: jobs.retryable.length > 0,
        run: inConvert(() => app.retryAll()),
      },
      {
        id: 'clear',
        label: c.clearDone,
        isEnabled: jobs.done.length > 0,
        run: () => jobs.remove(jobs.done.map(({ id }) => id)),
      },
    ],
    whenDone: whenDoneActions.map((action) => ({
      id: `when-done-${action}`,
      label: t.queue.whenDone.set({ action: t.queue.whenDone.actions[action] }),
      menuLabel: t.queue.whenDone.actions[action],
      isEnabled: jobs.open.length > 0 || app.whenDone.action !== 'nothing',
      isSelected: app.whenDone.action === action,
      run: () => app.whenDone.choose(action),
    })),
    undo: [
      {
        id: 'undo-adding',
        label: t.convert.undoLabel({ what: adding.undoes }),
        shortcut: 'undo',
        isEnabled: adding.canUndo,
        run: inConvert(() => adding.undo()),
      },
      {
        id: 'undo-removing',
        label: history.actions.result?.kind === 'imported' ? c.undoImport : c.undoRemoving,
        isEnabled: history.actions.canUndo,
        run: () => history.actions.undo(),
      },
    ],
    find: [
      {
        id: 'voice',
        label: c.changeVoice,
        shortcut: 'voice',
        run() {
          if (!openVoicePicker(app)) shell.openView('voices');
        },
      },
      { id: 'find', label: c.find, shortcut: 'find', run: () => find(app) },
    ],
    playback: [
      {
        id: 'listen',
        label: player.isPlaying ? c.pausePlayback : c.play,
        shortcut: 'listen',
        isEnabled: hasTrack,
        run: () => player.toggle(),
      },
      {
        id: 'original',
        label: c.original,
        shortcut: 'original',
        isEnabled: hasTrack,
        run: () => player.selectSide('source'),
      },
      {
        id: 'result',
        label: c.result,
        shortcut: 'result',
        isEnabled: hasTrack,
        run: () => player.selectSide('result'),
      },
    ],
    passage: [
      { id: 'loop', label: c.loop, shortcut: 'loop', isEnabled: hasTrack, run: () => player.toggleLoop() },
      {
        id: 'loopFrom',
        label: t.player.startHere,
        shortcut: 'loopFrom',
        isEnabled: hasTrack,
        run: () => player.startPassage(),
      },
      {
        id: 'loopTo',
        label: t.player.endHere,
        shortcut: 'loopTo',
        isEnabled: hasTrack,
        run: () => player.endPassage(),
      },
    ],
    views: [
      ...views.map(({ id }): Definition => ({
        id: `view-${id}`,
        label: c.goTo({ view: t.views[id] }),
        menuLabel: t.views[id],
        shortcut: `view-${id}`,
        run: () => shell.openView(id),
      })),
      {
        id: 'statistics',
        label: c.goTo({ view: t.statistics.title }),
        menuLabel: t.statistics.title,
        run() {
          shell.openView('history');
          history.statistics.isOpen = true;
        },
      },
    ],
    settings: settingsSections.map((part): Definition => {
      const title = sectionTitles(t)[part];
      return {
        id: `settings-${part}`,
        label: t.format.labelled(t.views.settings, title),
        menuLabel: title,
        run: () => shell.openSettings({ part, connectionId: null }),
      };
    }),
    connections: connections.list.map((connection) => ({
      id: `connection-${connection.id}`,
      label: c.connection({ name: connectionName(connection, t) }),
      menuLabel: connectionName(connection, t),
      isSelected: connection.id === defaults.connection?.id,
      run: () => app.jobPresets.selectConnection(connection.id),
    })),
    tokens: connections.list
      .filter(({ kind }) => kind === 'remote')
      .map(({ id, name }) => ({
        id: `token-${id}`,
        label: c.enterToken({ name }),
        run: () => shell.openSettings({ part: 'token', connectionId: id }),
      })),
    presets: app.presets.list.map((preset) => {
      const { use, useForSpeech } = t.presets.commands;
      return {
        id: `preset-${preset.id}`,
        label: preset.kind === 'speech' ? useForSpeech({ name: preset.name }) : use({ name: preset.name }),
        // One without its connection has to be moved first, in its view.
        isEnabled: connections.list.some(({ id }) => id === preset.connectionId),
        run: () => app.usePreset(preset),
      };
    }),
    network: [
      settings.value?.isOfflineMode
        ? { id: 'online', label: t.connection.goOnline, run: () => settings.setOfflineMode(false) }
        : { id: 'offline', label: t.settings.offlineMode, run: () => settings.setOfflineMode(true) },
    ],
    themes: themes.map((theme) => ({
      id: `theme-${theme}`,
      label: c.theme({ name: t.settings.themes[theme] }),
      menuLabel: t.settings.themes[theme],
      isSelected: theme === settings.value?.theme,
      run: () => settings.update({ theme }),
    })),
    zoom: [
      { id: 'zoom-in', label: c.zoomIn, shortcut: 'zoomIn', run: () => app.zoom(1) },
      { id: 'zoom-out', label: c.zoomOut, shortcut: 'zoomOut', run: () => app.zoom(-1) },
      { id: 'zoom-reset', label: c.zoomReset, shortcut: 'zoomBack', run: () => app.zoom(0) },
    ],
    help: [
      { id: paletteId, label: c.title, shortcut: 'palette', run: () => (shell.isPaletteOpen = true) },
      { id: 'keys', label: c.keys, shortcut: 'keys', run: () => (shell.isShortcutsOpen = true) },
    ],
    app: [{ id: 'quit', label: c.quit, run: () => app.quit() }],
  };
}

const paletteId = 'palette';

/** Everything that can be done now, in the order of the palette, which does not list itself. */
export function listCommands(app: AppState): readonly Command[] {
  const { keyBindings } = app;
  const keysOf = (shortcut: ShortcutId): readonly string[] =>
    keyBindings.isCharacter(shortcut) && !keyBindings.hasLetterKeys ? [] : keyBindings.keysOf(shortcut);
  return Object.values(defineCommands(app))
    .flat()
    .filter(({ id, isEnabled = true, isSelected = false }) => isEnabled && !isSelected && id !== paletteId)
    .map(({ id, label, shortcut, run }) => ({
      id,
      label,
      keys: shortcut === undefined ? [] : keysOf(shortcut),
      run: () => void run(),
    }));
}

/** The actions of the row that has the focus, under its name, as its buttons and those of the panel about it offer them. */
export function listRowCommands({ format }: Messages): readonly Command[] {
  const row = document.activeElement?.closest<HTMLElement>('[role="row"], button[role="gridcell"]');
  if (!row) return [];
  const name = row.title || (row.querySelector<HTMLElement>('.name, .display-font')?.title ?? '');
  const panels = row.ariaSelected === 'true' ? document.querySelectorAll('[data-row-actions]') : [];
  const buttons = [row, ...panels].flatMap((part) => [
    ...part.querySelectorAll<HTMLButtonElement>('button:not(:disabled, [aria-haspopup])'),
  ]);
  const commands = buttons.map((button): Command => {
    const text = button.ariaLabel ?? button.textContent.trim();
    const label = text.includes(name) ? text : format.labelled(name, text);
    return { id: `row: ${label}`, label, keys: [], run: () => button.click() };
  });
  // A panel repeats buttons of its row.
  return [...new Map(commands.map((command) => [command.id, command])).values()];
}

/** All commands for the application menu, which also shows those that cannot be run now. */
export function listMenuCommands(app: AppState): readonly MenuCommand[] {
  return Object.entries(defineCommands(app)).flatMap(([section, definitions]) =>
    definitions.map(({ id, label, menuLabel = label, shortcut, isEnabled = true, isSelected = null }) => {
      const press = shortcut === undefined ? null : app.keyBindings.pressOf(shortcut);
      return {
        id,
        section: section as MenuSection,
        label: menuLabel,
        // The editing commands of the menu have the reserved ones.
        press: press === null || isReserved(press) ? null : press,
        isEnabled,
        isSelected,
      };
    }),
  );
}

/** Runs what was selected in the application menu, unless it cannot be run any more or a dialog asks something first. */
export function runMenuCommand(app: AppState, id: string): void {
  const found = Object.values(defineCommands(app))
    .flat()
    .find((command) => command.id === id);
  if (!found || found.isEnabled === false) return;
  const shortcut = found.shortcut && findShortcut(found.shortcut);
  const isGlobal = shortcut !== undefined && isWindowShortcut(shortcut) && shortcut.isGlobal === true;
  if (isGlobal || !isBlockedByDialog()) void found.run();
}

/** The commands with all words of the query in their label, in their order; those that begin with the query come first. */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const folded = foldText(query.trim());
  const words = folded.split(/\s+/);
  const found = commands
    .map((command) => ({ command, text: foldText(command.label) }))
    .filter(({ text }) => words.every((word) => text.includes(word)));
  return [
    ...found.filter(({ text }) => text.startsWith(folded)),
    ...found.filter(({ text }) => !text.startsWith(folded)),
  ].map(({ command }) => command);
}
