// Electron's dialogs through zenity, which shows native ones.
import { statSync } from 'node:fs';
import type Electron from 'electron';
import { findProgram } from '../chromium/find-chromium.mts';
import { runProgram } from '../launch/program.mts';
import { notImplemented, strict } from '../strict.mts';

/** Separates the paths that zenity prints; unlikely in a file name. */
const separator = '\u001f';

type Optional<T> = [options: T] | [window: unknown, options: T];

const lastOf = <T,>(args: Optional<T>): T => args[args.length - 1] as T;

/** Runs zenity. Without a display it counts as missing. */
async function zenity(call: string, args: readonly string[]): Promise<{ confirmed: boolean; output: string }> {
  const purpose = `dialog.${call}`;
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) throw new Error(`host: ${purpose} needs zenity`);
  const { code, output } = await runProgram(purpose, 'zenity', args);
  return { confirmed: code === 0, output: output.replace(/\n$/, '') };
}

const bothCases = (letter: string) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

/** zenity's patterns are case-sensitive, so each letter is passed in both cases: `*.[wW][aA][vV]`. */
function filterArguments(filters: readonly Electron.FileFilter[] = []): string[] {
  return filters.map(({ name, extensions }) => {
    const patterns = extensions.map(
      (extension) => `*${extension === '*' ? '' : `.${extension.replace(/[a-z]/gi, bothCases)}`}`,
    );
    return `--file-filter=${name} | ${patterns.join(' ')}`;
  });
}

/** An initial directory must end in a slash; otherwise zenity treats its last part as a file name. */
function startArguments(title: string | undefined, defaultPath: string | undefined): string[] {
  const args = title === undefined ? [] : [`--title=${title}`];
  if (defaultPath === undefined) return args;
  const isDirectory = statSync(defaultPath, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return [...args, `--filename=${isDirectory && !defaultPath.endsWith('/') ? `${defaultPath}/` : defaultPath}`];
}

async function showOpenDialog(...args: Optional<Electron.OpenDialogOptions>): Promise<Electron.OpenDialogReturnValue> {
  const { title, defaultPath, filters, properties = [] } = lastOf(args);
  const { confirmed, output } = await zenity('showOpenDialog', [
    '--file-selection',
    ...(properties.includes('openDirectory') ? ['--directory'] : []),
    ...(properties.includes('multiSelections') ? ['--multiple'] : []),
    `--separator=${separator}`,
    ...startArguments(title, defaultPath),
    ...filterArguments(filters),
  ]);
  return { canceled: !confirmed, filePaths: confirmed ? output.split(separator) : [] };
}

async function showSaveDialog(...args: Optional<Electron.SaveDialogOptions>): Promise<Electron.SaveDialogReturnValue> {
  const { title, defaultPath, filters } = lastOf(args);
  const { confirmed, output } = await zenity('showSaveDialog', [
    '--file-selection',
    '--save',
    ...startArguments(title, defaultPath),
    ...filterArguments(filters),
  ]);
  return { canceled: !confirmed, filePath: confirmed ? output : '' };
}

const iconArguments: Readonly<Record<string, string>> = { info: '--info', warning: '--warning', error: '--error' };

async function showMessageBox(...args: Optional<Electron.MessageBoxOptions>): Promise<Electron.MessageBoxReturnValue> {
  const { message, detail, title, type = 'none', buttons = [], cancelId, checkboxLabel } = lastOf(args);
  if (checkboxLabel !== undefined) throw notImplemented('dialog.showMessageBox with a checkbox');
  const labels = buttons.length > 0 ? buttons : ['OK'];
  const text = detail === undefined ? message : `${message}\n\n${detail}`;
  const { output } = await zenity('showMessageBox', [
    // Only --question supports custom buttons; --switch removes its Yes and No.
    ...(labels.length > 1
      ? ['--question', '--switch', ...labels.map((label) => `--extra-button=${label}`)]
      : [iconArguments[type] ?? '--info', `--ok-label=${labels[0]}`]),
    '--no-markup',
    `--text=${text}`,
    ...(title === undefined ? [] : [`--title=${title}`]),
  ]);
  const pressed = labels.indexOf(output);
  const canceled = labels.findIndex((label) => /^(cancel|no)$/i.test(label));
  return { response: pressed >= 0 ? pressed : (cancelId ?? Math.max(0, canceled)), checkboxChecked: false };
}

/** Without a display the text goes to stderr, as in Electron on Linux before `ready`. */
function showErrorBox(title: string, content: string): void {
  const canDraw = findProgram('zenity') !== undefined && Boolean(process.env['DISPLAY']);
  if (!canDraw) {
    process.stderr.write(`${title}\n${content}\n`);
    return;
  }
  const args = ['--error', '--no-markup', `--title=${title}`, `--text=${content}`];
  zenity('showErrorBox', args).catch((error: unknown) => console.error(error));
}

/** Tests replace its members, with Electron as well. */
export const dialog = strict('dialog', {
  showOpenDialog,
  showSaveDialog,
  showMessageBox,
  showErrorBox,
} satisfies Partial<Electron.Dialog>) as unknown as Electron.Dialog;
