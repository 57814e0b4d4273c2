import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { VoiceDetails } from './voice-details.svelte.ts';

/** Output formats that a service offers for a voice, besides those that Timbre knows. The local engine has none. */
export class SupportedFormats {
  readonly #details: VoiceDetails;

  constructor(api: Pick<Api['voices'], 'get'>) {
    this.#details = new VoiceDetails(api);
  }

  load(connection: ConnectionInfo | undefined, voice: Voice | undefined): void {
    if (connection?.kind === 'remote' && voice) void this.#details.show(connection.id, voice.id);
  }

  /** Empty until they are loaded. */
  of(connection: ConnectionInfo | undefined, voice: Voice | undefined): readonly string[] {
    const { current } = this.#details;
    return connection?.kind === 'remote' && current?.voiceId === voice?.id ? (current?.supportedFormats ?? []) : [];
  }
}
