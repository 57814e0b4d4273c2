import { basename } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import {
  maxPresetNameLength,
  maxPresets,
  type Preset,
  type PresetContent,
  presetContent,
  presetName,
} from '../../../shared/schemas/preset.ts';
import { controlCharacters } from '../../../shared/text/control-characters.ts';
import { readSmallText } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';

/** A preset of a file. `content` is null if the entry is not valid; its name is then only for the message. */
export interface PresetEntry {
  readonly name: string;
  /** On the computer that exported it. */
  readonly connection: { readonly id: string; readonly name: string };
  readonly content: PresetContent | null;
}

const format = 'timbre-presets';
const version = 1;
/** 500 presets need a fifth of it. */
const maxFileBytes = 1024 ** 2;
/** Entries can be as short as `0`, and the page gets a line for each that is skipped. */
const maxEntries = 2 * maxPresets;

/** The text of a file with these presets. It names connections, but has no address and no token of them. */
export function formatPresets(presets: readonly Preset[]): string {
  const entries = presets.map(({ name, kind, connectionId, connectionName, voiceName, settings }) => ({
    name,
    kind,
    connection: { id: connectionId, name: connectionName },
    voice: voiceName,
    settings,
  }));
  return `${JSON.stringify({ format, version, presets: entries }, null, 2)}\n`;
}

const header = v.object({ format: v.literal(format), version: v.pipe(v.number(), v.integer(), v.minValue(1)) });
const body = v.object({ presets: v.array(v.unknown()) });
const entry = v.object({
  name: presetName,
  kind: v.string(),
  connection: v.object({ id: v.pipe(v.string(), v.maxLength(64)), name: v.pipe(v.string(), v.maxLength(100)) }),
  voice: v.optional(v.pipe(v.string(), v.maxLength(1024)), ''),
  settings: v.unknown(),
});
const tooLarge = (name: string, message: string): AppError =>
  new AppError('preset/export-too-large', `${name} has over ${message}`, {
    facts: { name, limitBytes: maxFileBytes, count: maxEntries },
  });
const named = v.object({ name: v.string() });

function parseEntry(raw: unknown): PresetEntry {
  const parsed = v.safeParse(entry, raw);
  if (!parsed.success) {
    const given = v.is(named, raw) ? raw.name : '';
    // It may be what is wrong, and is shown all the same.
    const name = given.replace(controlCharacters, '').trim().slice(0, maxPresetNameLength).toWellFormed();
    return { name, connection: { id: '', name: '' }, content: null };
  }
  const { name, kind, connection, voice, settings } = parsed.output;
  const content = v.safeParse(presetContent, { kind, connectionId: connection.id, voiceName: voice, settings });
  return { name, connection, content: content.success ? content.output : null };
}

/**
 * Parses a file of presets; what is wrong with one of them does not affect the others. Throws `preset/not-an-export`,
 * for a later version `preset/export-newer`, and for more than 1,000 presets `preset/export-too-large`. `name` is the file's, for these errors.
 */
export function parsePresets(text: string, name: string): readonly PresetEntry[] {
  const facts = { name };
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new AppError('preset/not-an-export', `${name} is not JSON`, { cause, facts });
  }
  const noPresets = new AppError('preset/not-an-export', `${name} holds no presets`, { facts });
  if (!v.is(header, raw)) throw noPresets;
  if (raw.version > version) throw new AppError('preset/export-newer', `${name} has version ${raw.version}`, { facts });
  if (!v.is(body, raw)) throw noPresets;
  if (raw.presets.length > maxEntries) throw tooLarge(name, `${maxEntries} presets`);
  return raw.presets.map(parseEntry);
}

/**
 * Reads a file of presets; with a signal also a pipe, until it ends or the signal is aborted. Throws what `parsePresets`
 * does, `preset/export-too-large` for more than 1 MB, `input/…`, and the signal's reason.
 */
export async function readPresets(path: string, signal?: AbortSignal): Promise<readonly PresetEntry[]> {
  const facts = { name: basename(path) };
  let text: string | null;
  try {
    text = await readSmallText(path, maxFileBytes, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    const code = isNotFound(cause) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts });
  }
  if (text === null) throw tooLarge(facts.name, `${maxFileBytes} bytes`);
  return parsePresets(text, facts.name);
}
