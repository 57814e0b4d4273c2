import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { VoicePreview } from '../../../../shared/schemas/voice.ts';
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

interface Options {
  readonly answer?: (request: PreviewRequest) => Promise<VoicePreview>;
  readonly text?: () => string;
}

/** Previews whose sounds are not heard, and what happened to them. */
export function createSilentPlayer({ answer, text = () => '' }: Options = {}) {
  const requests: PreviewRequest[] = [];
  const sounds: (EventTarget & { src: string; volume: number; readonly paused: boolean; pause(): void })[] = [];
  const counts = { listens: 0 };
  const player = { volume: 0.5 };

  function createSound(): PreviewSound {
    const sound = Object.assign(new EventTarget(), {
      src: '',
      volume: 1,
      paused: true,
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
      listFeatures: () => Promise.resolve({ berta: { f0Hz: 90, brightness: 0.2, levelDb: null } }),
    },
    {
      createSound,
      createMeter: () => ({ start: () => undefined, barScale: (bar) => 1 + bar / 100 }),
      volume: () => player.volume,
      text,
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
