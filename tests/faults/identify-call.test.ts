import { expect, it } from 'vitest';
import { identifyCall, taskOfResult, textAt } from './identify-call.ts';

it.each([
  ['POST', '/api/createaudiofilechanger', 'create-task', null],
  ['POST', '/base/api/createaudiofilechanger', 'create-task', null],
  ['POST', '/api/uploadaudiofile/42', 'upload', '42'],
  ['POST', '/api/changeaudiofile', 'convert', null],
  ['POST', '/api/fsmstexttospeech', 'speech', null],
  ['GET', '/results/42/a.wav?x=1', 'download', '42'],
  ['GET', '/speech/43/a.wav', 'download', '43'],
  ['GET', '/api/pagevoices?version=v2&page=0&limit=9', 'voices', null],
  ['GET', '/api/getvoicedetail?voiceId=/api/models/list', 'voice-detail', null],
  ['GET', '/api/models/list?page=1', 'models', null],
  ['DELETE', '/v1/models/a%2Fb', 'delete-model', null],
  ['GET', '/api/changeaudiofile', 'other', null],
  ['POST', '/api/uploadaudiofile/', 'other', null],
  ['POST', '/plants', 'plant', null],
] as const)('%s %s is %s', (method, target, operation, task) => {
  expect(identifyCall(method, target)).toEqual({ operation, task });
});

it('finds text in JSON only by its path', () => {
  const json = { data: { audioUrl: 'http://127.0.0.1:1/results/9/a.wav', n: 3 } };
  expect(taskOfResult(textAt(json, 'data.audioUrl') ?? '')).toBe('9');
  expect([textAt(json, 'data.n'), textAt(json, 'data.x.y'), textAt(null, 'a')]).toEqual([null, null, null]);
  expect(taskOfResult('http://127.0.0.1:1/other')).toBe(null);
});
