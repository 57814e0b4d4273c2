import { AppError } from '../../shared/errors.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { SpeechSettings } from '../../shared/schemas/speech.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { SpeechOutlineReader } from '../core/speech/speech-outline.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { OpenedBatch } from './opened-batch.ts';
import type { SpeechDraft } from '../core/speech/speech-draft.ts';

/** Desktop functions for speech. */
export interface SpeechDesktop {
  chooseTexts(): Promise<readonly string[]>;
  /** Default output folder: speech has no source folder. */
  speechFolder(): string;
}

interface Dependencies extends SpeechDesktop, Pick<Core, 'connections' | 'voices' | 'queue'> {
  readonly places: Pick<AllowedPaths, 'assertAllowed'>;
  readonly draft: SpeechDraft;
  readonly settings: () => Promise<SettingsStore>;
}

export function createSpeechHandlers(dependencies: Dependencies): Handlers<Contract>['speech'] {
  const { draft, connections, voices, queue, settings, places, chooseTexts, speechFolder } = dependencies;
  let opened: OpenedBatch | undefined;
  let reader: SpeechOutlineReader | undefined;

  /** The draft as a job would speak it, and who reads its outline. */
  async function outlined(speech: SpeechSettings) {
    const { takes, inspectSound } = await queue();
    // Main needs it for no text before the first paint.
    const { createSpeechOutline } = await import('../core/speech/speech-outline.ts');
    reader ??= createSpeechOutline({ takes, inspectSound });
    const { connectionId } = (await settings()).get();
    const { document } = connections.get(connectionId);
    const voice = await voices.get(connectionId, speech.voiceId);
    const text = {
      text: await draft.read(),
      connectionId,
      address: document.hosts.voice,
      settings: { ...speech, language: speech.language || voice.language },
      maxLength: document.limits.maxTextLength,
    };
    return { reader, text };
  }

  async function batch(): Promise<OpenedBatch> {
    const { createOpenedBatch } = await import('./opened-batch.ts');
    return (opened ??= createOpenedBatch({ connections, voices, queue, settings, speechFolder, draft }));
  }

  return {
    async outline({ settings: speech }) {
      const { reader: read, text } = await outlined(speech);
      return read.outline(text);
    },
    async listPassages({ settings: speech, from }) {
      const { reader: read, text } = await outlined(speech);
      return read.passages(text, from);
    },
    async speak({ settings: speech, length }) {
      const text = await draft.read();
      // The user must pay only for the text on screen.
      if (text.length !== length) throw new AppError('request/invalid', `${length} units of ${text.length}`);
      const { connectionId, outputFolder, nameTemplate } = (await settings()).get();
      const { document } = connections.get(connectionId);
      if (text.trim() === '') throw new AppError('input/text-empty', 'no text');
      const voice = await voices.get(connectionId, speech.voiceId);
      const { submitJobs } = await queue();
      const { id } = submitJobs.addSpeech(text, {
        connection: { id: connectionId, name: document.name, document },
        voice,
        settings: { ...speech, language: speech.language || voice.language },
        outputFolder: outputFolder ?? speechFolder(),
        nameTemplate,
      });
      return { id };
    },
    saveDraft: (part) => draft.save(part),
    readText: ({ which, part }) => draft.readPart(which, part),
    async openFiles({ paths }) {
      paths?.forEach((path) => places.assertAllowed(path));
      const chosen = paths ?? (await chooseTexts());
      return chosen.length === 0 ? null : (await batch()).open(chosen);
    },
    listBatch: async (request) => (await batch()).list(request),
    speakBatch: async (request) => (await batch()).speak(request),
  };
}
