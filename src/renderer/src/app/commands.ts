import { themes } from '../../../shared/schemas/settings.ts';
import { foldText } from '../../../shared/text/fold-text.ts';
import { connectionName } from '../features/connections/connections.svelte.ts';
import { type ShortcutId } from '../lib/shortcut-table.ts';
import type { AppState } from './app-state.svelte.ts';
import { find, openVoicePicker } from './shortcut-actions.ts';
import { views } from './views.ts';

/** Something that the user can do now, in the command palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Its keys as shown; empty if it has none. */
  readonly keys: readonly string[];
  run(): void;
}

/** Everything that can be done now, in the order of the palette. */
export function listCommands(app: AppState): readonly Command[] {
  const { shell, i18n, keyBindings, settings, connections, defaults, adding, jobs, pauses, history, player } = app;
  const { t } = i18n;
  const c = t.commands;

  const command = (id: string, label: string, run: () => unknown, shortcut?: ShortcutId): Command => {
    const isOff = shortcut !== undefined && keyBindings.isCharacter(shortcut) && !keyBindings.hasLetterKeys;
    const keys = shortcut === undefined || isOff ? [] : keyBindings.keysOf(shortcut);
    return { id, label, keys, run: () => void run() };
  };
  const when = (isAvailable: boolean, ...commands: readonly Command[]): readonly Command[] =>
    isAvailable ? commands : [];
  const add = (run: () => Promise<void>) => () => {
    shell.view = 'convert';
    return run();
  };

  return [
    command(
      'add-files',
      c.addFiles,
      add(() => adding.chooseFiles()),
    ),
    command(
      'add-folder',
      c.addFolder,
      add(() => adding.chooseFolder()),
    ),
    command('watch-folder', c.watchFolder, () => app.addWatchFolder()),
    ...when(
      app.canPause,
      command('pause', pauses.isPausedByUser ? c.resumeQueue : c.pauseQueue, () => app.togglePause(), 'pause'),
    ),
    ...when(
      jobs.retryable.length > 0,
      command(
        'retry',
        c.retryAll(jobs.retryable.length),
        add(() => app.retryAll()),
      ),
    ),
    ...when(
      jobs.done.length > 0,
      command('clear', c.clearDone, () => jobs.remove(jobs.done.map(({ id }) => id))),
    ),
    ...when(
      adding.canUndo,
      command(
        'undo-adding',
        t.convert.undoLabel,
        add(() => adding.undo()),
        'undo',
      ),
    ),
    ...when(
      history.actions.canUndo,
      command('undo-removing', c.undoRemoving, () => history.actions.undo()),
    ),
    command(
      'voice',
      c.changeVoice,
      () => {
        if (!openVoicePicker(app)) shell.view = 'voices';
      },
      'voice',
    ),
    command('find', c.find, () => find(app), 'find'),
    ...when(
      player.track !== null,
      command('listen', player.isPlaying ? c.pausePlayback : c.play, () => player.toggle(), 'listen'),
      command('original', c.original, () => player.selectSide('source'), 'original'),
      command('result', c.result, () => player.selectSide('result'), 'result'),
      command('loop', c.loop, () => player.toggleLoop(), 'loop'),
      command('loopFrom', t.player.startHere, () => player.startPassage(), 'loopFrom'),
      command('loopTo', t.player.endHere, () => player.endPassage(), 'loopTo'),
    ),
    command('copies', c.goTo(t.copies.title), () => shell.openSettings({ part: 'copies', connectionId: null })),
    command('statistics', c.goTo(t.statistics.title), () => {
      shell.view = 'history';
      history.statistics.isOpen = true;
    }),
    ...views.map(({ id }) => command(`view-${id}`, c.goTo(t.views[id]), () => (shell.view = id), `view-${id}`)),
    ...connections.list
      .filter(({ id }) => id !== defaults.connection?.id)
      .map((connection) =>
        command(`connection-${connection.id}`, c.connection(connectionName(connection, t)), () =>
          app.jobPresets.selectConnection(connection.id),
        ),
      ),
    // One without its connection has to be moved first, in its view.
    ...app.presets.list
      .filter(({ connectionId }) => connections.list.some(({ id }) => id === connectionId))
      .map((preset) => {
        const { use, useForSpeech } = t.presets.commands;
        const label = preset.kind === 'speech' ? useForSpeech(preset.name) : use(preset.name);
        return command(`preset-${preset.id}`, label, () => app.usePreset(preset));
      }),
    settings.value?.isOfflineMode
      ? command('online', t.connection.goOnline, () => settings.setOfflineMode(false))
      : command('offline', t.settings.offlineMode, () => settings.setOfflineMode(true)),
    ...themes
      .filter((theme) => theme !== settings.value?.theme)
      .map((theme) => command(`theme-${theme}`, c.theme(t.settings.themes[theme]), () => settings.update({ theme }))),
    command('zoom-in', c.zoomIn, () => app.zoom(1), 'zoomIn'),
    command('zoom-out', c.zoomOut, () => app.zoom(-1), 'zoomOut'),
    command('zoom-reset', c.zoomReset, () => app.zoom(0), 'zoomBack'),
    command('keys', c.keys, () => (shell.isShortcutsOpen = true), 'keys'),
  ];
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
