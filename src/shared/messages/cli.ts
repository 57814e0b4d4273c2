import type { CliMessages as Section } from './compiled/en-cli.ts';
import { loadMessages, type Messages } from './index.ts';
import { spokenLanguage } from './languages.ts';

/** All messages, with those of the command line. */
export type CliMessages = Messages & { readonly cli: Section };

/** Like `loadMessages`. */
export async function loadCliMessages(tags: string | readonly string[], regional?: string): Promise<CliMessages> {
  const [app, { messages }] = await Promise.all([
    loadMessages(tags, regional),
    import(`./compiled/${spokenLanguage(tags)}-cli.ts`) as Promise<typeof import('./compiled/en-cli.ts')>,
  ]);
  return { ...app, cli: messages(app.format) };
}
