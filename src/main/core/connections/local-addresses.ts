import type { Connection } from '../voice-service/connection.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/**
 * The engine on this computer listens elsewhere each time it starts, and keeps its results: their addresses are handed out as paths,
 * which lead to the engine as it runs when they are used.
 */
export const withLocalAddresses = (service: VoiceService, { access }: Connection): VoiceService => ({
  ...service,
  async convertAudio(conversion, signal) {
    const converted = await service.convertAudio(conversion, signal);
    return { ...converted, audioUrl: pathOf(converted.audioUrl) };
  },
  async speakText(speech, signal) {
    const spoken = await service.speakText(speech, signal);
    return spoken.kind === 'address' ? { ...spoken, audioUrl: pathOf(spoken.audioUrl) } : spoken;
  },
  async downloadResult(download, signal) {
    const { hosts } = await access(signal);
    return service.downloadResult({ ...download, audioUrl: new URL(download.audioUrl, hosts.voice).href }, signal);
  },
});
