/** The views, in a file of their own that is read after the first paint: the frame around them needs none. */
export { default as ConvertView } from '../features/convert/ConvertView.svelte';
export { default as FirstStart } from '../features/convert/FirstStart.svelte';
export { addedText as addedWords } from '../features/convert/add-files.svelte.ts';
export { default as DiagnosticsView } from '../features/diagnostics/DiagnosticsView.svelte';
export { default as HistoryView } from '../features/history/HistoryView.svelte';
export { default as KeysDialog } from './ShortcutsDialog.svelte';
export { default as LeavingDialog } from './QuitDialog.svelte';
export { default as SpeechView } from '../features/speech/SpeechView.svelte';
export { default as ModelsView } from '../features/models/ModelsView.svelte';
export { default as VoicesView } from '../features/voices/VoicesView.svelte';
export { default as SettingsView } from '../features/settings/SettingsView.svelte';
export { default as WatchView } from '../features/watch/WatchView.svelte';
