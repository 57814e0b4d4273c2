import type { Messages } from '../../../../shared/messages/index.ts';
import type { AddedJobs } from '../../../../shared/wire/job.ts';

/** What became of the last things that were added, in a sentence or two; empty where nothing was. */
export function addedWords(report: AddedJobs | null, pending: number, { convert: t }: Messages): string {
  if (pending > 0) return t.adding(pending);
  if (!report) return '';
  const { added, refused, leftOut, withoutPath } = report;
  const isAllPathless = withoutPath > 0 && added + refused + leftOut === 0;
  return [isAllPathless ? '' : t.added(report), withoutPath > 0 ? t.withoutPath(withoutPath) : '']
    .filter((part) => part !== '')
    .join(' ');
}
