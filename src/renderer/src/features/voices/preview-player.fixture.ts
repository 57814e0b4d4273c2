import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { Excerpt, PreviewContent, VoicePreview } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { type PreviewSound, PreviewPlayer } from './preview-player.svelte.ts';

export type PreviewRequest = Parameters<Api['voices']['preview']>[0];

const range = { min: 0.5, max: 2, default: 1 };
export const studio: ConnectionInfo = {
  id: 'studio',
  name: 'Studio',
  kind: 'remote',
  pitch: range,
  speed: range,
  maxTextLength: null,
};

export const readyPreview = (voiceId: string, levelDb: number | null = -26): VoicePreview => ({
  kind: 'ready',
  media: `${voiceId}.mp3`,
  features: { f0Hz: 120, brightness: 0.4, levelDb },
});

export const sentence = { content: { kind: 'text', text: null }, recording: null } as const;

interface Options {
  readonly answer?: (request: PreviewRequest) => Promise<VoicePreview>;
  readonly source?: { content: PreviewContent; recording: Excerpt | null };
}

/** Previews whose sounds are not heard, and what happened to them. */
export function createSilentPlayer({ answer, source = sentence }: Options = {}) {
  const requests: PreviewRequest[] = [];
  const sounds: (EventTarget & {
    src: string;
    volume: number;
    readonly paused: boolean;
    ended: boolean;
    pause(): void;
  })[] = [];
  const counts = { listens: 0, cancels: 0 };
  const player = { volume: 0.5 };

  function createSound(): PreviewSound {
    const sound = Object.assign(new EventTarget(), {
      src: '',
      volume: 1,
      paused: true,
      ended: false,
      play() {
        sound.paused = false;
        return Promise.resolve();
      },
      pause() {
        if (sound.paused) return;
        sound.paused = true;
        queueMicrotask(() => sound.dispatchEvent(new Event('pause')));
      },
      load: () => undefined,
      removeAttribute: () => void (sound.src = ''),
    });
    sounds.push(sound);
    return sound;
  }

  const previews = new PreviewPlayer(
    {
      preview(request) {
        requests.push(request);
        return answer ? answer(request) : Promise.resolve(readyPreview(request.voiceId));
      },
      cancelPreviews() {
        counts.cancels += 1;
        return Promise.resolve();
      },
      listFeatures: () => Promise.resolve({ berta: { f0Hz: 90, brightness: 0.2, levelDb: null } }),
    },
    {
      createSound,
      createMeter: () => ({ start: () => undefined, barScale: (bar) => 1 + bar / 100 }),
      volume: () => player.volume,
      source,
      onListen: () => void (counts.listens += 1),
    },
  );
  return {
    previews,
    requests,
    sounds,
    counts,
    player,
    /** Addresses of what is heard now. */
    heard: () => sounds.filter(({ paused }) => !paused).map(({ src }) => src),
  };
}
