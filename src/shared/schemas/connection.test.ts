import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { connectionSchema, documentFaults, isBaseAddress, isHeaderValue, isToken } from './connection.ts';

describe('connection', () => {
  const smallest = { name: 'Studio', hosts: { voice: 'https://a.example/x', upload: 'https://b.example' } };

  describe('a connection', () => {
    it('fills every open point of the interface with its default', () => {
      expect(v.parse(connectionSchema, smallest)).toEqual({
        name: 'Studio',
        hosts: { voice: 'https://a.example/x', upload: 'https://b.example', converter: '', models: '', sample: '' },
        authorization: 'Bearer {token}',
        voiceDetailAuthorized: true,
        sampleAuthorized: true,
        changerType: { fields: ['changerType', 'changer_type', 'type'], fallback: 'FVC' },
        voiceQuery: { version: 'version', category: 'category', gender: 'gender', language: 'language' },
        voiceDetailQuery: 'voiceId',
        modelPageSizeQuery: 'limit',
        voiceField: 'id',
        modelVoiceField: 'modelId',
        firstVoicePage: 0,
        speechPlacement: 'body',
        speechDelivery: 'auto',
        platform: '',
        audioName: '',
        omit: [],
        uploadFormats: 'any',
        ranges: { pitch: { min: 0.5, max: 2, default: 1 }, speed: { min: 0.5, max: 2, default: 1 } },
        limits: {
          maxUploadBytes: null,
          maxTextLength: null,
          maxSeconds: null,
          maxConcurrent: 4,
          requestsPerMinute: null,
        },
        timeouts: { connectMs: 10_000, stallMs: 60_000, convertMs: 3_600_000 },
        unknownOutcome: 'ask',
      });
    });

    it.each([
      [{ ...smallest, name: ' ' }, 'name: needs a name'],
      [
        { ...smallest, hosts: { ...smallest.hosts, voice: 'http://a.example' } },
        'hosts.voice: must be an https address',
      ],
      [{ ...smallest, ranges: { pitch: { min: 2, max: 1, default: 1 } } }, 'ranges.pitch: must hold 0 < min'],
      [{ ...smallest, token: 'secret' }, 'token: '],
      [{ ...smallest, unknownOutcome: 'maybe' }, 'unknownOutcome: '],
      [{ ...smallest, omit: ['convert.uuid'] }, 'omit.0: '],
      [{ ...smallest, uploadFormats: ['wav', 'ape'] }, 'uploadFormats'],
      [{ ...smallest, uploadFormats: [] }, 'uploadFormats: '],
      [{ ...smallest, changerType: { fallback: 'a\r\nb' } }, 'changerType.fallback: must be a text that a header'],
      [{ ...smallest, authorization: 'Bearer {token}\n' }, 'authorization: must be a text that a header'],
      [{ ...smallest, hosts: { ...smallest.hosts, upload: '' } }, 'hosts.upload: must be an https address'],
      [{ ...smallest, authorization: 'Bearer 0123' }, 'authorization: must be empty or hold {token}'],
      [5, 'connection: '],
    ])('names the wrong field in %j', (document, fault) => {
      const faults = documentFaults(document).map(({ field, message }) => `${field}: ${message}`);
      expect(faults).toEqual([expect.stringContaining(fault)]);
    });

    it.each([
      ['that a terminal can show', 'St\u001b[31mudio', 'must not hold control characters'],
      ['that a command does not take for a file', 'studio.json', 'must not end in .json'],
    ])('has a name %s', (_what, name, message) => {
      const before = { ...smallest, name };
      expect(v.is(connectionSchema, before)).toBe(true);
      expect(documentFaults(before)).toEqual([{ field: 'name', message }]);
    });

    it('that was saved before a rule existed can still be read', () => {
      const before = { ...smallest, authorization: 'Key 0123', hosts: { voice: 'https://a.example', upload: '' } };
      expect(v.is(connectionSchema, before)).toBe(true);
      expect(documentFaults(before).map(({ field }) => field)).toEqual(['hosts.upload', 'authorization']);
    });

    it.each([
      ['https://a.example', true],
      ['https://a.example:8443/base/path', true],
      ['http://127.0.0.1:80', true],
      ['http://[::1]/', true],
      ['http://localhost', true],
      ['http://127.0.0.1.example.com', false],
      ['http://localhost.example.com', false],
      ['http://192.168.1.1', false],
      ['https://user@a.example', false],
      ['https://a.example?x', false],
      ['https://a.example#x', false],
      ['ftp://a.example', false],
      ['a.example', false],
    ])('%s as a base address: %s', (address, good) => {
      expect(isBaseAddress(address)).toBe(good);
    });
  });
});

describe('header value', () => {
  describe('a token', () => {
    it.each([1, 1024, 2561, 16_383, 16_384, 65_536])('of %i characters can be sent', (length) => {
      expect(isToken('x'.repeat(length))).toBe(true);
    });

    it.each(['', ' a', 'a ', 'a\nb', 'a\r\nb', 'a\0b', 'é', '😀', '\ud800', 'x'.repeat(65_537)])(
      'is rejected when it is entered: %#',
      (token) => {
        expect(isToken(token)).toBe(false);
      },
    );

    it('may contain every printable character', () => {
      expect(isToken('!"#$%&\'()*+,-./0 9:;<=>?@[\\]^_`{|}~')).toBe(true);
    });
  });

  it('a header contains no line break, NUL or non-Latin-1 character', () => {
    expect(['a b', '', 'é', '\t'].map(isHeaderValue)).toEqual([true, true, true, true]);
    expect(['a\r\nb', '\0', '😀', '\ud800'].map(isHeaderValue)).toEqual([false, false, false, false]);
  });
});
