import * as v from 'valibot';

/** A positive, finite ratio: 1 leaves the sound as it is. The narrower range of a connection is checked where it is known. */
export const ratio = v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be greater than 0'));

/** Half of a character is no name of anything, and cannot stand in an address or a file. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must hold whole characters');
