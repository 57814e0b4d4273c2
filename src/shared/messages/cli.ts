import { loadMessages, type Messages, spokenLanguage } from './index.ts';

/** Those of the command line, which the page does not load. */
const catalogues = {
  en: async () => (await import('./en-cli.ts')).enCli,
  de: async () => (await import('./de-cli.ts')).deCli,
} as const;

/** All messages, with those of the command line. */
export type CliMessages = Messages & { readonly cli: Awaited<ReturnType<typeof catalogues.en>> };

/** Like `loadMessages`. */
export async function loadCliMessages(tags: string | readonly string[]): Promise<CliMessages> {
  const [messages, cli] = await Promise.all([loadMessages(tags), catalogues[spokenLanguage(tags)]()]);
  return { ...messages, cli };
}
