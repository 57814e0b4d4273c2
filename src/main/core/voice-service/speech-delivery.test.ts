import { describe, expect, it } from 'vitest';
import { encoded, buzz } from '../../../sound/test-sound.ts';
import { findSound, isSoundItself } from './speech-delivery.ts';

const wav = Buffer.from(await encoded('wav', [buzz(150, 0.1, 22_050)], 22_050));
const mp3 = Buffer.from(await encoded('mp3', [buzz(150, 0.5, 22_050)], 22_050));
const address = 'https://a.example/x.mp3?sig=1';
const at = (audioUrl: string, message: string | null = null) => ({ kind: 'address', audioUrl, message });
const bytes = (sound: Buffer, message: string | null = null) => ({ kind: 'bytes', bytes: sound, message });

describe('auto delivery', () => {
  it.each<readonly [unknown, unknown]>([
    [{ message: 'Done.', data: { audioUrl: address } }, at(address, 'Done.')],
    [{ audioUrl: address }, at(address)],
    [{ data: { url: address } }, at(address)],
    [{ url: ` ${address}\n` }, at(address)],
    [{ message: address }, at(address)],
    [{ message: address, data: { audioUrl: 'http://b.example/' } }, at('http://b.example/', address)],
    [{ audio: wav.toString('base64'), message: 'Here.' }, bytes(wav, 'Here.')],
    [{ data: { audio: mp3.toString('base64') } }, bytes(mp3)],
    [{ audio: `data:audio/wav;base64,${wav.toString('base64')}` }, bytes(wav)],
    [{ audio: wav.toString('base64url') }, bytes(wav)],
    [{ audio: wav.toString('base64').replace(/.{76}/g, '$&\r\n') }, bytes(wav)],
    [{ audio: wav.toString('base64'), data: { audioUrl: address } }, at(address)],
  ])('finds the sound in reply %#', (body, found) => {
    expect(findSound(body, 'auto')).toEqual(found);
  });

  it.each<readonly [unknown]>([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{}],
    [{ message: 'Done.' }],
    [{ message: `Listen at ${address}` }],
    [{ message: 'https://' }],
    [{ data: { audioUrl: '/relative.wav' } }],
    [{ data: { audioUrl: 'ftp://a.example/x' } }],
    [{ data: { audioUrl: 5 } }],
    [{ audio: 'yes' }],
    [{ audio: Buffer.from('not sound at all').toString('base64') }],
    [{ audio: '' }],
  ])('finds none in %j', (body) => {
    expect(findSound(body, 'auto')).toBeUndefined();
  });
});

describe('delivery at a named place', () => {
  it('looks there and nowhere else', () => {
    const body = {
      message: 'Done.',
      result: { file: address, sound: wav.toString('base64') },
      url: 'https://wrong.example',
    };
    expect(findSound(body, 'result.file')).toEqual(at(address, 'Done.'));
    expect(findSound(body, 'result.sound')).toEqual(bytes(wav, 'Done.'));
    expect(findSound(body, 'result.none')).toBeUndefined();
    expect(findSound(body, 'message')).toBeUndefined();
    expect(findSound({ message: address }, 'message')).toEqual(at(address));
    expect(findSound(body, 'constructor.name')).toBeUndefined();
    expect(findSound({ list: [{ href: address }] }, 'list.0.href')).toEqual(at(address));
  });
});

describe('a reply that is the sound itself', () => {
  it.each<readonly [string, Buffer, string, string, boolean]>([
    ['sound as such', wav, 'audio/wav', 'auto', true],
    ['sound under a wrong type', mp3, 'text/plain', 'auto', true],
    ['sound where an address was expected', wav, 'application/octet-stream', 'data.audioUrl', true],
    ['an unknown format of an audio type', Buffer.from([1, 2, 3]), 'audio/x-new', 'auto', true],
    [
      'unknown bytes where the body was said to be it',
      Buffer.from([1, 2, 3]),
      'application/octet-stream',
      'body',
      true,
    ],
    ['unknown bytes', Buffer.from([1, 2, 3]), 'application/octet-stream', 'auto', false],
    ['an error under an audio type', Buffer.from('{"error":"no"}'), 'audio/mpeg', 'body', false],
    ['a page', Buffer.from('\n<!doctype html>'), 'audio/mpeg', 'body', false],
    ['a text', Buffer.from('no'), 'text/plain', 'body', false],
    ['nothing', Buffer.alloc(0), 'audio/wav', 'body', false],
  ])('%s', (_, head, contentType, delivery, isSound) => {
    expect(isSoundItself(head, contentType, delivery)).toBe(isSound);
  });
});
