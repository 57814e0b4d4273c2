import type { Messages } from '../../../../shared/messages/index.ts';
import { offeredFormats, type OutputFormat } from '../../../../shared/schemas/settings.ts';

/** The choices for the format of results. `supported`: formats of the voice, without a dot. `chosen` is always among them. */
export const formatOptions = (supported: readonly string[], chosen: OutputFormat, { settings }: Messages) =>
  offeredFormats(supported, chosen).map((value) => ({
    value,
    label: value === 'same' ? settings.sameFormat : value.slice(1),
  }));
