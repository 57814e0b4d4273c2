import { mount } from 'svelte';
import { type Bridge, createClient } from '../../shared/ipc/client.ts';
import { contract } from '../../shared/ipc/contract.ts';
import { loadMessages } from '../../shared/messages/index.ts';
import App from './app/App.svelte';
import { AppState } from './app/app-state.svelte.ts';
import { rememberedFormatLocale, rememberedLanguages } from './lib/i18n.svelte.ts';
import './styles/index.css';

declare global {
  interface Window {
    readonly bridge: Bridge<File>;
  }
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no mount element');

const app = new AppState(
  createClient(contract, window.bridge),
  (file) => window.bridge.pathForFile(file),
  await loadMessages(rememberedLanguages(), rememberedFormatLocale()),
);
app.theme.restore();
app.shell.restoreView();
target.replaceChildren();
mount(App, { target, props: { app } });
// The frame is painted first: what main reads for the answers would hold up the files of the page.
requestAnimationFrame(() => setTimeout(() => void app.start()));
