import * as v from 'valibot';

/** The input of a request that has none. */
export const nothing = v.optional(v.undefined());

export const uuid = v.pipe(v.string(), v.uuid());

/** A lone surrogate cannot be in a URL or a file name. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must hold whole characters');

export const connectionId = v.pipe(v.string(), v.maxLength(64), wellFormed);

export const voiceId = v.pipe(v.string(), v.maxLength(1024), wellFormed);

/** A positive, finite ratio; 1 changes nothing. The connection's narrower range is checked elsewhere. */
export const ratio = v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be greater than 0'));
