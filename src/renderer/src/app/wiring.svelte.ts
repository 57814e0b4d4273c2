import { textDirection } from '../../../shared/messages/languages.ts';
import { untrack } from 'svelte';
import type { Messages } from '../../../shared/messages/index.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { foldVoices } from '../features/voices/voice-search.ts';
import { dependOn } from '../lib/depend-on.ts';
import { rememberLocale } from '../lib/i18n.svelte.ts';
import type { AppState } from './app-state.svelte.ts';

/** Folds the names of all voices while the page is idle; during the first key press of a search it would delay typing. */
function foldWhenIdle(lists: readonly (readonly Voice[])[], messages: Messages): () => void {
  let handle = 0;
  const fold = (deadline: IdleDeadline): void => {
    const areFolded = lists.every((list) => foldVoices(list, messages, () => deadline.timeRemaining() > 2));
    if (!areFolded) handle = requestIdleCallback(fold);
  };
  handle = requestIdleCallback(fold);
  return () => cancelIdleCallback(handle);
}

/**
 * The effects between domains, none of which knows the other. Call it while a component initializes. Each effect depends on what it
 * reads first; what it triggers is untracked, because it reads and writes state of its own.
 */
export function wireStates(app: AppState): void {
  const { theme, viewport, keyBindings, i18n, shell, settings, defaults, voices, player, waveforms, jobs } = app;

  $effect(() => {
    const { value } = settings;
    if (!value) return;
    untrack(() => {
      theme.follow(value);
      void i18n.select(value.language);
      keyBindings.changes = value.keys;
      keyBindings.hasLetterKeys = value.hasLetterKeys;
      document.documentElement.toggleAttribute('data-no-letter-keys', !value.hasLetterKeys);
    });
  });
  $effect(() => theme.applyContrast());
  $effect(() => {
    document.documentElement.lang = i18n.t.language;
    document.documentElement.dir = textDirection(i18n.t.language);
    rememberLocale(i18n);
    shell.rememberView();
    document.title = `${i18n.t.views[shell.view]} - ${i18n.t.app.name}`;
  });
  $effect(() => {
    if (!viewport.isNarrow) shell.isSidePanelOpen = false;
  });

  $effect(() => {
    const id = defaults.connection?.id;
    if (id !== undefined) untrack(() => void voices.load(id));
  });
  $effect(() => {
    if (app.jobPresets.pendingDefaults.length > 0) untrack(() => app.jobPresets.applyPendingDefaults());
  });
  $effect(() => {
    if (!voices.isLoading) return foldWhenIdle([voices.list, voices.all], i18n.t);
    return undefined;
  });

  $effect(() => {
    const { playing } = app;
    if (player.hasFailed) app.clearLostTrack();
    untrack(() => playing && player.update(playing));
  });
  $effect(() => {
    const source = app.playing && waveforms.request(app.playing, 'source');
    const result = app.playing && waveforms.request(app.playing, 'result');
    untrack(() => player.matchLevels(source?.levelDb ?? null, result?.levelDb ?? null));
  });

  $effect(() => {
    if (player.isPlaying) untrack(app.takeAudioFocus);
  });
  $effect(() => {
    dependOn(player.volume);
    untrack(() => {
      app.previews.applyVolume();
      app.comparison.applyVolume();
      app.passagePlayer.applyVolume();
      app.previewSource.applyVolume();
    });
  });

  // Speeds are measured on finished jobs, and only those of connections with open jobs are shown.
  const openConnections = $derived(
    Object.keys(Object.groupBy(jobs.open, ({ connectionId }) => connectionId))
      .sort()
      .join('\n'),
  );
  $effect(() => {
    dependOn(jobs.done.length);
    const ids = openConnections === '' ? [] : openConnections.split('\n');
    untrack(() => ids.forEach((id) => void app.processingSpeeds.refresh(id)));
  });
}
