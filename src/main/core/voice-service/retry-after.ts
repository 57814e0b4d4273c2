const longestSeconds = 3600;

/** A date of HTTP (RFC 9110, 5.6.7) in milliseconds since 1970. Its oldest form names no zone and means GMT, too. */
function httpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * The pause that a reply asks for, in whole seconds from 0 to an hour; undefined where it asks for none or cannot be read. A date
 * is held against the reply's own `Date`, because the clock of either side may be wrong; `nowMs` stands in where there is none.
 */
export function retryAfterSeconds(retryAfter: string, date: string, nowMs: number): number | undefined {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  const seconds = Math.ceil((until - (httpDate(date.trim()) ?? nowMs)) / 1000);
  return Math.min(Math.max(seconds, 0), longestSeconds);
}
