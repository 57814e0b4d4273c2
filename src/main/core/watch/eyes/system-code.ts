/** The system's name for what went wrong (`ENOENT`), if the error has one. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Nothing is at that path. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

export const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(systemCode(error) ?? '');

/** Too many files are open, here or on the whole machine. Passes by itself. */
export const isOutOfHandles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(systemCode(error) ?? '');
