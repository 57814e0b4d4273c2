import { expect, it } from 'vitest';
import { runInSlices } from '../clock.ts';
import { speechJob } from '../jobs/job.fixture.ts';
import { readBatchFile } from './speech-batch.ts';
import { spokenPassages, spokenPassagesSliced } from './spoken-passages.ts';

const { settings } = speechJob();
const bookOf = (sentences: number): string =>
  Array.from({ length: sentences }, (_, k) => `The lamp of house ${k} went out.${k % 5 === 4 ? '\n\n' : ' '}`).join('');

it('a book is divided in turns, between which the process does other things, as it is at once', async () => {
  const book = bookOf(40_000);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const divided = await runInSlices(spokenPassagesSliced(book, settings, null));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  expect(divided).toHaveLength(40_000);
  expect(divided).toEqual(spokenPassages(book, settings, null));
});

it('a book whose job is cancelled is not divided to its end', async () => {
  const work = spokenPassagesSliced(bookOf(40_000), settings, null);
  const cancelled = new AbortController();
  const running = runInSlices(work, cancelled.signal);
  cancelled.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
  expect(work.next().done).toBe(false);
});

it('a file is divided into its paragraphs in turns, too', async () => {
  const bytes = Buffer.from('A lamp.\n'.repeat(300_000) + '\nThe end.');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const texts = await readBatchFile('/book.txt', bytes, 'paragraphs');
  clearInterval(timer);
  expect(texts).toHaveLength(2);
  expect(turns).toBeGreaterThan(3);
});
