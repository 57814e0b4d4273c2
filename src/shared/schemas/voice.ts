import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { connectionId, nothing, uuid, voiceId as anyVoiceId, wellFormed } from './fields.ts';

/** The interface's values; a service may use others. */
export type Gender = 'male' | 'female';

/** A catalogue entry as listed by the service (interface, "Voice"). `language` is a tag such as `en-GB`. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** `male` or `female` by the interface; other values are stored and shown unchanged. */
  readonly gender: string;
  readonly category: string;
}

export interface VoicePage {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly voices: readonly Voice[];
}

/** Filters of the catalogue. An empty string matches everything. */
interface VoiceFilters {
  readonly category: string;
  readonly gender: string;
  readonly language: string;
}

/** A query of a connection's catalogue. */
export interface CatalogueQuery extends VoiceFilters {
  readonly connectionId: string;
  /** From 0. */
  readonly page: number;
  /** 1-100. */
  readonly limit: number;
}

/** A page of the catalogue and its age. */
export interface CataloguePage extends VoicePage {
  /** When the service returned it, in milliseconds since 1970. */
  readonly readAt: number;
  /** Why the service could not be reached, if the page comes from the cache; else null. */
  readonly problem: Problem | null;
}

/** The category of the user's own voices, which are listed beside the catalogue's. */
export const ownVoiceCategory = 'model';

/**
 * What a preview may cost: nothing; a call, if the user has agreed to previews of this connection before; or a call that the
 * user has just agreed to.
 */
const previewSpendings = ['nothing', 'as-agreed', 'agreed'] as const;
export type PreviewSpending = (typeof previewSpendings)[number];

/** How a voice sounds, as measured in a preview. */
export interface VoiceFeatures {
  /** Median F0; null if it could not be measured. */
  readonly f0Hz: number | null;
  /** 0 dark to 1 bright. */
  readonly brightness: number;
  /** In dB relative to full scale; null for silence. */
  readonly levelDb: number | null;
}

/** What voices are heard with: a sentence, or the part of the user's recording that is kept. */
export type PreviewContent =
  /** Null for a sentence in the voice's language. */
  { readonly kind: 'text'; readonly text: string | null } | { readonly kind: 'recording'; readonly excerptId: string };

/** What a call would be made for, for a question to the user. */
export type PreviewMaterial =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'recording'; readonly name: string; readonly seconds: number };

export type VoicePreview =
  | { readonly kind: 'ready'; readonly media: string; readonly features: VoiceFeatures }
  /**
   * It would be a call to the service, which may charge for it. `wasRequested` if it was called before: the reply was lost, or the
   * file is gone.
   */
  | { readonly kind: 'not-made'; readonly wasRequested: boolean }
  /**
   * The user has to agree first: it is the first preview of the connection, or the first with this recording; the reply to an
   * earlier call for it was lost, which may have been charged for; or its file is gone.
   */
  | { readonly kind: 'ask'; readonly reason: 'first' | 'lost' | 'gone'; readonly material: PreviewMaterial };

/** Longest part of a recording that voices are tried on. */
export const maxExcerptSeconds = 10;
/** Less says nothing about a voice. */
export const minExcerptSeconds = 0.5;

/** The part of the user's recording that voices are tried on. */
export interface Excerpt {
  /** SHA-256 of its file. */
  readonly id: string;
  /** Name of the recording. */
  readonly name: string;
  readonly startSeconds: number;
  readonly seconds: number;
}

/** A recording of which the user chooses a part. */
export interface OpenedRecording {
  readonly id: string;
  readonly name: string;
  readonly durationSeconds: number;
  /** Base64 of its waveform, as of a job's. */
  readonly columns: string;
  /** The part that was chosen before, or the first with sound. */
  readonly startSeconds: number;
  readonly seconds: number;
}

/** Where a recording to try voices on comes from. */
export type RecordingOrigin =
  /** The one whose part is kept. */
  | { readonly from: 'kept' }
  | { readonly from: 'file'; readonly path: string }
  /** The original of a job. */
  | { readonly from: 'job'; readonly id: string };

