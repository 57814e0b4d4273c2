import * as v from 'valibot';
import { controlCharacters } from '../text/control-characters.ts';
import { textLength } from '../text/text-parts.ts';
import { connectionId, nothing, uuid as id } from './fields.ts';
import { type ConversionSettings, conversionSettings } from './settings.ts';
import { type VoiceSettings, voiceSettings } from './speech.ts';

export const presetKinds = ['conversion', 'speech'] as const;
/** What a preset is for: recordings, in Convert and watched folders, or texts. */
export type PresetKind = (typeof presetKinds)[number];

/** The settings of each kind. Speakers belong to a text, so no preset has them. */
export interface PresetSettings {
  readonly conversion: ConversionSettings;
  readonly speech: VoiceSettings;
}

interface ContentOf<Kind extends PresetKind> {
  readonly kind: Kind;
  readonly connectionId: string;
  /** The voice's name when the preset was saved, to show it when the voice is gone. */
  readonly voiceName: string;
  readonly settings: PresetSettings[Kind];
}

/** What a preset applies: a connection, a voice of it, and settings. `voiceId` is never empty. */
export type PresetContent = ContentOf<'conversion'> | ContentOf<'speech'>;

interface Stored {
  readonly id: string;
  /** Unique among the presets of its kind, ignoring case. */
  readonly name: string;
  /** The connection's name when the preset was saved, to show it when the connection is gone. */
  readonly connectionName: string;
  /** Counts the changes of connection, voice and settings; another name is no change. From 1. */
  readonly revision: number;
  /** Applied when the user switches to its connection. One per connection and kind at most. */
  readonly isDefault: boolean;
}

export type Preset = PresetContent & Stored;
export type PresetOf<Kind extends PresetKind> = ContentOf<Kind> & Stored;

/** The preset that a watched folder got its settings from, as it was then. */
export interface PresetReference {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
}

export const referenceTo = ({ id, name, revision }: Preset): PresetReference => ({ id, name, revision });

/** More would be no help to the user. */
export const maxPresets = 500;
export const maxPresetNameLength = 80;

export type PresetNameFault = 'empty' | 'too-long' | 'control';

/** What is wrong with a name; null if nothing is. Spaces around it do not count. Lengths are in characters. */
export function presetNameFault(given: string): PresetNameFault | null {
  const name = given.trim();
  if (name === '') return 'empty';
  if (textLength(name) > maxPresetNameLength) return 'too-long';
  return !name.isWellFormed() || name.search(controlCharacters) >= 0 ? 'control' : null;
}

/** True if two settings request the same. An optional field that is empty is the same as none. */
export function isSameSettings<Settings extends ConversionSettings | VoiceSettings>(a: Settings, b: Settings): boolean {
  const given = (settings: Settings) =>
    Object.entries(settings)
      .filter(([, value]) => value !== undefined && value !== '')
      .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(given(a)) === JSON.stringify(given(b));
}

/** What became of the preset of a watched folder, which never follows it by itself. */
export type PresetChange = 'changed' | 'removed' | null;

/** Decides what a folder says about its preset. A preset that has the folder's settings again has not changed. */
export function presetChange(
  folder: {
    readonly preset?: PresetReference;
    readonly connectionId: string;
    readonly conversion: ConversionSettings;
  },
  preset: Preset | undefined,
): PresetChange {
  if (!folder.preset) return null;
  if (preset?.kind !== 'conversion') return 'removed';
  if (preset.revision === folder.preset.revision) return null;
  const isSame = preset.connectionId === folder.connectionId && isSameSettings(preset.settings, folder.conversion);
  return isSame ? null : 'changed';
}

/**
 * Why a preset of a file was not imported: it is not valid, its connection is not set up here, the same preset is here
 * already, or there are as many as there can be.
 */
type PresetSkipReason = 'invalid' | 'no-connection' | 'known' | 'too-many';

/** The outcome of an import. */
export interface PresetImport {
  /** Number of imported presets, with those that were renamed. */
  readonly imported: number;
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly skipped: readonly {
    readonly name: string;
    readonly reason: PresetSkipReason;
    /** Name of the connection as the file has it. */
    readonly connection: string;
  }[];
}

export const presetName = v.pipe(
  v.string(),
  v.trim(),
  v.check((name) => presetNameFault(name) === null, 'must have 1 to 80 characters, none of them a control character'),
);
const voiceName = v.pipe(v.string(), v.maxLength(1024));
const voiceId = v.pipe(conversionSettings.entries.voiceId, v.minLength(1, 'must have a voice'));
const conversion = v.object({ ...conversionSettings.entries, voiceId });
const speech = v.object({ ...voiceSettings.entries, voiceId });

export const presetContent = v.variant('kind', [
  v.object({ kind: v.literal('conversion'), connectionId, voiceName, settings: conversion }),
  v.object({ kind: v.literal('speech'), connectionId, voiceName, settings: speech }),
]);

export const presetReference = v.object({
  id,
  name: presetName,
  revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

export const presetInputs = {
  list: nothing,
  create: v.object({ name: presetName, content: presetContent }),
  update: v.object({ id, content: presetContent }),
  rename: v.object({ id, name: presetName }),
  remove: v.object({ id }),
  setDefault: v.object({ id, isDefault: v.boolean() }),
  exportFile: nothing,
  importFile: nothing,
};
