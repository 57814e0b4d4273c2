import type { HistoryWork } from '../../../shared/wire/history.ts';

/** Told after each step of work that takes a while, and as cheap as a call: whoever shows it passes most of them over. */
export type TellProgress = (progress: Omit<HistoryWork, 'kind'>) => void;
