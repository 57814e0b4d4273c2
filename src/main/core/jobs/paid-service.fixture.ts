import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import {
  replyJson,
  type ScriptedService,
  type SeenRequest,
  startScriptedService,
} from '../voice-service/scripted-service.fixture.ts';
import type { JobSpeechSettings } from '../../../shared/schemas/speech.ts';
import type { SpeechJob } from './job.ts';
import { sample, type TestQueue } from './queue.fixture.ts';

type Step = 'create' | 'upload' | 'paid' | 'result';

/** Returns true if it has answered; otherwise the service gives its usual answer. */
type Answers = (step: Step, response: ServerResponse, request: SeenRequest) => boolean | Promise<boolean>;

function stepOf({ url }: SeenRequest): Step {
  if (url.includes('create')) return 'create';
  if (url.includes('upload')) return 'upload';
  return url.includes('/result') ? 'result' : 'paid';
}

/** Opens the test's queue at services that convert at once and count their calls. They stop after the test. */
export function usePaidService(queue: () => TestQueue) {
  const services: ScriptedService[] = [];
  afterEach(() => Promise.all(services.splice(0).map((service) => service.stop())));
  return {
    async openService(answers: Answers, document: Partial<ConnectionDocument> = {}) {
      const recording = await readFile(sample);
      const counts = { create: 0, upload: 0, paid: 0, result: 0 };
      const service = await startScriptedService(async (request, response) => {
        const { url, headers } = request;
        const step = stepOf(request);
        counts[step] += 1;
        if (await answers(step, response, request)) return;
        if (step === 'create') replyJson(response, { taskId: `t${counts.create}` });
        else if (step === 'upload') replyJson(response, { uuid: url.split('/').at(-1) });
        else if (step === 'paid') {
          replyJson(response, { status: 'success', data: { audioUrl: `http://${headers.host ?? ''}/result` } });
        } else response.end(recording);
      });
      services.push(service);
      await queue().open(service.connection(document));
      return counts;
    },
    /** Adds speech with the queue's request. */
    speak(text = 'Good evening.', change: Partial<JobSpeechSettings> = {}): SpeechJob {
      const { connection, voice, nameTemplate, outputFolder } = queue().request;
      const settings = { voiceId: voice.id, language: 'en-US', speed: 1, pitch: 1 } as const;
      return queue().submitJobs.addSpeech(text, {
        connection,
        voice,
        nameTemplate,
        settings: { ...settings, engine: 'v7', platform: 'web', ...change },
        outputFolder: outputFolder ?? join(queue().folder, 'out'),
      });
    },
  };
}
