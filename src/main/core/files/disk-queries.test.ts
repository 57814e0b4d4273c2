import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDiskQueries } from './disk-queries.ts';

it('does not wait for a disk that hangs or query it again, and continues with other disks', async () => {
  let deadline = Promise.withResolvers<void>();
  const clock = { sleep: () => deadline.promise };
  const careful = createDiskQueries({ clock, platform: 'darwin' });
  const answer = Promise.withResolvers<string>();
  let asked = 0;
  const hang = () => {
    asked += 1;
    return answer.promise;
  };
  const waiting = [careful.query('/Volumes/nas/a', hang), careful.query('/Volumes/nas/b', hang)];
  expect(await careful.query('/Users/a', () => Promise.resolve('here'))).toBe('here');
  deadline.resolve();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(asked).toBe(1);
  deadline = Promise.withResolvers();
  answer.resolve('at last');
  await nextTurn();
  expect(await careful.query('/Volumes/nas/c', () => Promise.resolve('here'))).toBe('here');
});
