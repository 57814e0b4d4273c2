/** Midnight of this computer's calendar, in milliseconds since 1970. */
export const startOfDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
