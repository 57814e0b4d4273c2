import { expect, test } from 'vitest';
import { missing, strict } from './strict.mts';

test('known members pass and can be replaced, and unknown ones throw with their name', () => {
  const dialog = strict('dialog', { show: (): number => 1 });
  dialog.show = () => 2;
  expect(dialog.show()).toBe(2);
  expect(() => (dialog as unknown as { hide(): void }).hide()).toThrow('host: dialog.hide is not implemented');
});

test('names that Node and promises look up are undefined', async () => {
  const thing = strict('thing', {});
  expect(await Promise.resolve(thing)).toBe(thing);
  expect((thing as { dock?: unknown }).dock).toBeUndefined();
});

test('a missing module can be passed around, and throws once it is used', () => {
  const Tray = missing('Tray') as new () => unknown;
  const exported: Record<string, unknown> = { Tray };
  expect(Object.keys(exported)).toEqual(['Tray']);
  expect(() => new Tray()).toThrow('host: Tray is not implemented');
  expect(() => (Tray as unknown as { show(): void }).show()).toThrow('host: Tray.show is not implemented');
});
