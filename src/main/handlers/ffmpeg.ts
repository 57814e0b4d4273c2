import { basename } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import { type Ffmpeg, ffmpegVersion } from '../core/find-ffmpeg.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Dialogs } from './dialogs.ts';

interface Dependencies extends Pick<Dialogs, 'chooseProgram'> {
  readonly ffmpeg: Pick<Ffmpeg, 'status'>;
  settings(): Promise<Pick<SettingsStore, 'get' | 'update'>>;
}

/** The page never names a program: only the user does, in a system dialog. */
export function createFfmpegHandlers({ ffmpeg, settings, chooseProgram }: Dependencies): Handlers<Contract>['ffmpeg'] {
  return {
    async status() {
      await settings();
      return ffmpeg.status();
    },
    async choose() {
      const program = await chooseProgram();
      if (program === null) return null;
      if ((await ffmpegVersion(program)) === null) {
        throw new AppError('ffmpeg/wrong-program', program, { facts: { name: basename(program) } });
      }
      (await settings()).update({ ffmpegPath: program });
      return ffmpeg.status();
    },
    async reset() {
      (await settings()).update({ ffmpegPath: null });
      return ffmpeg.status();
    },
  };
}
