import type { Problem } from '../problem.ts';

/** The interface's own two; a service may say another. */
export type Gender = 'male' | 'female';

/** A catalogue entry as the service lists it (interface, "Voice"). `language` is a tag such as `en-GB`. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** `male` or `female` by the interface; whatever a service says is kept and shown as it is. */
  readonly gender: string;
  readonly category: string;
}

export interface VoicePage {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly voices: readonly Voice[];
}

/** Which voices are wanted. An empty string lets everything through. */
export interface VoiceFilters {
  readonly category: string;
  readonly gender: string;
  readonly language: string;
}

/** What a page asks of a connection's catalogue. */
export interface CatalogueQuery extends VoiceFilters {
  readonly connectionId: string;
  /** From 0. */
  readonly page: number;
  /** 1-100. */
  readonly limit: number;
}

/** A page of the catalogue, and how fresh it is. */
export interface CataloguePage extends VoicePage {
  /** When the service told this, in milliseconds since 1970. */
  readonly readAt: number;
  /** Why the service could not be asked, where the page comes from the copy on this computer; null where it is the service's. */
  readonly problem: Problem | null;
}

/** The category under which a person's own voices are listed beside those of the catalogue. */
export const ownVoiceCategory = 'model';

/** All that a service tells of one voice (interface, "Voice detail"). What it left out is null or empty. */
export interface VoiceDetail {
  readonly voiceId: string;
  readonly name: string;
  readonly gender: string;
  readonly language: string;
  readonly category: string;
  readonly description: string;
  readonly pitch: string | null;
  readonly speed: string | null;
  /** Without a leading dot. */
  readonly supportedFormats: readonly string[];
}
