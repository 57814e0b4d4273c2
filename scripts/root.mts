import { join } from 'node:path';

/** The folder of the project. */
export const root = join(import.meta.dirname, '..');
