import { twoDigits } from './iso-day.ts';

/** A part of each day, in minutes since midnight of this computer's time zone. It may contain midnight. */
export interface Hours {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export function isWithinHours({ from, to }: Hours, date: Date): boolean {
  const minute = date.getHours() * 60 + date.getMinutes();
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** `06:30` for 390 minutes after midnight. */
export const timeOfDay = (minutes: number): string =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

/** Both ends, for messages. */
export const timesOf = ({ from, to }: Hours): { readonly from: string; readonly to: string } => ({
  from: timeOfDay(from),
  to: timeOfDay(to),
});

/** Reads hours written as `22:00-06:00`. */
export function parseHours(text: string): Hours | undefined {
  const [, ...digits] = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = digits.map(Number);
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
  return hours.from === hours.to ? undefined : hours;
}
