import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import type { Core } from '../core/core.ts';
import type { Data } from '../core/open-data.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import { announceHistory } from './history-news.ts';
import { announceJobs } from './job-news.ts';
import { announceWatch } from './watch-news.ts';

interface Dependencies extends Pick<Core, 'connections'> {
  readonly media: MediaRegistry;
  readonly emit: Emitters<Contract>;
  onDefect(error: unknown): void;
}

/** Tells the pages what changes in the data, for as long as it is open. */
export function announceData(
  { queue, watch, history, signal }: Data,
  { media, emit, connections, onDefect }: Dependencies,
): void {
  announceJobs(queue, media, emit.jobs);
  announceWatch(watch, { connections, signal, media, onDefect, emit: emit.watch });
  announceHistory(history, { media, emit: emit.history });
}
