import { afterEach, beforeEach, expect, it } from 'vitest';
import { replyJson, startScriptedService, type ScriptedService } from '../../fakes/scripted-service.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { createConnectionBook } from './connection-book.ts';
import { hearSpeech } from './hear-speech.ts';

let http: Http;
let service: ScriptedService;
beforeEach(async () => {
  http = createHttp();
  service = await startScriptedService((_request, response) => {
    replyJson(response, { message: 'Spoken.', data: { audioUrl: 'https://results.test/1' } });
  });
});
afterEach(async () => {
  await http.close();
  await service.stop();
});

it('tells what a service says beside the sound that it made', async () => {
  const connection = service.connection();
  const said: (string | null)[] = [];
  const book = hearSpeech(createConnectionBook(http, [connection]), (message) => said.push(message));
  const spoken = await book.serviceAsOf(connection.id, connection.document).speakText(
    {
      text: 'Good evening.',
      voice: 'low-bronze',
      language: 'en-US',
      speed: 1,
      pitch: 1,
      engine: 'v7',
      platform: 'web',
      write: () => Promise.resolve(),
      onProgress: () => undefined,
    },
    new AbortController().signal,
  );
  expect(spoken).toMatchObject({ kind: 'address', audioUrl: 'https://results.test/1' });
  expect(said).toEqual(['Spoken.']);
});
