import type { Problem } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { Voice, VoiceDetail } from '../../../../shared/schemas/voice.ts';
import { type Api, toProblem } from '../../lib/api.ts';

interface VoiceKey {
  readonly connectionId: string;
  readonly voiceId: string;
}

const keyOf = ({ connectionId, voiceId }: VoiceKey): string => `${connectionId}\n${voiceId}`;

/**
 * Details of one voice, cached. Requests one voice at a time; while one is loading, only the latest is queued, so that browsing quickly
 * sends few requests.
 */
export class VoiceDetails {
  readonly #api: Pick<Api['voices'], 'get'>;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only `current` is shown
  readonly #cache = new Map<string, VoiceDetail>();
  #requested: VoiceKey | null = null;
  #isLoading = false;

  current = $state.raw<VoiceDetail | null>(null);
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['voices'], 'get'>) {
    this.#api = api;
  }

  async show(connectionId: string, voiceId: string): Promise<void> {
    const isSame = this.#requested?.connectionId === connectionId && this.#requested.voiceId === voiceId;
    if (isSame && !this.problem) return;
    this.#requested = { connectionId, voiceId };
    this.current = this.#cache.get(keyOf(this.#requested)) ?? null;
    if (!isSame) this.problem = null;
    if (!this.#isLoading) await this.#load();
  }

  /** Requests the voice again after a failure. */
  async retry(): Promise<void> {
    if (this.#requested) await this.show(this.#requested.connectionId, this.#requested.voiceId);
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    let requested: VoiceKey | null = null;
    while (this.#requested && !this.current && this.#requested !== requested) {
      requested = this.#requested;
      try {
        const detail = await this.#api.get(requested);
        this.#cache.set(keyOf(requested), detail);
        if (this.#requested !== requested) continue;
        this.current = detail;
        this.problem = null;
      } catch (error) {
        if (this.#requested === requested) this.problem = toProblem(error);
      }
    }
    this.#isLoading = false;
  }
}

/** Further output formats that a service offers for a voice; the local engine has none. */
export class SupportedFormats {
  readonly #details: VoiceDetails;

  constructor(api: Pick<Api['voices'], 'get'>) {
    this.#details = new VoiceDetails(api);
  }

  load(connection: ConnectionInfo | undefined, voice: Voice | undefined): void {
    if (connection?.kind === 'remote' && voice) void this.#details.show(connection.id, voice.id);
  }

  /** Empty until it is loaded. */
  of(connection: ConnectionInfo | undefined, voice: Voice | undefined): readonly string[] {
    const { current } = this.#details;
    return connection?.kind === 'remote' && current?.voiceId === voice?.id ? (current?.supportedFormats ?? []) : [];
  }
}
