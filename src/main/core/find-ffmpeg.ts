import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { FfmpegStatus } from '../../shared/schemas/app.ts';
import { withoutSecrets } from './child-process.ts';

/** Finds ffmpeg on this computer: where the user says, else on the PATH. */
export interface Ffmpeg {
  /** Absolute path; null if there is none. */
  find(): Promise<string | null>;
  /** Starts what was found, to learn its version. */
  status(): Promise<FfmpegStatus>;
}

interface Dependencies {
  /** The path that the user has selected; null for none. */
  readonly selected: () => string | null;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, as for `performance.now`. */
  readonly now: () => number;
}

/** Where package managers install on macOS. An app that the Finder starts has a PATH without them. */
const macFolders = ['/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin'];
/** How long it is remembered that there is none: a folder of many files must not search the PATH for each. */
const rememberMs = 3000;
const versionMs = 10_000;

/** The version that a program states if it is ffmpeg; null for any other, and for one that does not start. */
export const ffmpegVersion = (program: string): Promise<string | null> =>
  new Promise((resolve) => {
    const options = { timeout: versionMs, maxBuffer: 1024 * 1024, windowsHide: true, env: withoutSecrets(process.env) };
    execFile(program, ['-version'], options, (error, stdout) => {
      const [, version = null] = /^ffmpeg version (\S+)/.exec(stdout) ?? [];
      resolve(error ? null : version);
    });
  });

export function createFfmpeg({ selected, platform, env, now }: Dependencies): Ffmpeg {
  let found: string | null = null;
  let missingSince = -Infinity;
  let missingSelected: string | null = null;

  const isProgram = (path: string) =>
    access(path, platform === 'win32' ? constants.F_OK : constants.X_OK).then(
      () => true,
      () => false,
    );

  function candidates(): readonly string[] {
    // A relative folder would depend on the working directory.
    const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
    const name = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
    return [...folders, ...(platform === 'darwin' ? macFolders : [])].map((folder) => join(folder, name));
  }

  async function find(): Promise<string | null> {
    const wanted = selected();
    if (wanted !== null && (await isProgram(wanted))) return wanted;
    if (found !== null && (await isProgram(found))) return found;
    found = null;
    if (wanted === missingSelected && now() - missingSince < rememberMs) return null;
    for (const path of candidates()) {
      if (!(await isProgram(path))) continue;
      found = path;
      return path;
    }
    missingSelected = wanted;
    missingSince = now();
    return null;
  }

  return {
    find,
    async status() {
      const path = await find();
      return {
        path,
        version: path && (await ffmpegVersion(path)),
        isSelected: path !== null && path === selected(),
        system: platform,
      };
    },
  };
}
