import { ESLint } from 'eslint';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** The rules of imports alone, which need no types. */
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId.startsWith('no-restricted-'),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

/** What the rules say of one import in one existing file, written both ways: static first, then dynamic. */
async function judged(file: string, imported: string): Promise<readonly string[]> {
  if (!existsSync(join(root, file))) throw new Error(`no rule can be tested in ${file}: there is no such file`);
  const code = `import * as it from '${imported}';\nexport const used = [it, await import('${imported}')];\n`;
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  const said = result?.messages.filter(({ ruleId }) => ruleId?.startsWith('no-restricted-')) ?? [];
  return said.map(({ message }) => message);
}

describe('an import', () => {
  it.each([
    ['src/main/core/clock.ts', 'electron', 'src/main/electron'],
    ['src/main/handlers/app.ts', 'electron/main', 'src/main/electron'],
    ['src/processes/engine.ts', 'electron', 'src/main/electron'],
    ['src/main/core/core.ts', 'electron-store', 'SettingsStore'],
    ['src/main/electron/native-dialogs.ts', 'electron-store', 'SettingsStore'],
    ['src/main/core/core.ts', 'keytar', 'SecretStore'],
    ['src/main/electron/settings-store.ts', 'keytar', 'SecretStore'],
    ['src/main/core/jobs/scheduler.ts', 'undici', 'Http'],
    ['src/main/core/jobs/scheduler.ts', '../../handlers/jobs.ts', 'take it as a dependency'],
    ['src/main/core/jobs/scheduler.ts', '../../electron/ipc.ts', 'take it as a dependency'],
    ['src/shared/ipc/contract.ts', 'node:fs', 'page, main and command line all read it'],
    ['src/shared/ipc/contract.ts', 'svelte', 'page, main and command line all read it'],
    ['src/shared/ipc/inputs.ts', '../../main/core/clock.ts', 'page, main and command line all read it'],
    ['src/renderer/src/app/shortcut-actions.ts', 'node:path', 'client of the contract'],
    ['src/renderer/src/app/shortcut-actions.ts', '../../main/core/clock.ts', 'client of the contract'],
    ['src/renderer/src/features/jobs/pause-view.ts', '../history/query.svelte.ts', 'jobs imports only'],
    ['src/renderer/src/ui/row-layout.ts', '../features/jobs/jobs.svelte.ts', 'ui imports only'],
  ])('in %s of %s is rejected, with what to use instead', async (file, imported, instead) => {
    expect(await judged(file, imported)).toEqual([expect.stringContaining(instead), expect.stringContaining(instead)]);
  });

  it.each([
    ['src/main/electron/native-dialogs.ts', 'electron'],
    ['src/main/index.ts', 'electron'],
    ['src/preload/index.ts', 'electron'],
    ['src/main/electron/settings-store.ts', 'electron-store'],
    ['src/main/core/voice-service/http.ts', 'undici'],
    ['src/main/core/jobs/scheduler.ts', '../connections/connection-registry.ts'],
    ['src/shared/ipc/inputs.ts', 'valibot'],
    ['src/shared/ipc/inputs.ts', '../contract.ts'],
    ['src/renderer/src/features/jobs/pause-view.ts', '../player/player.svelte.ts'],
  ])('in %s of %s is allowed', async (file, imported) => {
    expect(await judged(file, imported)).toEqual([]);
  });
});

describe('words in markup', () => {
  const file = 'src/renderer/src/features/watch/PreviewPanel.svelte';
  const count = async (markup: string): Promise<number> => {
    const [result] = await eslint.lintText(`${markup}\n`, { filePath: join(root, file) });
    return result?.messages.filter(({ message }) => message.includes('catalogues of messages')).length ?? -1;
  };

  it.each([
    '<p>Hello there</p>',
    '<img alt="A cat" />',
    "<p>{done ? 'Done' : label}</p>",
    "<button title={done ? 'show it again' : label}></button>",
    '<input placeholder={`Search ${label}`} />',
  ])('in %s are rejected', async (markup) => {
    expect(await count(markup)).toBe(1);
  });

  it.each(["<p>{kind === 'speech' ? label : other}</p>", '<p>{label} {n} %</p>', '<p class="file row">{label}</p>'])(
    'are not in %s',
    async (markup) => {
      expect(await count(markup)).toBe(0);
    },
  );
});
