import type { ByteSource, ContainerCheck } from './container-check.ts';
import { maxMoovBytes, soundTrackOf, walkTop, type SoundTrack } from './mp4-index.ts';

/**
 * Checks that every top-level box of an MP4 (ISO/IEC 14496-12) lies inside the file, and that `moov`
 * (the index, often written last) exists and has an audio track with all its samples. Bytes after
 * the last box make it open.
 */
export async function checkMp4(source: ByteSource): Promise<ContainerCheck> {
  const { moov, mediaStart, end, promisedEnd, isForeign } = await walkTop(source);
  if (isForeign) return { kind: 'foreign' };
  const cut = (promisedBytes: number | null): ContainerCheck => ({
    kind: 'cut',
    facts: { ...(promisedBytes !== null && { promisedBytes }), actualBytes: source.size },
  });
  if (promisedEnd !== null) return cut(promisedEnd);
  if (!moov || mediaStart === null) return cut(null);
  if (moov.end - moov.start > maxMoovBytes) return { kind: 'foreign' };
  let track: SoundTrack | null;
  try {
    track = soundTrackOf(await source.read(moov.start, moov.end - moov.start), source.size);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'foreign' };
    throw error;
  }
  if (!track) return { kind: 'foreign' };
  if (track.samplesEnd > source.size) return cut(track.samplesEnd);
  return {
    kind: 'complete',
    ...(track.seconds !== null && track.seconds > 0 && { durationSeconds: track.seconds }),
    ...(end < source.size && { open: 'end' as const }),
    ...(!track.isDecoded && { unsupportedCodec: track.coding.trim() }),
  };
}
