import { toWatchedState, type FileView } from '../../main/core/watch/decisions.ts';
import type { FolderView } from '../../main/core/watch/watch-service.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import { type Messages, problemText } from '../../shared/messages/index.ts';
import type { WatchedState } from '../../shared/schemas/watch.ts';
import { sentence } from '../sentence.ts';

/** What a person at a terminal, or in a log, is told of a file: each thing once. `isBad` is something to look at. */
export interface ToldFile {
  readonly state: WatchedState;
  readonly text: string;
  readonly isBad: boolean;
}

const told = (state: WatchedState, text: string, isBad = false): ToldFile => ({ state, text, isBad });

/** Null for what passes by itself in a moment. */
export function fileLine(view: FileView, { folder, minutesToday }: FolderView, messages: Messages): ToldFile | null {
  const { job } = view;
  const { file: words } = messages.watch;
  const limitMinutes = folder.settings.dailyMinutes ?? 0;
  const state = toWatchedState(view, { usedMinutes: Math.round(minutesToday), limitMinutes });
  switch (state.kind) {
    case 'waiting':
      return state.wait.kind === 'budget'
        ? told(state, words.budget(state.wait.usedMinutes, state.wait.limitMinutes))
        : null;
    case 'job':
      if (!job || !hasEnded(job)) return null;
      if (job.state === 'done') return told(state, `-> ${job.output?.path ?? ''}`);
      return told(state, job.problem ? sentence(messages, job.problem) : messages.job.cancelled, true);
    case 'retrying':
      return told(
        state,
        `${problemText(messages, state.problem).title}. ${words.retrying(null, state.failures)}`,
        true,
      );
    case 'quarantined':
    case 'refused':
    case 'source-stays':
      return told(state, sentence(messages, state.problem), true);
    case 'same-sound':
      return told(state, words.sameSound(state.as));
    case 'other-settings':
      return told(state, words.otherSettings);
    case 'own-output':
    case 'before':
    case 'link':
    case 'placeholder':
      return null;
  }
}
