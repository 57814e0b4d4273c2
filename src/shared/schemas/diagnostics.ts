import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { type ApiCall, type OperationId, operationIds, operationOf, type RequestField } from '../operations.ts';

/** A file that the user selected in the system's dialog. Only main knows its path. */
export interface ChosenFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface ShownHeader {
  readonly name: string;
  /** Null if it is a secret. */
  readonly value: string | null;
}

/**
 * A body for display. `text` is reformatted JSON, other text, or the headers of an upload's part;
 * empty for audio and for bytes that are not text.
 */
export interface ShownBody {
  readonly kind: 'empty' | 'json' | 'text' | 'part' | 'audio' | 'bytes';
  readonly text: string;
  /** Audio format, in one word. */
  readonly format: string;
  /** Total size received. */
  readonly sizeBytes: number;
  /** True if `text` is only its beginning. */
  readonly isCut: boolean;
}

/** Where a call's token is stored; `engine` is the token of the local engine, which is new at each start. */
export type TokenSource = 'keychain' | 'session' | 'file' | 'engine';

/** What was sent and received in one call, without secrets. */
export interface Exchange {
  readonly operation: OperationId;
  /** Null if it was stopped before anything was sent. */
  readonly request: {
    readonly method: string;
    readonly address: string;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
  } | null;
  readonly reply: {
    readonly status: number;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
    /** False if it was cut off. */
    readonly isWhole: boolean;
  } | null;
  /** From the start of the request to the end of the reply, or to the failure. */
  readonly ms: number;
  readonly tokenSource: TokenSource | null;
  readonly problem: Problem | null;
  /** The user stopped it. The service may have processed it anyway. */
  readonly isStopped: boolean;
  /** Values of a created task for the next operations. */
  readonly task: { readonly taskId: string; readonly changerType: string } | null;
}

/**
 * A finding of a health check, as facts; `messages/finding-text.ts` has the text. A null
 * `connection` is this computer.
 */
export type Finding =
  | { readonly kind: 'answers'; readonly connection: string | null }
  | { readonly kind: 'fails'; readonly connection: string | null; readonly problem: Problem }
  | { readonly kind: 'opens' }
  | { readonly kind: 'not-open'; readonly problem: Problem }
  | { readonly kind: 'keychain' }
  | { readonly kind: 'no-keychain'; readonly why: string }
  | { readonly kind: 'writable' | 'not-writable' | 'told' | 'not-told'; readonly folder: string }
  | { readonly kind: 'free' | 'full'; readonly folder: string; readonly bytes: number }
  | { readonly kind: 'clock' | 'clock-off'; readonly connection: string; readonly seconds: number }
  | { readonly kind: 'no-clock' };

export interface CheckResult {
  readonly ok: boolean;
  readonly finding: Finding;
}

/** One row of the health check. `check` names its subject: `disk`, `clock`, `connection/<name>` and so on. */
export interface HealthCheck {
  readonly subject: string;
  /** Null while the check runs. */
  readonly result: CheckResult | null;
}

/** All rows of one run, in order. */
export interface HealthReport {
  /** Start time in milliseconds since 1970. */
  readonly at: number;
  /** Timbre's version. */
  readonly version: string;
  /** The system and runtimes, by their own names. */
  readonly system: string;
  readonly checks: readonly HealthCheck[];
}

/**
 * The interface's sample (operation 9). `id` is an int64 as a decimal string, because a JavaScript
 * number would round it.
 */
export interface NewPlant {
  readonly id: string;
  readonly name: string;
  readonly tag: string | null;
}

export interface Plant {
  readonly name: string;
  readonly tag: string | null;
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** True if a decimal text is an int64, whose 19 digits exceed a JavaScript number. */
export const isInt64 = (digits: string): boolean =>
  /^-?\d{1,19}$/.test(digits) && BigInt(digits) >= smallest && BigInt(digits) <= largest;

const text = v.pipe(v.string(), v.maxLength(1024));
const filled = v.pipe(text, v.trim(), v.minLength(1));
/** One segment of a URL path. Rejects `.` and `..`, which would be resolved and reach something else. */
const segment = v.pipe(
  text,
  v.check((name) => name !== '' && name !== '.' && name !== '..' && name.isWellFormed()),
);

function fieldSchema(field: RequestField) {
  switch (field.kind) {
    case 'voice':
    case 'file':
      return filled;
    case 'task':
    case 'model':
      return field.place === 'path' ? segment : filled;
    case 'fixed':
    case 'text':
      return 'isRequired' in field ? filled : text;
    case 'speech':
      return v.pipe(
        v.string(),
        v.maxLength(20_000),
        v.check((speech) => speech.trim() !== ''),
      );
    case 'number':
      return v.pipe(v.number(), v.finite());
    case 'integer':
      return v.pipe(v.number(), v.integer(), v.minValue(field.min), v.maxValue(field.max ?? Number.MAX_SAFE_INTEGER));
    case 'int64':
      return v.pipe(text, v.check(isInt64));
    case 'choice':
      return v.picklist(field.options);
    case 'switch':
      return v.boolean();
  }
}

/**
 * The interface's limits, checked before a call that would only be rejected. What each service
 * decides itself is not checked.
 */
// Pure, so that the page's bundle leaves it out.
export const apiCall = /* @__PURE__ */ apiCallSchema();

function apiCallSchema(): v.GenericSchema<unknown, ApiCall> {
  const schemas = operationIds.map((operation) => {
    const fields = Object.entries(operationOf(operation).request).filter(([, { kind }]) => kind !== 'fixed');
    return v.object({
      operation: v.literal(operation),
      ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    });
  });
  return v.variant('operation', schemas) as unknown as v.GenericSchema<unknown, ApiCall>;
}
