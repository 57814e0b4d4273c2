import type { Messages } from '../../../../shared/messages/index.ts';

/** A day as it is called now: today, yesterday, else by its date. */
export function dayName(startsAt: number, now: number, { history: t, format }: Messages): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (startsAt >= today) return t.today;
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  return startsAt >= yesterday.getTime() ? t.yesterday : format.day(startsAt, now);
}
