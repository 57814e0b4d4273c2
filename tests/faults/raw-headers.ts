/** Headers as received: name, value, name, value. */
export type RawHeaders = readonly string[];

/** Hop-by-hop headers (RFC 9110, 7.6.1), except Transfer-Encoding, which frames the body. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade']);

const pairs = (headers: RawHeaders): readonly (readonly [string, string])[] =>
  Array.from({ length: headers.length / 2 }, (_, at) => [headers[2 * at] ?? '', headers[2 * at + 1] ?? '']);

/** Removes the headers in `names` (lower case). */
export const withoutHeaders = (headers: RawHeaders, names: ReadonlySet<string>): readonly string[] =>
  pairs(headers)
    .filter(([name]) => !names.has(name.toLowerCase()))
    .flat();

export const withoutConnectionHeaders = (headers: RawHeaders): readonly string[] =>
  withoutHeaders(headers, ofTheConnection);

/** Sets a header in its place, or appends it. */
export function withHeader(headers: RawHeaders, name: string, value: string): readonly string[] {
  const has = pairs(headers).some(([known]) => known.toLowerCase() === name);
  if (!has) return [...headers, name, value];
  return pairs(headers).flatMap(([known, old]) => [known, known.toLowerCase() === name ? value : old]);
}

export const headerOf = (headers: RawHeaders, name: string): string | null =>
  pairs(headers).find(([known]) => known.toLowerCase() === name)?.[1] ?? null;

/** The header lines as sent, each with its line end. */
export const headerLines = (headers: RawHeaders): string =>
  pairs(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
