import { createContext } from 'svelte';
import type { Look } from './theme.svelte.ts';
import type { I18n } from './i18n.svelte.ts';

/** The two things that every component may need: how things look and what they are called. All else comes as props. */
export const [getLook, setLook] = createContext<Look>();
export const [getWords, setWords] = createContext<I18n>();
