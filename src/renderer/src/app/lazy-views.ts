/** What is loaded after the first paint: views, dialogs and the application menu. */
export { default as ConvertView } from '../features/convert/ConvertView.svelte';
export { default as FirstStart } from '../features/convert/FirstStart.svelte';
export { default as LargeAdditionDialog } from '../features/convert/LargeAdditionDialog.svelte';
export { default as PreviewQuestionDialog } from '../features/voices/PreviewQuestionDialog.svelte';
export { default as DiagnosticsView } from '../features/diagnostics/DiagnosticsView.svelte';
export { default as HistoryView } from '../features/history/HistoryView.svelte';
export { default as LargestResultsDialog } from '../features/history/LargestResultsDialog.svelte';
export { default as ModelsView } from '../features/models/ModelsView.svelte';
export { default as SettingsView } from '../features/settings/SettingsView.svelte';
export { default as SpeechView } from '../features/speech/SpeechView.svelte';
export { default as VoicesView } from '../features/voices/VoicesView.svelte';
export { default as WatchView } from '../features/watch/WatchView.svelte';
export { connectAppMenu } from './app-menu.svelte.ts';
export { default as CommandPalette } from './CommandPalette.svelte';
export { default as CountdownDialog } from './CountdownDialog.svelte';
export { default as CloseDialog } from './CloseDialog.svelte';
export { default as QuitDialog } from './QuitDialog.svelte';
export { default as ShortcutsDialog } from './ShortcutsDialog.svelte';
