import { expect, it } from 'vitest';
import { withoutCredentials } from './doctor.ts';

it.each([
  ['http://proxy.test:3128', 'http://proxy.test:3128'],
  ['http://user:secret@proxy.test:3128/', 'http://proxy.test:3128'],
  ['http://user:sec@ret@proxy.test', 'http://proxy.test'],
  ['http:user:secret@proxy.test', 'http://proxy.test'],
  ['http:/user:secret@proxy.test', 'http://proxy.test'],
  ['http:\\\\user:secret@proxy.test', 'http://proxy.test'],
  ['http://user:sec/ret@proxy.test', 'proxy.test'],
  ['user:secret@proxy.test:1', 'proxy.test:1'],
])('%j is shown as %j, without its credentials', (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown);
});
