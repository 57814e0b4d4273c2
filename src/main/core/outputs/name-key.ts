/**
 * Equal for paths that some file system takes for one: NFC and NFD, and case. Lower, then upper case stands in for full case folding,
 * which JavaScript does not have: by way of lower case all variants of a letter meet in one upper case (`ẞ`, `ß` and `SS`; `Ω` and
 * the ohm sign), in the same way in every locale. NFC at the end, because case mapping can take letters apart. It makes more names
 * equal than any one file system does, which costs a number in a name; the other way round it would cost a file.
 */
export const nameKey = (path: string): string => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
