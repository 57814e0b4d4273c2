import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preset } from '../../../shared/schemas/preset.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { formatPresets, parsePresets, readPresets } from './preset-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-preset-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function outcomeOf(text: string | Buffer): Promise<unknown> {
  const path = join(folder, 'presets.json');
  await writeFile(path, text);
  return readPresets(path).then(
    (entries) => entries.length,
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
}

describe('a file of presets', () => {
  it.each([
    ['broken JSON', '{"format":', 'preset/not-an-export'],
    ['nothing', '', 'preset/not-an-export'],
    ['another kind of file', '{"name":"Studio","hosts":{}}', 'preset/not-an-export'],
    ['a list', '[]', 'preset/not-an-export'],
    ['no version', '{"format":"timbre-presets"}', 'preset/not-an-export'],
    ['a later version', '{"format":"timbre-presets","version":2,"presets":{"any":"shape"}}', 'preset/export-newer'],
    ['a byte order mark', '\ufeff{"format":"timbre-presets","version":1,"presets":[]}', 0],
  ])('with %s', async (_name, text, outcome) => expect(await outcomeOf(text)).toBe(outcome));

  it('with more than 1 MB is refused', async () =>
    expect(await outcomeOf(Buffer.alloc(1024 ** 2 + 1, ' '))).toBe('preset/export-too-large'));

  it('with more than 1,000 entries is refused, however small they are', async () => {
    const fileOf = (count: number) =>
      `{"format":"timbre-presets","version":1,"presets":[${Array(count).fill('0').join(',')}]}`;
    expect(await outcomeOf(fileOf(1000))).toBe(1000);
    expect(await outcomeOf(fileOf(1001))).toBe('preset/export-too-large');
  });

  it('that is missing or a folder says so', async () => {
    await expect(readPresets(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'input/missing' });
    await expect(readPresets(folder)).rejects.toMatchObject({ code: 'input/not-a-file' });
  });

  it('names the connection, and has nothing else of it', () => {
    const preset: Preset = {
      id: '00000000-0000-4000-8000-000000000001',
      kind: 'speech',
      name: 'Evening',
      connectionId: 'north',
      connectionName: 'Studio North',
      voiceName: 'Anna',
      settings: { ...defaultSettings.speech, voiceId: 'anna' },
      revision: 7,
      isDefault: true,
    };
    expect(JSON.parse(formatPresets([preset]))).toEqual({
      format: 'timbre-presets',
      version: 1,
      presets: [
        {
          name: 'Evening',
          kind: 'speech',
          connection: { id: 'north', name: 'Studio North' },
          voice: 'Anna',
          settings: preset.settings,
        },
      ],
    });
    expect(parsePresets(formatPresets([preset]), 'f')[0]?.content).toMatchObject({ kind: 'speech', voiceName: 'Anna' });
  });

  it('names what is wrong without characters that would turn the sentence about it around', () => {
    const names = ['\u202eevil\u0000', `${'x'.repeat(79)}🌊`, 5];
    const text = JSON.stringify({ format: 'timbre-presets', version: 1, presets: names.map((name) => ({ name })) });
    expect(parsePresets(text, 'f').map(({ name }) => name)).toEqual(['evil', `${'x'.repeat(79)}\ufffd`, '']);
  });
});
