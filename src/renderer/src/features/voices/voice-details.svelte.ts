import type { Problem } from '../../../../shared/errors.ts';
import type { VoiceDetail } from '../../../../shared/schemas/voice.ts';
import { type Api, toProblem } from '../../lib/api.ts';

interface Wanted {
  readonly connectionId: string;
  readonly voiceId: string;
}

const keyOf = ({ connectionId, voiceId }: Wanted): string => `${connectionId}\n${voiceId}`;

/**
 * What a service tells of the voice that a person looks at. Whoever goes through the catalogue quickly asks for no more than one voice
 * at a time, and then for the last one; what was told once is not asked for again.
 */
export class VoiceDetails {
  readonly #api: Pick<Api['voices'], 'get'>;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only `current` is shown
  readonly #told = new Map<string, VoiceDetail>();
  #wanted: Wanted | null = null;
  #isAsking = false;

  current = $state.raw<VoiceDetail | null>(null);
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['voices'], 'get'>) {
    this.#api = api;
  }

  async show(connectionId: string, voiceId: string): Promise<void> {
    if (this.#wanted?.connectionId === connectionId && this.#wanted.voiceId === voiceId && !this.problem) return;
    this.#wanted = { connectionId, voiceId };
    this.current = this.#told.get(keyOf(this.#wanted)) ?? null;
    this.problem = null;
    if (!this.#isAsking) await this.#ask();
  }

  /** Asks again for the voice whose detail could not be had. */
  async retry(): Promise<void> {
    if (this.#wanted) await this.show(this.#wanted.connectionId, this.#wanted.voiceId);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#wanted && !this.current && !this.problem) {
      const wanted: Wanted = this.#wanted;
      try {
        const detail = await this.#api.get(wanted);
        this.#told.set(keyOf(wanted), detail);
        if (this.#wanted === wanted) this.current = detail;
      } catch (error) {
        if (this.#wanted === wanted) this.problem = toProblem(error);
      }
    }
    this.#isAsking = false;
  }
}
