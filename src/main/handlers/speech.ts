import { AppError } from '../../shared/errors.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { SpeechSettings } from '../../shared/schemas/speech.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { OutlinedText, SpeechOutlineReader } from '../core/speech/speech-outline.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';
import type { OpenedBatch } from '../core/opened-batch.ts';
import type { SpeechDraft } from '../core/speech/speech-draft.ts';

interface Dependencies extends Pick<Dialogs, 'chooseTexts'>, Pick<Core, 'connections' | 'voices' | 'queue'> {
  /** Default output folder: speech has no source folder. */
  speechFolder(): string;
  readonly dataFolder: string;
  readonly places: Pick<AllowedPaths, 'assertAllowed'>;
  readonly draft: () => Promise<SpeechDraft>;
  readonly settings: () => Promise<SettingsStore>;
}

interface Outlined {
  readonly reader: SpeechOutlineReader;
  readonly text: OutlinedText;
}

export function createSpeechHandlers(dependencies: Dependencies): Handlers<Contract>['speech'] {
  const { dataFolder, draft, connections, voices, queue, settings, places, chooseTexts, speechFolder } = dependencies;
  let opened: OpenedBatch | undefined;
  let reader: SpeechOutlineReader | undefined;

  /** What divides texts is loaded on first use, after the first paint. */
  const loadPassages = () => import('../core/speech/spoken-passages.ts');

  async function settingsOf(text: string, connectionId: string, speech: SpeechSettings) {
    const { jobSettings, withTextFormat } = await loadPassages();
    const voice = await voices.get(connectionId, speech.voiceId);
    const { readPronunciations } = await import('../core/speech/pronunciations.ts');
    const list = readPronunciations(dataFolder);
    const given = withTextFormat(text, speech);
    return { voice, settings: await jobSettings(text, given, voice, (id) => voices.get(connectionId, id), list) };
  }

  /** What was outlined last, for the pages of its list. */
  let last: { readonly key: string; readonly outlined: Outlined } | undefined;

  /** As `outlined`, without dividing the draft again if it is the same. */
  async function outlinedBefore(speech: SpeechSettings): Promise<Outlined> {
    const text = await (await draft()).read();
    const { connectionId } = (await settings()).get();
    const before = last?.key === JSON.stringify(speech) ? last.outlined : undefined;
    const isSame = before?.text.text === text && before.text.connectionId === connectionId;
    return isSame ? before : outlined(speech);
  }

  /** The draft as a job would speak it, and the reader of its outline. */
  async function outlined(speech: SpeechSettings): Promise<Outlined> {
    const { takes, inspectSound } = await queue();
    const { createSpeechOutline } = await import('../core/speech/speech-outline.ts');
    reader ??= createSpeechOutline({ takes, inspectSound });
    const { connectionId } = (await settings()).get();
    const { document } = connections.get(connectionId);
    const words = await (await draft()).read();
    const text = {
      text: words,
      connectionId,
      address: document.hosts.voice,
      settings: (await settingsOf(words, connectionId, speech)).settings,
      maxLength: document.limits.maxTextLength,
    };
    last = { key: JSON.stringify(speech), outlined: { reader, text } };
    return last.outlined;
  }

  async function batch(): Promise<OpenedBatch> {
    const { createOpenedBatch } = await import('../core/opened-batch.ts');
    const { readPronunciations } = await import('../core/speech/pronunciations.ts');
    return (opened ??= createOpenedBatch({
      ...{ connections, voices, queue, settings, speechFolder, draft },
      pronunciations: () => readPronunciations(dataFolder),
    }));
  }

  return {
    async outline({ settings: speech }) {
      const { reader: read, text } = await outlined(speech);
      return read.outline(text);
    },
    async listPassages({ settings: speech, from }) {
      const { reader: read, text } = await outlinedBefore(speech);
      return read.passages(text, from);
    },
    async speak({ settings: speech, length, again }) {
      const { reader: read, text: outlinedText } = await outlined(speech);
      const { text, connectionId } = outlinedText;
      // The user must pay only for the text on screen.
      if (text.length !== length) throw new AppError('request/invalid', `${length} units of ${text.length}`);
      const { outputFolder, nameTemplate } = (await settings()).get();
      const { document } = connections.get(connectionId);
      const takes = again.length > 0 ? await read.numberRetakes(outlinedText, again) : undefined;
      const { submitJobs } = await queue();
      await (await loadPassages()).assertSpoken(text, outlinedText.settings, document.limits.maxTextLength);
      const { id } = submitJobs.addSpeech(text, {
        connection: { id: connectionId, name: document.name, document },
        voice: await voices.get(connectionId, speech.voiceId),
        settings: { ...outlinedText.settings, ...(takes && { takes }) },
        outputFolder: outputFolder ?? speechFolder(),
        nameTemplate,
      });
      return { id };
    },
    async chooseTake({ media }) {
      await (await queue()).takes.choose(media);
    },
    takeUsage: async () => (await queue()).takes.usage(),
    async removeTakes() {
      const { takes, store } = await queue();
      if (store.hasUnfinishedSpeech()) return false;
      await takes.removeAll();
      return true;
    },
    saveDraft: async (part) => (await draft()).save(part),
    readText: async ({ which, part }) => (await draft()).readPart(which, part),
    async openFiles({ paths }) {
      paths?.forEach((path) => places.assertAllowed(path));
      const chosen = paths ?? (await chooseTexts());
      return chosen.length === 0 ? null : (await batch()).open(chosen);
    },
    async openDraft({ length }) {
      const text = await (await draft()).read();
      // The user must pay only for the text on screen.
      if (text.length !== length) throw new AppError('request/invalid', `${length} units of ${text.length}`);
      return (await batch()).openDraft(text);
    },
    listBatch: async (request) => (await batch()).list(request),
    speakBatch: async (request) => (await batch()).speak(request),
  };
}
