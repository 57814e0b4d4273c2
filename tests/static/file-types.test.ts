import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../build/electron-builder.js';

const { mac, linux } = config as {
  readonly mac: { readonly fileAssociations: readonly { readonly ext: readonly string[] }[] };
  readonly linux: { readonly mimeTypes: readonly string[] };
};
const onMac = mac.fileAssociations.flatMap(({ ext }) => ext);

it('the setup for Windows offers Timbre for the recordings that macOS has, and takes it back', () => {
  const script = readFileSync(join(import.meta.dirname, '../../build/installer.nsh'), 'utf8');
  expect([...script.matchAll(/!insertmacro offerFor (\w+)/g)].map(([, ending]) => ending)).toEqual(onMac);
  expect(script).toContain(
    String.raw`DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"`,
  );
});

it('Linux offers Timbre for the same recordings', () => {
  const endings = linux.mimeTypes.map((type) => type.replace(/^audio\/(x-)?/, ''));
  const names: Readonly<Record<string, string>> = { mpeg: 'mp3', mp4: 'm4a' };
  // A desktop opens an Opus file with what opens Ogg.
  const missing = onMac.filter((ending) => !['opus', ...endings.map((name) => names[name] ?? name)].includes(ending));
  expect(missing).toEqual(['caf']);
});
