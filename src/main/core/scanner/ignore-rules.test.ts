import { describe, expect, it } from 'vitest';
import { ignoredFile, ignoredName } from './ignore-rules.ts';

describe('ignoredName', () => {
  it.each([
    ['song.wav.part', '*.part'],
    ['song.wav.PARTIAL', '*.partial'],
    ['song.crdownload', '*.crdownload'],
    ['song.wav.filepart', '*.filepart'],
    ['song.tmp', '*.tmp'],
    ['song.wav~', '*~'],
    ['~$song.wav', '~$*'],
    ['._song.wav', '._*'],
    ['.DS_Store', '.DS_Store'],
    ['thumbs.db', 'Thumbs.db'],
    ['.syncthing.song.wav', '.syncthing.*'],
    ['~syncthing~song.wav', '~syncthing~*'],
    ['_UNPACK_album', '_UNPACK_*'],
    ['@eaDir', '@eaDir'],
    ['.~lock.song.wav#', '.~lock.*'],
  ])('treats %j as temporary by the rule %s', (name, pattern) => {
    expect(ignoredName(name)).toEqual({ kind: 'temporary', pattern });
  });

  it('treats a leading dot as hidden', () => {
    expect(ignoredName('.song.wav')).toEqual({ kind: 'hidden' });
  });

  it.each([
    'song.wav',
    '-song.wav',
    'a part.wav',
    'tmp',
    'partial',
    '~song.wav',
    '_song.wav',
    '@song.wav',
    '日本.wav',
    '…wav',
  ])('does not ignore %j', (name) => {
    expect(ignoredName(name)).toBeNull();
  });
});

describe('ignoredFile', () => {
  it('needs one of the endings, in any case', () => {
    expect(ignoredFile('a.WAV', ['.wav'])).toBeNull();
    expect(ignoredFile('a.mp3', ['.wav'])).toEqual({ kind: 'ending', ending: '.mp3' });
    expect(ignoredFile('wav', ['.wav'])).toEqual({ kind: 'ending', ending: '' });
    expect(ignoredFile('a.wav ', ['.wav'])).toEqual({ kind: 'ending', ending: '.wav ' });
    expect(ignoredFile('.a.wav', ['.wav'])).toEqual({ kind: 'hidden' });
  });
});
