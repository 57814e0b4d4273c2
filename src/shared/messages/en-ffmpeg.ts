import { ffmpegAdvice } from './en-problems.ts';

/** The program for further formats, in Settings. */
export const enFfmpeg = {
  title: 'More formats',
  lead: 'Timbre reads most recordings by itself. For a few others, such as Speex or Apple Lossless in caf, it uses ffmpeg, a free program that never sends anything.',
  none: 'Not found on this computer',
  install: (system: string) => ffmpegAdvice({ system }),
  version: (version: string, isSelected: boolean) =>
    isSelected ? `Version ${version}, chosen by you` : `Version ${version}, found on this computer`,
  broken: 'This program doesn’t start. Choose another one.',
  choose: 'Choose ffmpeg…',
  change: 'Choose another…',
  reset: 'Use the one on this computer',
  again: 'Look again',
};
