/** The form in which the names of connections and of presets are compared. */
export const comparableName = (name: string): string => name.trim().normalize('NFC').toLowerCase();
