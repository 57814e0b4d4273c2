/** A test that holds a promise, by its file and a part of its full name. */
export interface TestCase {
  readonly file: string;
  readonly name: string;
}

/** A row of the acceptance scenarios. */
interface AcceptanceRow {
  readonly row: string;
}

export interface SecurityPromise {
  /** An item of Electron's security checklist by its number, or a name of ours. */
  readonly id: string;
  readonly text: string;
  readonly tests: readonly (TestCase | AcceptanceRow)[];
}

const bundles = (item: number): readonly TestCase[] => [
  { file: 'tests/static/build.test.ts', name: 'violates no item of Electron’s security checklist' },
  { file: 'tests/static/build.test.ts', name: `would fail with item ${item} violated` },
];
const inWindow = (name: string): TestCase => ({ file: 'tests/e2e/security.spec.ts', name });
const pageGuard = (name: string): TestCase => ({ file: 'src/main/electron/page-security.test.ts', name });
const appServer = (name: string): TestCase => ({ file: 'src/main/core/media/app-server.test.ts', name });
const supplyChain = (name: string): TestCase => ({ file: 'tests/static/supply-chain.test.ts', name });
const releaseFeed = (name: string): TestCase => ({ file: 'src/main/core/updates/release-feed.test.ts', name });
const updates = (name: string): TestCase => ({ file: 'src/main/core/updates/updates.test.ts', name });
const fileNames = (name: string): TestCase => ({ file: 'src/main/core/files/names.test.ts', name });
const keyring: TestCase = {
  file: 'tests/keyring/keeps-tokens.test.ts',
  name: 'stores tokens of every length in a real keyring, and is not blocked by one that hangs',
};

/**
 * What Timbre promises, in the order of Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security),
 * and then what it promises beside that. `npm run security` runs the tests; docs/security.md says against whom.
 */
