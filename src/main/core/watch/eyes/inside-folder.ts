import { sep } from 'node:path';

/** A path is below a folder, both relative to the same root. */
export const isInsideFolder = (folder: string, path: string): boolean => path.startsWith(`${folder}${sep}`);
