// Maps the app's own schemes to addresses that Chromium supports, since new schemes can't be added from outside:
// app://timbre/x becomes http://timbre.app.localhost/x, a secure context with a stable origin of its own.

/** Maps addresses of the app's schemes to Chromium's and back; all others pass unchanged. */
export interface SchemeMap {
  readonly schemes: ReadonlySet<string>;
  add(scheme: string): void;
  toChromium(url: string): string;
  toApp(url: string): string;
  /** Maps `app:` and `app://timbre` in a Content-Security-Policy header. */
  policyToChromium(policy: string): string;
}

export function createSchemeMap(): SchemeMap {
  const schemes = new Set<string>();

  const toChromium = (url: string): string =>
    url.replace(/^([a-z][\w+.-]*):\/\/([^/?#]*)/i, (all, scheme: string, host: string) =>
      schemes.has(scheme) ? `http://${host || 'host'}.${scheme}.localhost` : all,
    );

  const toApp = (url: string): string =>
    url.replace(/^http:\/\/([^/?#]+)\.([\w+-]+)\.localhost(?=[/?#]|$)/, (all, host: string, scheme: string) =>
      schemes.has(scheme) ? `${scheme}://${host}` : all,
    );

  const sourceToChromium = (source: string): string => {
    const [, scheme, host] = /^([a-z][\w+.-]*):(\/\/.+)?$/.exec(source) ?? [];
    if (scheme === undefined || !schemes.has(scheme)) return source;
    return host === undefined ? `http://*.${scheme}.localhost` : toChromium(source);
  };

  return {
    schemes,
    add: (scheme) => void schemes.add(scheme),
    toChromium,
    toApp,
    policyToChromium: (policy) =>
      policy
        .split(/([;\s,]+)/)
        .map(sourceToChromium)
        .join(''),
  };
}
