import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { Data } from '../core/open-data.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import type { HistoryFileHandlers } from './history-files.ts';
import { toHistoryDetail, toHistoryRow } from './history-views.ts';

interface Dependencies {
  data(): Promise<Pick<Data, 'history'>>;
  readonly media: MediaRegistry;
}

type Answers = Omit<Handlers<Contract>['history'], keyof HistoryFileHandlers>;

export function createHistoryHandlers({ data, media }: Dependencies): Answers {
  const history = async () => (await data()).history;
  return {
    async search({ text }) {
      const { entries, ...page } = (await history()).search(text);
      return { ...page, rows: entries.map((entry) => toHistoryRow(entry, media)) };
    },
    rows: async ({ list, from, count }) =>
      (await history()).rows(list, from, count).map((entry) => toHistoryRow(entry, media)),
    suggest: async ({ text, caret }) => (await history()).suggest(text, caret),
    detail: async ({ id }) => toHistoryDetail((await history()).detail(id), media),
    tags: async () => (await history()).tags(),
  };
}
