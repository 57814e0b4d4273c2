import { expect, test } from 'vitest';
import { createSerializer } from './serializer.ts';

test('tasks run one at a time in the order of the calls, also after one that fails', async () => {
  const serialized = createSerializer();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => serialized(task(name))));
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
