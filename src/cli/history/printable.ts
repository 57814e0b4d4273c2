/** Names and texts may come from another computer: what a terminal would act on, in place of showing it, is one sign each. */
// eslint-disable-next-line no-control-regex -- these are meant
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

/** As `printable`, in one line. */
export const printableLine = (text: string): string => printable(text.replace(/\s+/g, ' '));
