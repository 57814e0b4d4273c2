import { describe, expect, it } from 'vitest';
import type { OpenTarget } from '../../shared/schemas/app.ts';
import {
  createOpenRequests,
  formatArguments,
  parseArguments,
  parseLink,
  readCommand,
  readStartArguments,
  readSwitches,
  registerLinks,
} from './open-requests.ts';

const parse = (...args: string[]) => parseArguments(args, '/home/ada', '/opt/timbre');

describe('the arguments of a start', () => {
  it('are files, found from its working folder', () => {
    expect(parse('take.wav', '/music/b.mp3', '../c.flac').paths).toEqual([
      '/home/ada/take.wav',
      '/music/b.mp3',
      '/home/c.flac',
    ]);
  });

  it('are addresses of files, as Linux desktops pass them', () => {
    expect(parse('file:///music/a%20b%C3%A9.wav', 'FILE:///c.wav').paths).toEqual(['/music/a bé.wav', '/c.wav']);
  });

  it('keep an address that is no file of this computer, so that it is reported as missing', () => {
    expect(parse('file://other/music/a.wav').paths).toHaveLength(1);
    expect(parse('file:///a%2Fb.wav').paths).toHaveLength(1);
  });

  it('are not switches, the app itself, or nothing', () => {
    expect(parse('--lang=de', '-psn_0_1', '/opt/timbre', '').paths).toEqual([]);
    expect(parse('--hidden')).toEqual({ paths: [], links: [], isHidden: true });
  });

  it('have switches only before a double dash', () => {
    expect(readSwitches(['--lang=de', 'a.wav', 'timbre://watch', '--', '--hidden'])).toEqual(['--lang=de']);
  });

  it('are all files after a double dash', () => {
    expect(parse('--', '-take.wav', 'timbre:x.wav', '--hidden')).toEqual({
      paths: ['/home/ada/-take.wav', '/home/ada/timbre:x.wav', '/home/ada/--hidden'],
      links: [],
      isHidden: false,
    });
  });

  it('are links', () => {
    expect(parse('timbre://history', 'a.wav')).toMatchObject({
      links: ['timbre://history'],
      paths: ['/home/ada/a.wav'],
    });
  });

  it('can be formatted for another start, whatever their names', () => {
    const one = parse('--', '-take.wav', '--', 'timbre:x.wav');
    const other = parse('timbre://watch', 'a b.wav');
    const again = parseArguments(formatArguments([one, other]), '/elsewhere', '/opt/timbre');
    expect(again).toEqual({ paths: [...one.paths, ...other.paths], links: ['timbre://watch'], isHidden: false });
  });

  it('are formatted with one link, the one that is opened: on Windows, Electron starts with nothing behind a link', () => {
    const links = ['timbre://watch', 'timbre://voices', 'timbre://x'];
    expect(formatArguments([parse(...links, 'a.wav'), parse('timbre://x')])).toEqual([
      'timbre://voices',
      '--',
      '/home/ada/a.wav',
    ]);
    expect(formatArguments([parse()])).toEqual(['--']);
  });

  it('of another program are ignored', () => {
    const given = { paths: ['/a.wav'], links: [], isHidden: false };
    expect(readStartArguments(given)).toEqual(given);
    expect([undefined, null, 1, {}, { ...given, paths: [1] }].map(readStartArguments)).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('a link', () => {
  it.each<[string, OpenTarget | undefined]>([
    ['timbre://watch', { kind: 'view', view: 'watch', search: null }],
    ['TIMBRE://Watch/', { kind: 'view', view: 'watch', search: null }],
    [
      'timbre://history?search=voice%3Aanna+after:2026',
      { kind: 'view', view: 'history', search: 'voice:anna after:2026' },
    ],
    ['timbre://history', { kind: 'view', view: 'history', search: null }],
    ['timbre://settings?search=x', { kind: 'view', view: 'settings', search: null }],
    ['timbre://convert/now', undefined],
    ['timbre://nowhere', undefined],
    ['timbre:', undefined],
    ['https://watch', undefined],
  ])('%s opens %o', (link, target) => {
    expect(parseLink(link)).toEqual(target);
  });
});

function setUp() {
  const [allowed, opened, later]: [string[], OpenTarget[], (() => void)[]] = [[], [], []];
  let shows = 0;
  const { add } = createOpenRequests({
    allow: (path) => allowed.push(path),
    open: (target) => opened.push(target),
    show: () => void (shows += 1),
    after: (_ms, run) => later.push(run),
  });
  const given = (paths: readonly string[], links: readonly string[] = [], isHidden = false) =>
    add({ paths, links, isHidden });
  return { given, allowed, opened, shows: () => shows, wait: () => later.splice(0).forEach((run) => run()) };
}

describe('what a start was given', () => {
  it('is added as one batch with what others bring at almost the same time, each file once', () => {
    const { given, allowed, opened, wait } = setUp();
    given(['/a.wav']);
    given(['/b.wav', '/a.wav']);
    expect(opened).toEqual([]);
    wait();
    expect(opened).toEqual([{ kind: 'files', paths: ['/a.wav', '/b.wav'] }]);
    expect(new Set(allowed)).toEqual(new Set(['/a.wav', '/b.wav']));
    given(['/c.wav']);
    wait();
    expect(opened.at(-1)).toEqual({ kind: 'files', paths: ['/c.wav'] });
  });

  it('shows the window if it is nothing, but not for a start at sign-in', () => {
    const { given, opened, shows } = setUp();
    given([]);
    given([], [], true);
    expect([opened, shows()]).toEqual([[], 1]);
  });

  it('opens the last link that is understood; a link that is not shows the window', () => {
    const { given, opened, shows } = setUp();
    given([], ['timbre://watch', 'timbre://voices', 'timbre://x']);
    given([], ['timbre://delete?everything']);
    expect([opened, shows()]).toEqual([[{ kind: 'view', view: 'voices', search: null }], 1]);
  });
});

describe('links', () => {
  const registered = (platform: NodeJS.Platform, isPackaged = true) => {
    const calls: unknown[] = [];
    const setAsDefaultProtocolClient = (...args: unknown[]) => calls.push(args) > 0;
    registerLinks({ isPackaged, setAsDefaultProtocolClient }, platform, 'E:\\Timbre.exe');
    return calls;
  };

  it('are registered on Windows, with what stays when a portable exe ends', () => {
    expect(registered('win32')).toEqual([['timbre', 'E:\\Timbre.exe']]);
  });

  it('are registered by the package elsewhere, and not from a source tree', () => {
    expect([registered('linux'), registered('darwin'), registered('win32', false)]).toEqual([[], [], []]);
  });
});

describe('a start from a terminal', () => {
  it.each([
    [['/opt/Timbre/timbre-app'], null],
    [['/opt/Timbre/timbre-app', '--hidden'], null],
    [['/opt/Timbre/timbre-app', '/home/anna/--command-line.wav'], null],
    [['/opt/Timbre/timbre-app', '--', '--command-line'], null],
    [
      ['/opt/Timbre/timbre-app', '--command-line', '--no-sandbox', '--', 'help', 'convert'],
      ['help', 'convert'],
    ],
    [
      ['electron', '/src/timbre', '--command-line', '--', '--json', '--', 'x'],
      ['--json', '--', 'x'],
    ],
    [['/opt/Timbre/timbre-app', '--command-line', '--'], []],
  ])('with %j runs the command %j', (argv, command) => {
    expect(readCommand(argv)).toEqual(command);
  });
});
