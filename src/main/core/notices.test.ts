import { expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNotices, sbomName } from './notices.ts';

it('a bill of materials is read with whole names, and the licences as they are named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-notices-'));
  const text = { content: 'The text' };
  const components = [
    { group: '@audio', name: 'decode', version: '1.0.0', licenses: [{ license: { id: 'MIT', text } }] },
    { name: 'dual', version: '2.0.0', licenses: [{ license: { name: '(MIT OR WTFPL)', text } }] },
  ];
  await writeFile(join(folder, sbomName), JSON.stringify({ bomFormat: 'CycloneDX', components }));
  expect(await readNotices(folder)).toEqual([
    { name: '@audio/decode', version: '1.0.0', licence: 'MIT', text: 'The text' },
    { name: 'dual', version: '2.0.0', licence: '(MIT OR WTFPL)', text: 'The text' },
  ]);
  await rm(folder, { recursive: true });
});
