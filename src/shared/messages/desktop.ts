import type { DesktopMessages as Section } from './compiled/en-desktop.ts';
import { loadMessages, type Messages } from './index.ts';
import { spokenLanguage } from './languages.ts';

/** All messages, with those of the system's menus and notifications. */
export type DesktopMessages = Messages & Section;

/** Like `loadMessages`. */
export async function loadDesktopMessages(
  tags: string | readonly string[],
  regional?: string,
): Promise<DesktopMessages> {
  const [app, { messages }] = await Promise.all([
    loadMessages(tags, regional),
    import(`./compiled/${spokenLanguage(tags)}-desktop.ts`) as Promise<typeof import('./compiled/en-desktop.ts')>,
  ]);
  return { ...app, ...messages(app.format) };
}