/** The details of a voice (interface, "Voice detail"). What the service omitted is null or empty. */
export interface VoiceDetail extends Omit<Voice, 'id'> {
  readonly voiceId: string;
  readonly description: string;
  readonly pitch: string | null;
  readonly speed: string | null;
  /** Without a leading dot. */
  readonly supportedFormats: readonly string[];
}

/** The user's own voice at a service (interface, "Model"). */
export interface Model {
  readonly id: string;
  /** Also the key for deletion; two models may have the same. */
  readonly name: string;
  /** Value for `voice` to use this model. The connection says which field it comes from. */
  readonly voiceId: string;
  readonly languageCode: string;
  readonly gender: string;
  /** ISO 8601, UTC. */
  readonly creationDate: string;
}

export interface ModelPage {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly models: readonly Model[];
}

export interface DeletedModel {
  readonly modelName: string;
  readonly message: string;
}

/** Converts the user's model to a voice. */
export const voiceOfModel = ({ voiceId, name, languageCode, gender }: Model): Voice => ({
  id: voiceId,
  name,
  language: languageCode,
  gender,
  category: ownVoiceCategory,
});

const voiceId = v.pipe(anyVoiceId, v.minLength(1));
const filter = v.pipe(v.string(), v.maxLength(256), wellFormed);
/** The interface's limit, for both lists. */
const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
// Pure, so that the page's bundle leaves the schemas out.
/* @__NO_SIDE_EFFECTS__ */ const pageFrom = (first: number) => v.pipe(v.number(), v.integer(), v.minValue(first));

/** A page of text on a voice. */
export const maxNoteLength = 2000;
/** Enough for a few sentences. A service charges for a preview as for other texts. */
export const maxPreviewLength = 300;
const previewText = v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxPreviewLength), wellFormed));
const previewContent = v.variant('kind', [
  v.object({ kind: v.literal('text'), text: previewText }),
  v.object({ kind: v.literal('recording'), excerptId: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
]);

export const voiceInputs = {
  list: v.object({
    connectionId,
    page: pageFrom(0),
    limit,
    category: filter,
    gender: filter,
    language: filter,
  }),
  get: v.object({ connectionId, voiceId }),
  findLastUsed: v.object({ connectionId, voiceId }),
  listFavourites: v.object({ connectionId }),
  listRecent: v.object({ connectionId }),
  listNotes: v.object({ connectionId }),
  setNote: v.object({ connectionId, voiceId, text: v.pipe(v.string(), v.maxLength(maxNoteLength), wellFormed) }),
  setFavourite: v.object({ connectionId, voiceId, isFavourite: v.boolean() }),
  preview: v.object({ connectionId, voiceId, content: previewContent, spending: v.picklist(previewSpendings) }),
  cancelPreviews: nothing,
  getExcerpt: nothing,
  chooseRecording: nothing,
  openRecording: v.variant('from', [
    v.object({ from: v.literal('kept') }),
    v.object({ from: v.literal('file'), path: v.pipe(v.string(), v.minLength(1), v.maxLength(32_768)) }),
    v.object({ from: v.literal('job'), id: uuid }),
  ]),
  cutExcerpt: v.object({
    recordingId: uuid,
    startSeconds: v.pipe(v.number(), v.finite(), v.minValue(0)),
    seconds: v.pipe(v.number(), v.gtValue(0), v.maxValue(maxExcerptSeconds)),
  }),
  removeExcerpt: nothing,
  listFeatures: v.object({ connectionId }),
};

export const modelInputs = {
  list: v.object({ connectionId, page: pageFrom(1), limit }),
  // Any name that the service lists can be deleted.
  remove: v.object({ connectionId, name: v.pipe(v.string(), v.minLength(1), v.maxLength(4096), wellFormed) }),
  create: v.object({
    connectionId,
    name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
    languageCode: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64)),
  }),
};
