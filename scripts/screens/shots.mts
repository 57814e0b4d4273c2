import type { Page } from 'playwright';
import { historyShots } from './history-shots.mts';
import { scrollTo } from './open-shots.mts';
import { speechShots } from './speech-shots.mts';
import { diagnosticsShots } from './diagnostics-shots.mts';
import { presetShots } from './preset-shots.mts';
import { voiceShots } from './voice-shots.mts';
import { watchShots } from './watch-shots.mts';

export interface Variant {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** Mirrors the window, as in a language that is written from right to left, with the words it has. */
  readonly isRightToLeft?: boolean;
}

/** The sizes and colours of each screenshot. */
const variants: readonly Variant[] = [
  { name: 'light', width: 1200, height: 800, colorScheme: 'light' },
  { name: 'dark', width: 1200, height: 800, colorScheme: 'dark' },
  { name: 'light-800x600', width: 800, height: 600, colorScheme: 'light' },
  { name: 'dark-800x600', width: 800, height: 600, colorScheme: 'dark' },
  { name: 'light-2560x1440', width: 2560, height: 1440, colorScheme: 'light' },
  { name: 'light-rtl', width: 1280, height: 800, colorScheme: 'light', isRightToLeft: true },
  { name: 'light-rtl-800x600', width: 800, height: 600, colorScheme: 'light', isRightToLeft: true },
  { name: 'dark-rtl', width: 1280, height: 800, colorScheme: 'dark', isRightToLeft: true },
  { name: 'dark-rtl-800x600', width: 800, height: 600, colorScheme: 'dark', isRightToLeft: true },
];

/** In which variants a shot is taken: very large and mirrored ones of views only, and mirrored in the dark where most colours are. */
export const variantsOf = ({ name, isView = false, isMirrored = false }: Shot): readonly Variant[] =>
  variants.filter(({ width, colorScheme, isRightToLeft = false }) => {
    if (!isRightToLeft) return width <= 2000 || isView;
    return (isView || isMirrored) && (colorScheme === 'light' || ['convert', 'voices'].includes(name));
  });

export interface Shot {
  readonly name: string;
  /** A name of `tests/fakes/scenes.ts`. */
  readonly scene: string;
  /** One picture of each view is also taken very large. */
  readonly isView?: boolean;
  /** Also taken from right to left, as each view is: something opens to a side. */
  readonly isMirrored?: boolean;
  /** Repeats another state with other texts, data or colours: taken by `npm run screens`, skipped by the suite. */
  readonly repeats?: boolean;
  readonly forcedColors?: boolean;
  readonly reducedMotion?: boolean;
  readonly act?: (page: Page) => Promise<unknown>;
}

const rows = (page: Page) => page.getByRole('row').first().waitFor();
/** Opens a view by its button in the sidebar, in either language. */
const openView = (page: Page, name: RegExp) => page.getByRole('navigation').getByTitle(name).click();
const openSettings = (page: Page) => openView(page, /^(Settings|Einstellungen)$/);
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 1000;

