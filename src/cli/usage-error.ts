import { AppError } from '../shared/app-error.ts';

/** A command line that cannot be run. `text` is a whole sentence that says what to write instead. */
export const usageError = (text: string): AppError => new AppError('request/invalid', text, { words: text });
