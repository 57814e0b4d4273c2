import { createContext } from 'svelte';
import type { Remedy } from '../../../shared/errors.ts';
import type { Clock } from './clock.svelte.ts';
import type { I18n } from './i18n.svelte.ts';
import type { KeyBindings } from './key-bindings.svelte.ts';
import type { Shell } from './shell.svelte.ts';
import type { Theme } from './theme.svelte.ts';
import type { Viewport } from './viewport.svelte.ts';

/** Carries out a remedy for a problem of this connection; null is the selected one. */
export type RunRemedy = (remedy: Remedy, connectionId: string | null) => void;

/** State that any component may need; everything else is passed as props. */
export const [getI18n, setI18n] = createContext<I18n>();
export const [getTheme, setTheme] = createContext<Theme>();
export const [getViewport, setViewport] = createContext<Viewport>();
export const [getShell, setShell] = createContext<Shell>();
export const [getClock, setClock] = createContext<Clock>();
export const [getKeyBindings, setKeyBindings] = createContext<KeyBindings>();
export const [getRunRemedy, setRunRemedy] = createContext<RunRemedy>();
