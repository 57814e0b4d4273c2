import type { Contract } from '../../shared/ipc/contract.ts';
import type { Handlers, RequestName } from '../../shared/ipc/define-contract.ts';
import type { Data } from '../core/data.ts';

/** What data that can only be read still answers: what changes neither it nor the files beside it, and sends nothing. */
const reading: { readonly [G in keyof Contract]: 'all' | readonly RequestName<Contract[G]>[] } = {
  app: 'all',
  // None of these is in the database.
  settings: 'all',
  ffmpeg: 'all',
  updates: 'all',
  connections: ['list', 'getDocument', 'exportFile', 'getTokenState'],
  voices: [
    'list',
    'get',
    'findLastUsed',
    'listFavourites',
    'listRecent',
    'listNotes',
    'cancelPreviews',
    'getExcerpt',
    'listFeatures',
  ],
  models: ['list'],
  // A draft is the user's own text, and would be lost.
  speech: ['outline', 'listPassages', 'takeUsage', 'saveDraft', 'readText'],
  jobs: ['list', 'getProcessingSpeed', 'pauses', 'reveal', 'getWaveform'],
  watch: ['list', 'findFolders', 'listFiles', 'explain', 'reveal'],
  history: [
    'search',
    'rows',
    'suggest',
    'detail',
    'getFileStatus',
    'tags',
    'largestResults',
    'statistics',
    'exportStatistics',
    'hasRestorable',
    'export',
    'cancelTask',
    'copyPaths',
    'copyFiles',
    'share',
    'drag',
  ],
  copies: ['status', 'reveal'],
  hook: ['status'],
  pronunciations: ['list', 'exportFile'],
  presets: ['list', 'exportFile'],
  diagnostics: ['runChecks', 'readLog', 'revealLog', 'chooseFile', 'cancelCall'],
};

type Handler = (...args: readonly unknown[]) => unknown;

/** The handlers, of which those that could change data reject with its refusal if it can only be read. */
export function refuseChanges(
  handlers: Handlers<Contract>,
  data: () => Promise<Pick<Data, 'refusal'>>,
): Handlers<Contract> {
  const guarded =
    (handler: Handler): Handler =>
    async (...args) => {
      // Data that cannot be opened is the handler's to report: not every one needs it.
      const opened = await data().catch(() => undefined);
      if (opened?.refusal) throw opened.refusal;
      return handler(...args);
    };
  const groups = Object.entries(handlers).map(([group, all]) => {
    const allowed: 'all' | readonly string[] = reading[group as keyof Contract];
    const entries = Object.entries(all as Readonly<Record<string, Handler>>).map(
      ([name, handler]) => [name, allowed === 'all' || allowed.includes(name) ? handler : guarded(handler)] as const,
    );
    return [group, Object.fromEntries(entries)] as const;
  });
  // The loop keeps every key and signature; the compiler cannot follow Object.fromEntries.
  return Object.fromEntries(groups) as Handlers<Contract>;
}
