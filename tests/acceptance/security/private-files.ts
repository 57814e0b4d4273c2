// Fails when anybody else can read or write what is in the data folder, or when results do not follow the person's own umask.
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const sample = join(import.meta.dirname, '../../../samples/lantern.mp3');
const commandLine = new URL('../../../out/main/cli.js', import.meta.url);
/** The uid of `nobody`: what it cannot read, no other user can. */
const stranger = 65_534;
/** The user's own file in a folder that is named as the data folder. */
const letter = 'letter.txt';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

async function convert(context: ScenarioContext, mask: number, name: string): Promise<{ data: string; out: string }> {
  const folder = join(context.folder, name);
  const [data, out] = [join(folder, 'data'), join(folder, 'out')];
  const args = ['convert', sample, '--voice', 'low-bronze', '--data-dir', data, '--out', out];
  const quoted = [process.execPath, commandLine.pathname, ...args].map((one) => `'${one}'`).join(' ');
  const child = context.spawn('sh', ['-c', `umask ${mask.toString(8).padStart(3, '0')}; exec ${quoted}`], {
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  must(code === 0, `${name}: the command ended with ${String(code)}`);
  return { data, out };
}

/** Tries each file as another user, where this process may become one. */
async function readByStranger(context: ScenarioContext, folder: string): Promise<number> {
  const entries = (await readdir(folder, { recursive: true })).filter((entry) => entry !== letter);
  must(entries.length > 3, `${folder} holds only ${entries.length} entries`);
  if (process.getuid?.() !== 0) return entries.length;
  await chmod(context.folder, 0o755);
  const program = `
    const fs = require('node:fs');
    process.setgid(${stranger}); process.setuid(${stranger});
    const open = (path, flags) => { try { fs.closeSync(fs.openSync(path, flags)); return true; } catch { return false; } };
    process.exit(${JSON.stringify(entries.map((entry) => join(folder, entry)))}.some((path) => open(path, 'r') || open(path, 'r+')) ? 1 : 0);
  `;
  const child = context.spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  must(code === 0, `${folder}: another user can open something in it`);
  return entries.length;
}

export const scenario: Scenario = {
  id: 'S16',
  title: 'no other user can read or write the data folder, and results follow the umask',
  async run(context) {
    let files = 0;
    for (const mask of [0o000, 0o022, 0o077]) {
      for (const kind of ['fresh', 'older', 'shared'] as const) {
        const name = `umask-${mask.toString(8)}-${kind}`;
        context.note(name);
        const given = join(context.folder, name, 'data');
        if (kind !== 'fresh') {
          await mkdir(given, { recursive: true });
          if (kind === 'shared') await writeFile(join(given, letter), '');
          await chmod(given, 0o755);
        }
        const { data, out } = await convert(context, mask, name);
        // A folder with other files is not Timbre's alone.
        const wanted = kind === 'shared' ? 0o755 : 0o700;
        must((await modeOf(data)) === wanted, `${name}: the data folder has mode ${(await modeOf(data)).toString(8)}`);
        files += await readByStranger(context, data);
        const [result = ''] = await readdir(out);
        const mode = await modeOf(join(out, result));
        must(mode === (0o666 & ~mask), `${name}: the result has mode ${mode.toString(8)}`);
      }
    }
    return { folders: 9, files, 'opened by another user': 0 };
  },
};
