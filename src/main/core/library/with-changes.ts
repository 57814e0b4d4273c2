import type { AgainChanges } from '../../../shared/wire/history.ts';
import { changerEngines, type ChangerEngine, type ConversionSettings } from '../../../shared/wire/settings.ts';
import type { SpeechSettings } from '../../../shared/wire/speech.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import type { Job } from '../jobs/job.ts';

const isChangerEngine = (engine: AgainChanges['engine']): engine is ChangerEngine =>
  changerEngines.some((one) => one === engine);

const ofConversion = (then: ConversionSettings, voice: Voice, changes: AgainChanges): ConversionSettings => ({
  voiceId: voice.id,
  pitch: changes.pitch ?? then.pitch,
  speed: changes.speed ?? then.speed,
  pitchControl: changes.pitchControl ?? then.pitchControl,
  autoF0: changes.autoF0 ?? then.autoF0,
  engine: isChangerEngine(changes.engine) ? changes.engine : then.engine,
  format: changes.format ?? then.format,
});

const ofSpeech = (then: SpeechSettings, voice: Voice, { language, ...changes }: AgainChanges): SpeechSettings => ({
  voiceId: voice.id,
  // An empty one is the voice's own, as where a text is spoken for the first time.
  language: language === '' ? voice.language : (language ?? then.language),
  speed: changes.speed ?? then.speed,
  pitch: changes.pitch ?? then.pitch,
  engine: changes.engine ?? then.engine,
  platform: changes.platform ?? then.platform,
});

/** The job with this voice and what else is to be another. Speech has no original to lie beside: there a folder stays. */
export function withChanges(job: Job, voice: Voice, changes: AgainChanges): Job {
  const { outputFolder } = changes;
  const { target } = job;
  if (job.kind === 'speech') {
    const folder = outputFolder ?? target.folder;
    return { ...job, voice, target: { ...target, folder }, settings: ofSpeech(job.settings, voice, changes) };
  }
  const folder = outputFolder === undefined ? target.folder : outputFolder;
  return { ...job, voice, target: { ...target, folder }, settings: ofConversion(job.settings, voice, changes) };
}
