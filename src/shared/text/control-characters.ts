/**
 * C0, DEL, C1, the separators of lines, and what turns the direction of text round: a terminal would act on them in place of showing
 * them. Names, texts and sentences may come from a service or from another computer.
 */
// eslint-disable-next-line no-control-regex -- these are meant
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
