/**
 * C0, DEL, C1, line separators and bidirectional controls, which a terminal would interpret instead
 * of showing. Names, texts and sentences may come from a service or another computer.
 */
// eslint-disable-next-line no-control-regex -- intended
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Control characters that no text contains. Blanks and line breaks are not among them. */
// eslint-disable-next-line no-control-regex -- intended
export const binaryCharacters = /[\0-\x08\x0e-\x1f\x7f]/;

/** Characters that are not shown, such as marks of direction and joiners of zero width. */
export const invisibleCharacters = /(?=\p{Default_Ignorable_Code_Point})\p{Cf}/gu;
