/** Numbers of entries that end in one millisecond (migration 6). */
const room = 1024;

/** Beyond every number; the database counts no further than JavaScript here. */
export const beyondAll = Number.MAX_SAFE_INTEGER;

/** The last time that an entry of another computer may have; behind it is room for centuries of those that share one. */
export const latestTime = Date.UTC(2200, 0);

/** The first number of an entry that ended at a time or later; milliseconds since 1970, infinite ones too. */
export const roomOf = (time: number): number => Math.min(time * room, beyondAll);

/** When the entry of a number ended, in milliseconds since 1970. */
export const timeOf = (number: number): number => Math.floor(number / room);