export const promises: readonly SecurityPromise[] = [
  {
    id: '1',
    text: 'Only secure content is loaded.',
    tests: [...bundles(1), { file: 'src/main/core/voice-service/tls.test.ts', name: 'a connection’s host' }],
  },
  {
    id: '2',
    text: 'The page has no Node.',
    tests: [...bundles(2), inWindow('the page has no Node and nothing of Electron')],
  },
  {
    id: '3',
    text: 'The page and the preload are isolated from each other.',
    tests: [...bundles(3), inWindow('the window is created with sandbox and isolation, without Node')],
  },
  {
    id: '4',
    text: 'Every page runs in the sandbox.',
    tests: [...bundles(4), inWindow('the window is created with sandbox and isolation, without Node')],
  },
  {
    id: '5',
    text: 'A page gets no permission but writing copied text.',
    tests: [
      ...bundles(5),
      pageGuard('is denied every permission but writing copied text'),
      pageGuard('gets no device and no screen capture'),
      inWindow('the page is granted no permission but writing copied text'),
    ],
  },
  { id: '6', text: 'The same-origin policy is on.', tests: bundles(6) },
  {
    id: '7',
    text: 'The content security policy allows scripts and styles of Timbre, and no request.',
    tests: [
      ...bundles(7),
      appServer(
        'sends the content security policy with every response, to which a page adds only the styles inside it',
      ),
      inWindow('the content security policy stops inline code, eval, frames and every request'),
    ],
  },
  { id: '8', text: 'No insecure content is allowed.', tests: bundles(8) },
  { id: '9', text: 'Chromium has no experimental features.', tests: bundles(9) },
  { id: '10', text: 'Blink has no additional features.', tests: bundles(10) },
  { id: '11', text: 'No webview exists, so none opens windows.', tests: bundles(11) },
  { id: '12', text: 'No page can contain a webview.', tests: [...bundles(12), pageGuard('cannot contain a webview')] },
  {
    id: '13',
    text: 'No page or frame can navigate away.',
    tests: [
      ...bundles(13),
      pageGuard('cannot navigate away by'),
      inWindow('the page cannot navigate away and opens no window'),
      inWindow('a file that is dropped outside the drop targets does not replace the page'),
    ],
  },
  {
    id: '14',
    text: 'No page can open a window.',
    tests: [...bundles(14), pageGuard('opens no window, whatever it requests')],
  },
  {
    id: '15',
    text: 'Only Timbre’s own links open in the browser.',
    tests: [...bundles(15), pageGuard('hostile ones'), pageGuard('are opened as parsed, not as given')],
  },
  { id: '16', text: 'Electron is current.', tests: [...bundles(16), { row: 'S23' }] },
  {
    id: '17',
    text: 'Every call of the page is checked: who sends it, and what it may contain.',
    tests: [...bundles(17), { row: 'S21' }, inWindow('the bridge rejects channels outside the contract')],
  },
  {
    id: '18',
    text: 'The page and its media come from a scheme of their own, not from files.',
    tests: [...bundles(18), appServer('ways of leaving the page’s folder')],
  },
  {
    id: '19',
    text: 'All nine fuses are set.',
    tests: [...bundles(19), { file: 'tests/static/package.test.ts', name: 'has all nine fuses as they are wanted' }],
  },
  {
    id: '20',
    text: 'The page gets nothing of Electron’s own interface.',
    tests: [
      ...bundles(20),
      inWindow('the preload gives the page three functions, and no access beyond them'),
      inWindow('a listener receives the payload and never the event'),
    ],
  },
  {
    id: 'a page that was taken over',
    text: 'It can set no folder, program or proxy that the user has not chosen in a dialog of the system.',
    tests: [
      { row: 'S21' },
      inWindow('a page cannot set a folder or a proxy that the user did not choose in a system dialog'),
    ],
  },
  {
    id: 'tokens',
    text: 'A token is in no file, log, argument, process or message but the password store.',
    tests: [{ row: 'Q17' }, { row: 'S14' }],
  },
  {
    id: 'origins of tokens',
    text: 'A token is sent only to the origins that it was entered for.',
    tests: [{ row: 'Q25' }],
  },
  {
    id: 'redirects',
    text: 'No redirect is followed, so neither a token nor a recording goes to another place.',
    tests: [
      { file: 'src/main/core/voice-service/redirects.test.ts', name: 'is not followed to' },
      { file: 'src/main/core/voice-service/redirects.test.ts', name: 'is not followed for' },
    ],
  },
  {
    id: 'media',
    text: 'A page reads only audio of its own jobs, by a key that does not reveal the path.',
    tests: [
      appServer('serves only jobs, and of them only audio that may be played'),
      appServer('gives each file a key of its own that does not reveal the path'),
      appServer('answers 404 for a folder, a pipe or a deleted file'),
    ],
  },
  {
    id: 'names of files',
    text: 'No name that a service, a text or a template gives leaves the output folder or is illegal on any system.',
    tests: [
      fileNames('is legal on all systems, short enough, stable, and unchanged by the disk'),
      fileNames('holds the same for 10,000 generated names'),
      fileNames('never leaves the folder, and has as many levels as the template, whatever the values'),
    ],
  },
  {
    id: 'links in watched folders',
    text: 'Nothing outside a watched folder is read or sent through a link in it.',
    tests: [
      {
        file: 'src/main/core/scanner/file-reader.test.ts',
        name: 'never reads through a link that replaces the file or its folder, in 500 races',
      },
      {
        file: 'src/main/core/jobs/upload-source.test.ts',
        name: 'a link in place of the folder of copies leads to nothing that is removed',
      },
    ],
  },
  {
    id: 'a password store that hangs',
    text: 'Timbre does not wait for it, and uses no token that was removed meanwhile.',
    tests: [
      keyring,
      { file: 'src/main/core/secrets/keychain.test.ts', name: 'kills a process that does not answer in time' },
      { row: 'S20' },
    ],
  },
  {
    id: 'TLS',
    text: 'Nothing is sent without TLS, except to this computer.',
    tests: [
      {
        file: 'src/main/core/voice-service/http.test.ts',
        name: 'opens no socket for an origin that is neither secure nor on this computer',
      },
      {
        file: 'src/main/core/voice-service/tls.test.ts',
        name: 'is also rejected with only the certificates of this system',
      },
    ],
  },
  {
    id: 'length of tokens',
    text: 'Tokens of 1 byte to 64 KB are stored whole.',
    tests: [{ file: 'src/main/core/secrets/secret-store.test.ts', name: 'bytes is restored after a restart' }, keyring],
  },
  {
    id: 'files of the user',
    text: 'No other user of the computer can read Timbre’s data.',
    tests: [{ row: 'S16' }],
  },
  {
    id: 'hostile input',
    text: 'Recordings, lists and messages that are built to be expensive are rejected or cost little, and no text controls a terminal.',
    tests: [{ row: 'S15' }, { row: 'S17' }, { row: 'S18' }, { row: 'S19' }],
  },
  {
    id: 'updates',
    text: 'Only a newer version of a signed list is installed, the very file that it names, and only when the user says so.',
    tests: [
      releaseFeed('is refused if another key signed it'),
      releaseFeed('is refused if anything in it was changed, or it says that it needs no key'),
      releaseFeed('is refused if it is'),
      updates('none that is older'),
      updates('takes no list that is older than the last one, even after a restart'),
      updates('is downloaded and installed when the user says so, and only then'),
      { file: 'src/main/electron/update-installer.test.ts', name: 'if what was downloaded has changed since' },
    ],
  },
  {
    id: 'supply chain',
    text: 'Every package has fixed content, no install script runs that is not allowed, and no secret is in the source.',
    tests: [
      supplyChain('fixes the content of every package, all from the registry'),
      supplyChain('allows no install script but keytar’s'),
      supplyChain('is in no file of the tree, except for invented ones'),
      { row: 'S23' },
    ],
  },
];
