import { join } from 'node:path';

/** Absolute path of the project. */
export const root = join(import.meta.dirname, '..');
