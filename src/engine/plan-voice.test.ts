import { expect, it } from 'vitest';
import { planVoice, type VoiceChange } from './plan-voice.ts';
import { findVoice } from './catalogue.ts';
import type { EngineVoice } from './voice.ts';

const voice = (id: string): EngineVoice => {
  const found = findVoice(id);
  if (!found) throw new Error(id);
  return found;
};
const plain: VoiceChange = { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false };

it('moves F0 to that of the voice times pitch if it is adjusted', () => {
  expect(planVoice(voice('low-bronze'), plain, 176).semitones).toBeCloseTo(-12, 9);
  expect(planVoice(voice('low-bronze'), { ...plain, pitch: 2 }, 176).semitones).toBeCloseTo(0, 9);
});

it('moves F0 by pitch alone if it is not adjusted or the source has none', () => {
  expect(planVoice(voice('low-bronze'), { ...plain, autoF0: false, pitch: 2 }, 176).semitones).toBeCloseTo(12, 9);
  expect(planVoice(voice('low-bronze'), { ...plain, pitch: 0.5 }, null).semitones).toBeCloseTo(-12, 9);
});

it('lowers the formants of a high source for a low voice, and raises those of a low source for a high voice', () => {
  expect(planVoice(voice('low-bronze'), plain, 220).formantSemitones).toBeLessThan(-3);
  expect(planVoice(voice('bright-reed'), plain, 100).formantSemitones).toBeGreaterThan(3);
});

it('hardly changes formants between voices of one kind', () => {
  expect(Math.abs(planVoice(voice('open-field'), plain, 112).formantSemitones)).toBeLessThan(0.5);
});

it('moves formants with pitch only if requested, and then fully', () => {
  const kept = planVoice(voice('open-field'), { ...plain, pitch: 1.5 }, 112);
  const moved = planVoice(voice('open-field'), { ...plain, pitch: 1.5, formantsFollowPitch: true }, 112);
  expect(moved.formantSemitones - kept.formantSemitones).toBeCloseTo(12 * Math.log2(1.5), 9);
  expect(moved.semitones).toBe(kept.semitones);
});

it('stays within three octaves, however far apart source and voice are', () => {
  const { semitones, formantSemitones } = planVoice(voice('paper-crane'), { ...plain, pitch: 10 }, 61);
  expect(semitones).toBe(36);
  expect(formantSemitones).toBeLessThanOrEqual(6);
});
