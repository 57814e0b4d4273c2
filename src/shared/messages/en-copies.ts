import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const copies = (n: number) => count(n, { one: '# copy', other: '# copies' });

/** Timbre's own copies of results, in Settings. */
export const enCopies = {
  title: 'Copies of results',
  lead: 'While Timbre has a copy of a result, History can restore it after the file was deleted.',
  keep: 'Keep a copy of each result',
  keepHint: 'New results are copied once they are saved. Copies stay on this computer.',
  limit: 'Space for copies',
  limitHint: 'When it’s used up, the oldest copies are deleted. A result that needs more is not copied.',
  limitError: (min: number, max: number) =>
    `Enter a whole number of GB from ${format.number(min)} to ${format.number(max)}.`,
  used: 'Copies now',
  usage: (n: number, bytes: number) => (n === 0 ? 'None yet' : `${copies(n)}, ${format.bytes(bytes)}`),
  waiting: (n: number) => count(n, { one: '# result is being copied.', other: '# results are being copied.' }),
  notCopied: {
    full: (folder: string) =>
      `The last result wasn’t copied because the disk of ${folder} is nearly full. Free some space, or lower the limit.`,
    'not-writable': (folder: string) =>
      `The last result wasn’t copied because Timbre can’t write to ${folder}. Allow writing there.`,
    other: (folder: string) => `The last result wasn’t copied to ${folder}. Check its disk; the log says more.`,
  },
  show: 'Show folder',
  existing: 'Copy existing results',
  existingStarted: 'Existing results are being copied, newest first.',
  removeAll: 'Delete all copies…',
  removing: {
    title: 'Delete all copies?',
    text: (n: number, bytes: number) =>
      `${copies(n)} with ${format.bytes(bytes)} will be deleted. Results and history stay, but a result that is already gone can’t be restored any more.`,
    confirm: 'Delete copies',
    cancel: 'Cancel',
  },
};
