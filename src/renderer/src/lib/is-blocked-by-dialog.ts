/** True while a dialog is open, except the sheet, which is the side panel of a narrow window. Nothing beneath it acts. */
export const isBlockedByDialog = (): boolean => document.querySelector('dialog:modal:not(.sheet)') !== null;
