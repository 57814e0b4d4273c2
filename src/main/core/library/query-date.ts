const written = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ago = /^(\d{1,4})([dwmy])$/;

const startOf = (year: number, month: number, day: number): number => new Date(year, month, day).getTime();

/**
 * When what a person wrote in a date filter begins: `2026`, `2026-03`, `2026-03-15`, `today`, `yesterday`, or as many days, weeks,
 * months or years ago (`7d`, `2w`, `3m`, `1y`). Milliseconds since 1970, by the calendar of this place; null for what is no date.
 */
export function startOfDate(text: string, now: number): number | null {
  const word = text.toLowerCase();
  const at = new Date(now);
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()] as const;
  if (word === 'today') return startOf(year, month, day);
  if (word === 'yesterday') return startOf(year, month, day - 1);
  const back = ago.exec(word);
  if (back) {
    const count = Number(back[1]);
    if (back[2] === 'd') return startOf(year, month, day - count);
    if (back[2] === 'w') return startOf(year, month, day - 7 * count);
    const months = back[2] === 'm' ? count : 12 * count;
    // A month before the 31st of March is the last day of February.
    const lastDay = new Date(year, month - months + 1, 0).getDate();
    return startOf(year, month - months, Math.min(day, lastDay));
  }
  const parts = written.exec(word);
  if (!parts) return null;
  const [theYear, theMonth, theDay] = [Number(parts[1]), Number(parts[2] ?? 1) - 1, Number(parts[3] ?? 1)] as const;
  if (theYear < 1970) return null;
  const date = new Date(theYear, theMonth, theDay);
  // The thirtieth of February would be the second of March.
  return date.getMonth() === theMonth && date.getDate() === theDay ? date.getTime() : null;
}
