import { skippedPresetText } from '../../shared/messages/preset-text.ts';
import { resolve } from 'node:path';
import type { Core } from '../../main/core/core.ts';
import { formatPresets, readPresets } from '../../main/core/presets/preset-file.ts';
import type { PresetStore } from '../../main/core/presets/preset-store.ts';
import { AppError } from '../../shared/errors.ts';
import { type Preset, type PresetImport, presetKinds } from '../../shared/schemas/preset.ts';
import type { Invocation, Run } from '../args.ts';
import { type ExitCode, exitCodes, UserError } from '../errors.ts';
import { openCore } from '../session.ts';
import { writeNewFile } from '../write-new-file.ts';

interface Opened {
  readonly core: Core;
  readonly presets: PresetStore;
}
type Action = (opened: Opened, invocation: Invocation) => Promise<ExitCode>;

const list: Action = ({ core, presets }, { output, messages }) => {
  const { cli, connection: names } = messages;
  const isMissing = ({ connectionId }: Preset): boolean => !core.connections.has(connectionId);
  const connectionOf = (preset: Preset): string => {
    if (isMissing(preset)) return cli.presets.missing({ connection: preset.connectionName });
    const { kind, name } = core.connections.getInfo(preset.connectionId);
    return kind === 'local' ? names.thisComputer : name;
  };
  const line = (preset: Preset): string => {
    const { name, voiceName, settings, isDefault } = preset;
    const parts = [name, voiceName || settings.voiceId, connectionOf(preset)];
    return [...parts, ...(isDefault ? [cli.presets.default] : [])].join(', ');
  };
  const all = presets.list();
  for (const kind of presetKinds) {
    const ofKind = all.filter((preset) => preset.kind === kind);
    if (ofKind.length > 0) output.print(`${cli.presets.kinds[kind]}:`, 'strong');
    for (const preset of ofKind) output.print(`  ${line(preset)}`);
  }
  if (all.length === 0) output.info(cli.presets.none);
  output.event({
    event: 'result',
    presets: all.map((preset) => ({ ...preset, isConnectionMissing: isMissing(preset) })),
  });
  return Promise.resolve(exitCodes.done);
};

const exportFile: Action = async ({ presets }, { args: [path], output, messages }) => {
  const { cli } = messages;
  const all = presets.list();
  const text = formatPresets(all);
  if (path === undefined || path === '-') {
    text
      .trimEnd()
      .split('\n')
      .forEach((line) => output.print(line));
    output.event({ event: 'result', document: JSON.parse(text) as unknown });
    return exitCodes.done;
  }
  await writeNewFile(path, text, messages);
  output.print(cli.presets.exported({ n: all.length, path }));
  output.event({ event: 'result', presets: all.length, output: resolve(path) });
  return exitCodes.done;
};

/** What is here already needs no attention; everything else that was skipped does. */
const exitOf = ({ skipped }: PresetImport): ExitCode =>
  skipped.every(({ reason }) => reason === 'known') ? exitCodes.done : exitCodes.input;

const importFile: Action = async ({ presets }, { args: [path = ''], output, messages, signal }) => {
  const { cli, format, presets: t } = messages;
  const entries = await readPresets(path, signal).catch((error: unknown) => {
    const isUnread = error instanceof AppError && error.code.startsWith('input/');
    throw isUnread ? new UserError(error.code, cli.speak.noFile({ path })) : error;
  });
  const outcome = presets.importAll(entries);
  output.print(format.sentence(t.importDialog.title({ n: outcome.imported })));
  for (const { from, to } of outcome.renamed) output.print(t.importDialog.renamed({ from, to }));
  for (const preset of outcome.skipped) {
    const text = skippedPresetText(preset, messages);
    if (preset.reason === 'known') output.print(text);
    else output.error(text);
  }
  output.event({ event: 'result', ...outcome });
  return exitOf(outcome);
};

const actions: Readonly<Record<string, Action>> = { list, export: exportFile, import: importFile };

export const presets: Run = async (invocation) => {
  const core = openCore(invocation);
  try {
    const { presets: store } = await core.data();
    return (await actions[invocation.verb]?.({ core, presets: store }, invocation)) ?? exitCodes.done;
  } finally {
    await core.stop();
  }
};
