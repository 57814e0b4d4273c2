import { servePool } from '../sound/serve-pool.ts';
import { convertFile, type ConvertResult } from './convert-file.ts';
import { measureVoice, type MeasuredVoice } from './measure-voice.ts';
import { speakToFile } from './speech/speak-to-file.ts';
import { createThreadedEncoder } from './threaded-encoder.ts';
import type { SoundWork } from './voice-changer.ts';

/** The encoder worker's module is beside this one: JavaScript in the bundle, TypeScript in source. */
const moduleUrl = import.meta.url;
const encoder = createThreadedEncoder(
  new URL(moduleUrl.endsWith('.ts') ? './encode-worker.ts' : './encode-worker.js', moduleUrl),
);

/** Entry of the worker thread for audio work. */
servePool((work: SoundWork, signal): Promise<ConvertResult | MeasuredVoice> => {
  const options = { signal, openWriter: encoder.open };
  if (work.kind === 'measure') return measureVoice(work.path, signal);
  return work.kind === 'speak' ? speakToFile(work.request, options) : convertFile(work.request, options);
});
