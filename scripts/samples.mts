/**
 * `node scripts/samples.mts`: creates the recordings in `samples/` reproducibly. eSpeak NG speaks our texts, and the engine's
 * DSP code and encoders convert them to a warmer voice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findVoice } from '../src/engine/catalogue.ts';
import { convertFile } from '../src/engine/convert-file.ts';
import { loadEspeak, type EspeakSpeaker } from '../src/engine/speech/load-espeak.ts';
import { createSoundWriter } from '../src/sound/encode-sound.ts';
import type { OutputFormat } from '../src/sound/sound-format.ts';

interface Recording {
  readonly file: string;
  readonly format: OutputFormat;
  readonly text: string;
  /** Voice and variant of eSpeak NG. Not f2, f3 or f5, whose breath noise differs between runs. */
  readonly speaker: string;
  readonly wordsPerMinute: number;
  /** The voice in the catalogue to convert to. */
  readonly voice: string;
}

const recordings: readonly Recording[] = [
  {
    file: 'harbour.wav',
    format: 'wav',
    text:
      'The harbour wakes before the town does. First the ropes complain, then the gulls, and then, one by one, ' +
      'the small lamps on the boats go out. Nobody gives an order. Everyone knows what the tide is about to say.',
    speaker: 'en+f4',
    wordsPerMinute: 168,
    voice: 'quiet-harbour',
  },
  {
    file: 'lantern.mp3',
    format: 'mp3',
    text: 'Leave the lantern in the window. Whoever is late tonight will be glad of it.',
    speaker: 'en-us+m3',
    wordsPerMinute: 150,
    voice: 'worn-leather',
  },
];

function speak(worker: EspeakSpeaker, { text, speaker, wordsPerMinute }: Recording) {
  if (worker.set_voice(speaker) !== 0) throw new Error(`eSpeak NG has no voice ${speaker}`);
  worker.set_rate(wordsPerMinute);
  worker.set_pitch(50);
  worker.set_range(62);
  const parts: Float32Array[] = [];
  worker.synthesize(text, (pcm) => {
    if (pcm?.length) parts.push(Float32Array.from(pcm, (value) => value / 32_768));
    return false;
  });
  return { parts, sampleRate: worker.samplerate };
}

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'timbre-samples-'));
try {
  const espeak = await loadEspeak();
  for (const recording of recordings) {
    const voice = findVoice(recording.voice);
    if (!voice) throw new Error(`there is no voice ${recording.voice}`);
    const { parts, sampleRate } = speak(espeak, recording);
    const raw = join(folder, 'raw.wav');
    const writer = await createSoundWriter(raw, { format: 'wav', sampleRate, channels: 1 });
    for (const part of parts) await writer.write([part]);
    await writer.finish();
    const { outputSeconds } = await convertFile({
      inputPath: raw,
      outputPath: join(samples, recording.file),
      format: recording.format,
      voice,
      change: { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false },
      quality: 'fine',
    });
    console.log(`${recording.file}: ${outputSeconds.toFixed(1)} s`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