/** Files dragged over the window from the desktop: the browser reveals kinds and types, but no names. */
const drag = (page: Page) =>
  page.evaluate(() => {
    const data = new DataTransfer();
    for (let k = 0; k < 12; k++) data.items.add(new File(['x'], `${k}.wav`, { type: 'audio/wav' }));
    for (let k = 0; k < 3; k++) data.items.add(new File(['x'], `${k}.png`, { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
const drop = async (page: Page) => {
  await rows(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'a.wav', { type: 'audio/wav' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
};
const showDone = async (page: Page) => {
  await page.getByRole('tab', { name: 'Done' }).click();
  await rows(page);
};
const play = async (page: Page) => {
  await showDone(page);
  await page.getByText('chapter 02, low water').click();
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.waitForTimeout(1500);
};
const pick = async (page: Page, query: string) => {
  await rows(page);
  await page.keyboard.press('v');
  await page.getByRole('combobox', { name: 'Find a voice' }).fill(query);
};
const palette = async (page: Page, query: string) => {
  await rows(page);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^(Find a command|Befehl suchen)$/ }).fill(query);
};
const openSheet = async (page: Page) => {
  await rows(page);
  if (isNarrow(page)) await page.getByRole('button', { name: 'Clear fjord' }).click();
};
const scrollToEnd = async (page: Page) => {
  await page.getByRole('row').first().click();
  await page.keyboard.press('End');
  await page.getByText('take 10000.wav').waitFor();
};

const showText = async (page: Page) => {
  await showDone(page);
  await page.getByText('welcome aboard').click();
};
/** The third row that waits goes to the top, by keyboard. */
const reorder = async (page: Page) => {
  await rows(page);
  await page.getByText('chapter 08, homeward').click();
  await page.keyboard.press('Alt+Home');
  await page.keyboard.press('Alt+ArrowDown');
};
const whenDone = async (page: Page) => {
  await rows(page);
  await page.getByRole('button', { name: /^(When done|Wenn fertig)/ }).click();
  await page.getByRole('menuitemcheckbox').first().waitFor();
};
const openQuitDialog = (page: Page) => page.getByRole('dialog').waitFor();
const waitForAnswers = async (page: Page) => {
  await openQuitDialog(page);
  await page.getByRole('button', { name: 'Wait for them, then quit' }).click();
};
const settingsAt = async (page: Page, label: string, text: string) => {
  await page.getByRole('tab').first().waitFor();
  await openSettings(page);
  await page.getByRole('textbox', { name: label, exact: true }).fill(text);
};
/** The service of the scene: its token and its test. */
const settingsBackground = async (page: Page) => {
  await rows(page);
  await openSettings(page);
  await scrollTo(page.getByRole('switch', { name: /^(Pause while|Im Akkubetrieb)/ }));
};
const settingsPortable = async (page: Page) => {
  await openSettings(page);
  await scrollTo(page.getByText('timbre-data'));
};
const settingsNotices = async (page: Page) => {
  await openSettings(page);
  await page.getByRole('button', { name: /^(Show licences|Lizenzen anzeigen)$/ }).click();
  await page.getByText('svelte').click();
};
const settingsCopies = async (page: Page) => {
  await rows(page);
  await openSettings(page);
  await scrollTo(page.getByRole('button', { name: /^(Delete all copies|Alle Kopien)/ }));
};
const settingsSentences = async (page: Page) => {
  await openSettings(page);
  await page.getByRole('button', { name: /^(Delete all sentences|Alle Sätze)/ }).click();
};
const settingsHook = async (page: Page) => {
  await openSettings(page);
  const args = page.getByRole('textbox', { name: /^(Arguments|Argumente)$/ });
  await args.fill(`${await args.inputValue()}\n--from={source}`);
  await scrollTo(page.getByRole('group', { name: /^(Fields you can use in an|Felder für ein)/ }));
};
const settingsHookFailed = async (page: Page) => {
  await openSettings(page);
  await scrollTo(page.getByRole('button', { name: /^(Run again for|Für .* noch einmal)/ }));
};
const settingsUpdates = async (page: Page) => {
  await rows(page);
  await openSettings(page);
  await scrollTo(page.getByRole('switch', { name: /^(Check for updates once a day|Einmal am Tag)/ }));
};
const settingsFfmpeg = async (page: Page) => {
  await rows(page);
  await page
    .getByRole('button', { name: /^(Set up ffmpeg|ffmpeg einrichten)$/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^(Check again|Noch einmal suchen)$/ }).waitFor();
};
const hookFailed = async (page: Page) => {
  await page.getByRole('tab', { name: /^(Done|Fertig)/ }).click();
  await page.getByRole('row').first().waitFor();
};
const settingsConnection = async (page: Page) => {
  await rows(page);
  await openSettings(page);
  const card = page.getByRole('listitem').filter({ hasText: 'Studio North' });
  await card.getByRole('button', { name: /Token/ }).click();
  await card.getByRole('button', { name: /Test|testen/ }).click();
  await card.locator('.checks').waitFor();
  await scrollTo(card.locator('.checks'));
};
const editConnection = async (page: Page) => {
  await settingsConnection(page);
  await page.getByRole('button', { name: /^(Edit Studio North|Studio North bearbeiten)$/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).last().waitFor();
};
const addConnection = async (page: Page) => {
  await rows(page);
  await openSettings(page);
  await page.getByRole('button', { name: 'Add service' }).click();
  await page.getByRole('textbox', { name: 'Authorization header' }).fill('Bearer 0123456789');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('4 fields need fixing.').waitFor();
};
const editAll = async (page: Page) => {
  await editConnection(page);
  await page.getByText(/^(Advanced settings|Erweiterte Einstellungen)$/).click();
  await scrollTo(page.getByText(/^(Advanced settings|Erweiterte Einstellungen)$/));
};
const settingsProxy = async (page: Page, address: string) => {
  await page.getByRole('tab').first().waitFor();
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Proxy' }).selectOption('address');
  await page.getByRole('textbox', { name: 'Proxy address' }).fill(address);
};

/** Shots of the rooms of `src/renderer/src/features` that nothing else shows. A change anywhere else may show in all of them. */
const shotsOf: readonly { readonly features: readonly string[]; readonly shots: readonly Shot[] }[] = [
  { features: ['speech'], shots: speechShots },
  { features: ['diagnostics'], shots: diagnosticsShots },
  { features: ['presets'], shots: presetShots },
  { features: ['watch'], shots: watchShots },
  { features: ['history'], shots: historyShots },
  { features: ['models'], shots: voiceShots },
];

/** The shots that a change of these files can show in; paths are relative to the project. */
export function shotsFor(changed: readonly string[]): readonly Shot[] {
  const shown = new Set<Shot>();
  for (const path of changed) {
    if (!/^(src\/(renderer|shared)|tests\/fakes|scripts\/screens)\//.test(path) || path.endsWith('.test.ts')) continue;
    const feature = /^src\/renderer\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? '';
    const own = shotsOf.find(({ features }) => features.includes(feature))?.shots ?? shots;
    own.forEach((shot) => shown.add(shot));
  }
  return shots.filter((shot) => shown.has(shot));
}

/** Every view and state of the window. */
export const shots: readonly Shot[] = [
  { name: 'first-start', scene: 'first', isView: true, act: (page) => page.getByRole('radio').first().waitFor() },
  { name: 'first-start-dragging', scene: 'first', act: drag },
  { name: 'first-start-no-voices', repeats: true, scene: 'first-no-voices' },
  { name: 'first-start-german', repeats: true, scene: 'first-german' },
  { name: 'convert-empty', scene: 'empty' },
  { name: 'convert', scene: 'busy', isView: true, act: (page) => page.getByRole('row').first().click() },
  { name: 'convert-voice-gone', scene: 'voice-gone', act: drop },
  { name: 'convert-voice-gone-german', repeats: true, scene: 'voice-gone-german', act: drop },
  {
    name: 'convert-largest-results',
    scene: 'queue-disk',
    act: (page) => page.getByRole('button', { name: 'Show largest results' }).click(),
  },
  {
    name: 'convert-tested',
    scene: 'queue-offline',
    act: (page) => page.getByRole('button', { name: 'Test connection' }).click(),
  },
  { name: 'convert-no-voice', scene: 'no-voice', act: rows },
  { name: 'convert-remote', scene: 'remote', act: openSheet },
  { name: 'convert-token-elsewhere', scene: 'queue-token-elsewhere' },
  { name: 'convert-german', repeats: true, scene: 'german', act: rows },
  { name: 'convert-contrast', repeats: true, scene: 'contrast', act: play },
  { name: 'convert-forced-colors', repeats: true, scene: 'busy', forcedColors: true, act: rows },
  { name: 'convert-names', repeats: true, scene: 'names', act: rows },
  { name: 'convert-dragging', isMirrored: true, scene: 'busy', act: (page) => rows(page).then(() => drag(page)) },
  { name: 'convert-dropped', repeats: true, scene: 'busy', act: drop },
  {
    name: 'convert-large',
    scene: 'remote-large',
    act: (page) => drop(page).then(() => page.getByRole('dialog').waitFor()),
  },
  {
    name: 'convert-large-german',
    repeats: true,
    scene: 'remote-large-german',
    act: (page) => drop(page).then(() => page.getByRole('dialog').waitFor()),
  },
  { name: 'convert-refusing', scene: 'refusing', act: drop },
  { name: 'convert-done', scene: 'busy', isView: true, act: play },
  {
    name: 'convert-playback',
    isMirrored: true,
    scene: 'busy',
    act: (page) => play(page).then(() => page.getByRole('button', { name: 'Speed and loop' }).click()),
  },
  { name: 'convert-done-still', repeats: true, scene: 'busy', reducedMotion: true, act: play },
  { name: 'convert-sheet', scene: 'busy', act: openSheet },
  { name: 'convert-10000', repeats: true, scene: 'huge', act: scrollToEnd },
  { name: 'picker', isMirrored: true, scene: 'busy', act: (page) => pick(page, '') },
  { name: 'picker-found', scene: 'busy', act: (page) => pick(page, 'en uk') },
  { name: 'picker-none', scene: 'busy', act: (page) => pick(page, 'lampe') },
  { name: 'palette', isMirrored: true, scene: 'busy', act: (page) => palette(page, '') },
  { name: 'palette-found', repeats: true, scene: 'german', act: (page) => palette(page, 'farb') },
  { name: 'palette-none', repeats: true, scene: 'busy', act: (page) => palette(page, 'lampe') },
  { name: 'keys', isMirrored: true, scene: 'busy', act: (page) => rows(page).then(() => page.keyboard.press('?')) },
  {
    name: 'keys-conflict',
    scene: 'busy',
    act: async (page) => {
      await rows(page);
      await page.keyboard.press('?');
      await page.getByRole('button', { name: 'find: Ctrl F', exact: true }).click();
      await page.keyboard.press('Control+K');
    },
  },
  {
    name: 'keys-reset',
    scene: 'busy',
    act: async (page) => {
      await rows(page);
      await page.keyboard.press('?');
      await page.locator('[data-shortcut="find"]').click();
      await page.keyboard.press('Backspace');
      await page.getByRole('button', { name: 'Reset all' }).click();
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    },
  },
  {
    name: 'keys-unsupported-german',
    repeats: true,
    scene: 'german',
    act: async (page) => {
      await rows(page);
      await page.keyboard.press('?');
      await page.locator('[data-shortcut="find"]').click();
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'keys-german',
    repeats: true,
    scene: 'german',
    act: (page) => rows(page).then(() => page.keyboard.press('?')),
  },
  {
    name: 'settings',
    scene: 'busy',
    isView: true,
    act: (page) => rows(page).then(() => openSettings(page)),
  },
  { name: 'settings-copies', scene: 'copies', act: (page) => settingsCopies(page) },
  { name: 'settings-copies-german', repeats: true, scene: 'copies-german', act: (page) => settingsCopies(page) },
  { name: 'needs-ffmpeg', scene: 'needs-ffmpeg', act: rows },
  { name: 'needs-ffmpeg-german', repeats: true, scene: 'needs-ffmpeg-german', act: rows },
  { name: 'settings-sentences', scene: 'busy', act: settingsSentences },
  { name: 'settings-sentences-german', repeats: true, scene: 'german', act: settingsSentences },
  { name: 'settings-ffmpeg', scene: 'needs-ffmpeg', act: settingsFfmpeg },
  { name: 'settings-ffmpeg-german', repeats: true, scene: 'needs-ffmpeg-german', act: settingsFfmpeg },
  { name: 'newer-data', isMirrored: true, scene: 'newer-data', act: rows },
  { name: 'update', scene: 'update', act: rows },
  { name: 'settings-update', isMirrored: true, scene: 'update', act: settingsUpdates },
  { name: 'settings-update-ready', scene: 'update-ready', act: settingsUpdates },
  { name: 'settings-update-failed', scene: 'update-failed', act: settingsUpdates },
  { name: 'settings-notices', scene: 'busy', act: settingsNotices },
  { name: 'settings-notices-german', repeats: true, scene: 'german', act: settingsNotices },
  { name: 'settings-hook', scene: 'hook', act: settingsHook },
  { name: 'settings-hook-german', repeats: true, scene: 'hook-german', act: settingsHook },
  { name: 'settings-hook-failed', scene: 'hook', act: settingsHookFailed },
  { name: 'settings-hook-failed-german', repeats: true, scene: 'hook-german', act: settingsHookFailed },
  { name: 'hook-failed', scene: 'hook', act: hookFailed },
  { name: 'hook-failed-german', repeats: true, scene: 'hook-german', act: hookFailed },
  { name: 'settings-remote', scene: 'remote', act: (page) => rows(page).then(() => openSettings(page)) },
  {
    name: 'settings-offline-mode',
    scene: 'queue-offline-mode',
    act: async (page) => {
      await rows(page);
      await openSettings(page);
      await scrollTo(page.getByRole('switch', { name: 'Work offline' }));
    },
  },
  { name: 'settings-connections', scene: 'remote', act: settingsConnection },
  { name: 'settings-connections-german', repeats: true, scene: 'remote-german', act: settingsConnection },
  { name: 'settings-connections-refused', scene: 'remote-refused', act: settingsConnection },
  { name: 'settings-edit', scene: 'remote', act: editConnection },
  { name: 'settings-edit-all', isMirrored: true, scene: 'remote', act: editAll },
  { name: 'settings-edit-german', repeats: true, scene: 'remote-german', act: editAll },
  { name: 'settings-edit-new', scene: 'remote', act: addConnection },
  { name: 'settings-template', scene: 'busy', act: (page) => settingsAt(page, 'Name', '{voice}/{date} {name}') },
  {
    name: 'settings-template-fault',
    repeats: true,
    scene: 'busy',
    act: (page) => settingsAt(page, 'Name', '{nam}/../{voice}/'),
  },
  {
    name: 'settings-template-german',
    repeats: true,
    scene: 'german',
    act: (page) => settingsAt(page, 'Name', '{nam}, {voice}'),
  },
  { name: 'settings-background', scene: 'busy', act: (page) => settingsBackground(page) },
  { name: 'settings-background-approval', scene: 'login-approval', act: (page) => settingsBackground(page) },
  {
    name: 'settings-background-german',
    repeats: true,
    scene: 'close-german',
    act: async (page) => {
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await settingsBackground(page);
    },
  },
  { name: 'settings-portable', scene: 'settings-portable', act: (page) => settingsPortable(page) },
  {
    name: 'settings-portable-german',
    repeats: true,
    scene: 'settings-portable-german',
    act: (page) => settingsPortable(page),
  },
  { name: 'settings-proxy', scene: 'busy', act: (page) => settingsProxy(page, 'proxy.example') },
  ...speechShots,
  { name: 'queue-work', scene: 'queue-work', act: rows },
  { name: 'queue-work-text', repeats: true, scene: 'queue-work', act: showText },
  { name: 'queue-reordered', repeats: true, scene: 'queue-work', act: reorder },
  ...(
    [
      'queue-folder-missing',
      'queue-folder-missing-german',
      'queue-forbidden',
      'queue-insecure',
      'queue-in-vain',
      'queue-damaged',
    ] as const
  ).map((scene) => ({ name: scene, scene, repeats: true, act: rows })),
  ...(
    [
      'batch',
      'batch-german',
      'paused',
      'offline',
      'battery',
      'battery-german',
      'offline-mode',
      'token',
      'rate',
      'quota',
      'disk',
      'data',
      'data-german',
      'all',
      'all-german',
      'tried',
      'tried-german',
      'uncertain',
      'huge',
    ] as const
  ).map((state) => ({
    name: `queue-${state}`,
    scene: `queue-${state}`,
    repeats: state.endsWith('-german'),
    act: rows,
  })),
  {
    name: 'queue-unreadable',
    repeats: true,
    scene: 'queue-unreadable',
    act: (page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'queue-newer',
    repeats: true,
    scene: 'queue-newer',
    act: (page) => page.getByRole('heading', { name: /newer version/ }).waitFor(),
  },
  { name: 'when-done', isMirrored: true, scene: 'when-done', act: whenDone },
  { name: 'when-done-german', repeats: true, scene: 'when-done-german', act: whenDone },
  { name: 'countdown', scene: 'countdown', act: openQuitDialog },
  { name: 'countdown-german', repeats: true, scene: 'countdown-german', act: openQuitDialog },
  { name: 'power-refused', scene: 'power-refused', act: rows },
  { name: 'close', scene: 'close', act: openQuitDialog },
  { name: 'close-no-tray', repeats: true, scene: 'close-no-tray', act: openQuitDialog },
  { name: 'close-german', repeats: true, scene: 'close-german', act: openQuitDialog },
  { name: 'quit', scene: 'quit', act: openQuitDialog },
  { name: 'quit-adding', scene: 'quit-adding', act: openQuitDialog },
  { name: 'quit-adding-german', repeats: true, scene: 'quit-adding-german', act: openQuitDialog },
  { name: 'quit-owed', repeats: true, scene: 'quit-owed', act: openQuitDialog },
  { name: 'quit-owed-german', repeats: true, scene: 'quit-owed-german', act: openQuitDialog },
  { name: 'quit-waiting', scene: 'quit-owed', act: waitForAnswers },
  ...diagnosticsShots,
  ...voiceShots,
  ...watchShots,
  ...historyShots,
  ...presetShots,
  { name: 'loading', scene: 'loading', act: (page) => page.waitForTimeout(600) },
  { name: 'failed', scene: 'failed' },
];
