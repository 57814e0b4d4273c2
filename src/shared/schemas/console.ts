import * as v from 'valibot';
import { isInt64 } from '../int64.ts';
import { genderFilters } from '../wire/console.ts';
import { changerEngines } from '../wire/settings.ts';
import { speechEngines, speechPlatforms } from '../wire/speech.ts';

const line = v.pipe(v.string(), v.maxLength(1024));
const filled = v.pipe(line, v.trim(), v.minLength(1));
const number = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.integer());
/** One segment of an address: `.` and `..` would be resolved away and reach another thing. */
const segment = v.pipe(
  line,
  v.check((name) => name !== '' && name !== '.' && name !== '..' && name.isWellFormed()),
);
const engine = v.picklist(changerEngines);

/** The interface's own limits, asked before a call that could only be refused. What a service judges itself passes. */
export const consoleCall = v.variant('operation', [
  v.object({ operation: v.literal('create'), voice: filled, engine }),
  v.object({ operation: v.literal('upload'), uuid: segment, 'Changer-Type': line, audioFile: filled }),
  v.object({
    operation: v.literal('convert'),
    uuid: filled,
    voice: filled,
    pitch: number,
    speed: number,
    outputFormat: line,
    audioName: line,
    platform: line,
    pitch_control: line,
    engine,
    auto_f0_adjust: v.boolean(),
  }),
  v.object({
    operation: v.literal('speech'),
    speech: v.pipe(
      v.string(),
      v.maxLength(20_000),
      v.check((text) => text.trim() !== ''),
    ),
    voice: filled,
    Speed: number,
    LanguageCode: line,
    Pitch: number,
    engine: v.picklist(speechEngines),
    platform: v.picklist(speechPlatforms),
  }),
  v.object({
    operation: v.literal('voices'),
    category: line,
    gender: v.picklist(genderFilters),
    language: line,
    page: v.pipe(whole, v.minValue(0)),
    limit: v.pipe(whole, v.minValue(1), v.maxValue(100)),
  }),
  v.object({ operation: v.literal('voice'), voice: filled }),
  v.object({ operation: v.literal('models'), page: v.pipe(whole, v.minValue(1)), limit: v.pipe(whole, v.minValue(1)) }),
  v.object({ operation: v.literal('delete'), name: segment }),
  v.object({ operation: v.literal('plant'), id: v.pipe(line, v.check(isInt64)), name: filled, tag: line }),
]);
