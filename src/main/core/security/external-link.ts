/** The only places outside that Timbre opens in a browser. */
const allowedHosts: ReadonlySet<string> = new Set(['www.gnu.org']);

/**
 * The address to give to the system's browser, or undefined where the link is not one of ours. What is opened is the parsed address
 * written out again, never the text that came: a browser and a shell may read one text in two ways.
 */
export function externalLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const allowed =
    url.protocol === 'https:' && allowedHosts.has(url.hostname) && !url.username && !url.password && url.port === '';
  return allowed ? url.href : undefined;
}
