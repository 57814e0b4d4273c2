import { AppError } from '../../shared/errors.ts';
import { sendJson, type Handler } from '../request-context.ts';
import { badRequest } from '../http-error.ts';
import { parseSpeech } from '../parse-speech.ts';
import { readJson } from '../read-json.ts';
import type { SpeechService } from '../speech-service.ts';
import type { VoiceRegistry } from '../voice-registry.ts';
import { soundProblem } from './sound-problem.ts';

/**
 * POST /api/fsmstexttospeech. Responds when the audio is ready. A client that disconnects does not
 * stop the work.
 */
export const speak =
  (speeches: SpeechService, voices: VoiceRegistry): Handler =>
  async (call) => {
    const request = await parseSpeech(await readJson(call, badRequest), voices);
    const { id, result } = await speeches.speak(request).catch((cause: unknown) => {
      throw cause instanceof AppError && cause.code === 'request/invalid' ? badRequest() : soundProblem(cause);
    });
    sendJson(call.response, 200, {
      message: 'The text has been spoken.',
      data: { audioUrl: `${call.origin}/speech/${id}/${result.file}` },
    });
  };
