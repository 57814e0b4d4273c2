import { ffmpegAdvice } from './de-problems.ts';
import type { enFfmpeg } from './en-ffmpeg.ts';

export const deFfmpeg: typeof enFfmpeg = {
  title: 'Weitere Formate',
  lead: 'Die meisten Aufnahmen liest Timbre selbst. Für einige andere, etwa Speex oder Apple Lossless in caf, nutzt es ffmpeg, ein freies Programm, das nichts versendet.',
  none: 'Auf diesem Computer nicht gefunden',
  install: (system) => ffmpegAdvice({ system }),
  version: (version, isSelected) =>
    isSelected ? `Version ${version}, von Ihnen gewählt` : `Version ${version}, auf diesem Computer gefunden`,
  broken: 'Dieses Programm startet nicht. Wählen Sie ein anderes.',
  choose: 'ffmpeg wählen …',
  change: 'Anderes wählen …',
  reset: 'Das auf diesem Computer verwenden',
  again: 'Noch einmal suchen',
};
