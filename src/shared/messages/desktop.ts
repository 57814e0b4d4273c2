import { loadMessages, type Messages, spokenLanguage } from './index.ts';

/** Those of the system's menus and notifications, which the page does not load. */
const catalogues = {
  en: async () => (await import('./en-desktop.ts')).enDesktop,
  de: async () => (await import('./de-desktop.ts')).deDesktop,
} as const;

/** All messages, with those of the system's menus and notifications. */
export type DesktopMessages = Messages & Awaited<ReturnType<typeof catalogues.en>>;

/** Like `loadMessages`. */
export async function loadDesktopMessages(tags: string | readonly string[]): Promise<DesktopMessages> {
  const [messages, desktop] = await Promise.all([loadMessages(tags), catalogues[spokenLanguage(tags)]()]);
  return { ...messages, ...desktop };
}
