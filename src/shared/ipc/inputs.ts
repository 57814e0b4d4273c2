import * as v from 'valibot';
import type { Contract } from './contract.ts';
import type { ContractShape, Input, RequestName } from './define-contract.ts';
import { keptTexts, mostRetakes, speechSettings, textDivisions } from '../schemas/speech.ts';
import { unitsInPart } from '../text/text-parts.ts';
import { menuSections } from '../schemas/app.ts';
import { apiCall } from '../schemas/diagnostics.ts';
import { hookChange } from '../schemas/hook.ts';
import { historyInputs } from '../schemas/history.ts';
import { logQuery } from '../schemas/log.ts';
import { isToken } from '../schemas/connection.ts';
import { whenDoneActions } from '../schemas/app.ts';
import { pronunciationInputs } from '../schemas/pronunciation.ts';
import { presetInputs } from '../schemas/preset.ts';
import { connectionId, nothing, uuid as id } from '../schemas/fields.ts';
import { conversionSettings, copyChange, settingsPatch } from '../schemas/settings.ts';
import { watchInputs } from '../schemas/watch.ts';
import { modelInputs, voiceInputs } from '../schemas/voice.ts';

/** A schema for the input of each request. Inputs are parsed before a handler receives them. */
export type InputSchemas<C extends ContractShape> = {
  readonly [G in keyof C]: {
    readonly [K in RequestName<C[G]>]: v.GenericSchema<unknown, Input<C[G][K]>>;
  };
};

const ids = v.object({ ids: v.pipe(v.array(id), v.maxLength(1000)) });
/** Empty for an item without a file. Main counts those, because the page must not inspect paths. */
const path = v.pipe(v.string(), v.maxLength(32_768));
const connection = v.object({ id: connectionId });
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const which = v.picklist(['source', 'result']);

const menuCommand = v.object({
  id: v.pipe(v.string(), v.maxLength(100)),
  section: v.picklist(menuSections),
  label: v.pipe(v.string(), v.maxLength(300)),
  press: v.nullable(v.pipe(v.string(), v.maxLength(20))),
  isEnabled: v.boolean(),
  isSelected: v.nullable(v.boolean()),
});

const paths = v.pipe(v.array(path), v.maxLength(1000));

export const inputSchemas = {
  app: {
    info: nothing,
    notices: nothing,
    ready: nothing,
    note: v.object({ text: v.pipe(v.string(), v.maxLength(20_000)) }),
    restart: nothing,
    chooseFiles: nothing,
    chooseFolder: nothing,
    quit: v.object({ when: v.picklist(['now', 'answered']) }),
    cancelQuit: v.object({ question: v.pipe(v.number(), v.integer()) }),
    close: v.object({ action: v.picklist(['background', 'quit']) }),
    allowUnload: v.object({ hiding: v.pipe(v.number(), v.integer()) }),
    setMenu: v.object({ commands: v.pipe(v.array(menuCommand), v.maxLength(2000)) }),
    desktop: nothing,
    setLoginItem: v.object({ isOn: v.boolean() }),
    setTerminalCommand: v.object({ isOn: v.boolean() }),
    whenDone: nothing,
    chooseWhenDone: v.object({ action: v.picklist(whenDoneActions) }),
    postponeWhenDone: nothing,
  },
  connections: {
    list: nothing,
    importFile: nothing,
    getDocument: v.object({ id: v.nullable(connectionId) }),
    // Main validates its fields one by one.
    save: v.object({ id: v.nullable(connectionId), document: v.record(v.string(), v.unknown()) }),
    exportFile: connection,
    remove: connection,
    test: connection,
    getTokenState: connection,
    setToken: v.object({
      ...connection.entries,
      token: v.pipe(v.string(), v.trim(), v.check(isToken)),
      place: v.picklist(['keychain', 'file']),
    }),
    clearToken: connection,
  },
  speech: {
    speak: v.object({
      settings: speechSettings,
      length: count,
      again: v.pipe(v.array(count), v.maxLength(mostRetakes)),
    }),
    takeUsage: nothing,
    removeTakes: nothing,
    chooseTake: v.object({ media: v.pipe(v.string(), v.maxLength(128)) }),
    outline: v.object({ settings: speechSettings }),
    listPassages: v.object({ settings: speechSettings, from: count }),
    saveDraft: v.object({
      part: count,
      parts: v.pipe(count, v.minValue(1)),
      text: v.pipe(v.string(), v.maxLength(unitsInPart)),
    }),
    readText: v.object({ which: v.picklist(keptTexts), part: count }),
    openFiles: v.object({ paths: v.nullable(paths) }),
    openDraft: v.object({ length: count }),
    listBatch: v.object({ settings: speechSettings, division: v.picklist(textDivisions), from: count }),
    speakBatch: v.object({ settings: speechSettings, division: v.picklist(textDivisions), count }),
  },
  history: historyInputs,
  copies: { status: nothing, update: copyChange, copyExisting: nothing, removeAll: nothing, reveal: nothing },
  ffmpeg: { status: nothing, choose: nothing, reset: nothing },
  hook: { status: nothing, chooseProgram: nothing, update: hookChange, test: nothing, repeatFailed: nothing },
  voices: voiceInputs,
  models: modelInputs,
  jobs: {
    preview: v.object({
      paths,
      connectionId,
      timeLimitMs: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)),
    }),
    add: v.object({
      paths,
      connectionId,
      settings: conversionSettings,
      atMost: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
    undoAdd: v.object({ addition: v.pipe(v.number(), v.integer()) }),
    addSample: v.object({ connectionId, settings: conversionSettings }),
    list: v.object({ after: v.nullable(v.pipe(v.number(), v.finite())) }),
    cancel: ids,
    retry: ids,
    retryIn: v.object({ id: v.nullable(id), folder: path }),
    repeat: ids,
    reorder: v.object({ ...ids.entries, before: v.nullable(id) }),
    getProcessingSpeed: v.object({ connectionId }),
    pauses: nothing,
    pause: nothing,
    resume: v.object({ connectionId: v.nullable(connectionId) }),
    continueOnBattery: nothing,
    allowToken: v.object({ connectionId, origin: v.pipe(v.string(), v.maxLength(2048)) }),
    remove: ids,
    reveal: v.object({ id, which }),
    getWaveform: v.object({ id, which }),
  },
  watch: watchInputs,
  pronunciations: pronunciationInputs,
  presets: presetInputs,
  updates: { status: nothing, check: nothing, download: nothing, install: nothing, openPage: nothing },
  settings: { get: nothing, update: settingsPatch },
  diagnostics: {
    runChecks: nothing,
    readLog: logQuery,
    revealLog: nothing,
    chooseFile: nothing,
    call: v.object({ connectionId, call: apiCall }),
    cancelCall: nothing,
  },
} satisfies InputSchemas<Contract>;
