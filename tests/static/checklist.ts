import { parse, type AnyNode, type Program } from 'acorn';
import { full } from 'acorn-walk';

/** What the gate looks at: the built code as text, and the two facts that stand outside it. */
export interface Build {
  /** File name to code. Main is the entry and every chunk that it reads. */
  readonly main: ReadonlyMap<string, string>;
  readonly preload: ReadonlyMap<string, string>;
  readonly page: ReadonlyMap<string, string>;
  readonly fuses: Readonly<Record<string, unknown>>;
  readonly electron: { readonly used: string; readonly latest: string | null };
}

export interface Finding {
  /** Number in Electron's security checklist. */
  readonly item: number;
  readonly what: string;
}

/** One look at one node. */
type Look = (node: AnyNode) => string | undefined;

const parsed = new Map<string, Program>();

function programOf(code: string): Program {
  let program = parsed.get(code);
  if (!program) {
    program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    parsed.set(code, program);
  }
  return program;
}

function nodesIn(files: ReadonlyMap<string, string>): readonly AnyNode[] {
  const nodes: AnyNode[] = [];
  for (const code of files.values()) full(programOf(code), (node) => nodes.push(node));
  return nodes;
}

const textOf = (node: AnyNode): string | undefined => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateElement') return node.value.cooked ?? node.value.raw;
  return undefined;
};

/** `name` of `x.name` and of `x['name']`. */
const memberName = (node: AnyNode): string | undefined => {
  if (node.type !== 'MemberExpression') return undefined;
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  return textOf(node.property);
};

const calledMethod = (node: AnyNode): string | undefined =>
  node.type === 'CallExpression' ? memberName(node.callee) : undefined;

const keyOf = (node: AnyNode): string | undefined => {
  if (node.type !== 'Property') return undefined;
  return node.key.type === 'Identifier' && !node.computed ? node.key.name : textOf(node.key);
};

/** Minifiers write `!0` and `!1`. */
const booleanOf = (node: AnyNode): boolean | undefined => {
  if (node.type === 'Literal' && typeof node.value === 'boolean') return node.value;
  if (node.type === 'UnaryExpression' && node.operator === '!' && node.argument.type === 'Literal') {
    return !node.argument.value;
  }
  return undefined;
};

/** Name spaces and schema names: they are compared, never fetched. */
const namesNotAddresses = /^http:\/\/(www\.w3\.org|json-schema\.org)\//;
const loopback = /^(http|ws):\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$)/;

const insecureAddress: Look = (node) => {
  const text = textOf(node);
  if (text === undefined || !/^(http|ws):\/\/[\x21-\x7e]+$/.test(text)) return undefined;
  return namesNotAddresses.test(text) || loopback.test(text) ? undefined : `address without TLS: ${text}`;
};

const propertyIs =
  (names: readonly string[], bad: (value: AnyNode) => boolean): Look =>
  (node) => {
    const key = keyOf(node);
    return node.type === 'Property' && key !== undefined && names.includes(key) && bad(node.value)
      ? `${key} is set`
      : undefined;
  };

const notFalse = (value: AnyNode) => booleanOf(value) !== false;
const notTrue = (value: AnyNode) => booleanOf(value) !== true;
const always = () => true;

const calls =
  (name: string): Look =>
  (node) =>
    calledMethod(node) === name ? `${name}() is called` : undefined;

const saysText =
  (pattern: RegExp): Look =>
  (node) => {
    const text = textOf(node);
    return text !== undefined && pattern.test(text) ? `the text ${JSON.stringify(text.slice(0, 60))}` : undefined;
  };

const isEval: Look = (node) => {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'eval')
    return 'eval()';
  const isFunction =
    node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'Function';
  return isFunction ? 'new Function()' : undefined;
};

const policy = new Map([
  ['default-src', "'none'"],
  ['script-src', "'self'"],
  ['style-src', "'self'"],
  ['img-src', "'self' data:"],
  ['media-src', "'self'"],
  ['font-src', "'self'"],
  ['connect-src', "'none'"],
  ['base-uri', "'none'"],
  ['form-action', "'none'"],
  ['frame-ancestors', "'none'"],
  ['object-src', "'none'"],
]);

/** The nine fuses as security.md wants them, by the names of @electron/fuses. */
export const wantedFuses: Readonly<Record<string, boolean>> = {
  strictlyRequireAllFuses: true,
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};

/** Walks the built code along Electron's checklist and gives back everything that is wrong. Empty is the only good answer. */
export function checkBuild({ main, preload, page, fuses, electron }: Build): readonly Finding[] {
  const findings: Finding[] = [];
  const inMain = nodesIn(main);
  const inPreload = nodesIn(preload);
  const inPage = nodesIn(page);
  const everywhere = [...inMain, ...inPreload, ...inPage];

  const add = (item: number, what: string) => findings.push({ item, what });
  const forbid = (item: number, nodes: readonly AnyNode[], look: Look) => {
    for (const node of nodes) {
      const what = look(node);
      if (what !== undefined) add(item, what);
    }
  };
  const count = (nodes: readonly AnyNode[], look: Look) => nodes.filter((node) => look(node) !== undefined).length;
  const demand = (item: number, nodes: readonly AnyNode[], look: Look, what: string, times?: number) => {
    const found = count(nodes, look);
    if (times === undefined ? found === 0 : found !== times) add(item, `${what}: found ${found} times`);
  };

  forbid(1, everywhere, insecureAddress);
  forbid(2, inMain, propertyIs(['nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames'], notFalse));
  forbid(3, inMain, propertyIs(['contextIsolation'], notTrue));
  forbid(4, inMain, propertyIs(['sandbox'], notTrue));
  demand(4, inMain, calls('enableSandbox'), 'app.enableSandbox()');
  for (const handler of [
    'setPermissionRequestHandler',
    'setPermissionCheckHandler',
    'setDevicePermissionHandler',
    'setDisplayMediaRequestHandler',
  ]) {
    demand(5, inMain, calls(handler), handler);
  }
  forbid(6, inMain, propertyIs(['webSecurity'], notTrue));
  for (const [directive, value] of policy) {
    const source = `${directive} ${value}`;
    const isDirective: Look = (node) => (textOf(node)?.includes(source) ? source : undefined);
    demand(7, inMain, isDirective, source);
  }
  forbid(7, inMain, saysText(/^[a-z-]+-src .*'(unsafe-inline|unsafe-eval)'/));
  forbid(7, inPage, isEval);
  forbid(8, inMain, propertyIs(['allowRunningInsecureContent'], notFalse));
  forbid(9, inMain, propertyIs(['experimentalFeatures'], notFalse));
  forbid(10, inMain, propertyIs(['enableBlinkFeatures'], always));
  forbid(11, inMain, propertyIs(['webviewTag'], notFalse));
  forbid(11, inPage, saysText(/<webview|^webview$/));
  demand(12, inMain, saysText(/^will-attach-webview$/), 'will-attach-webview');
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    demand(13, inMain, saysText(new RegExp(`^${event}$`)), event);
  }
  forbid(13, inMain, propertyIs(['navigateOnDragDrop'], notFalse));
  demand(14, inMain, calls('setWindowOpenHandler'), 'setWindowOpenHandler');
  forbid(
    14,
    inMain,
    propertyIs(['action'], (value) => textOf(value) === 'allow'),
  );
  demand(15, inMain, calls('openExternal'), 'shell.openExternal() in one place', 1);
  if (electron.latest !== null && majorOf(electron.used) < majorOf(electron.latest) - 1) {
    add(16, `Electron ${electron.used} is more than one major behind ${electron.latest}`);
  }
  demand(17, inMain, isIpcHandle, 'ipcMain.handle() in one place', 1);
  forbid(17, inMain, isIpcListener);
  forbid(18, inMain, calls('loadFile'));
  forbid(18, everywhere, saysText(/^file:\/\//));
  for (const [fuse, value] of Object.entries(wantedFuses)) {
    if (fuses[fuse] !== value) add(19, `fuse ${fuse} is ${String(fuses[fuse])}, not ${value}`);
  }
  demand(20, inPreload, calls('exposeInMainWorld'), 'exposeInMainWorld() in one place', 1);
  forbid(20, inPreload, exposesElectron);
  forbid(20, inPage, saysText(/^(electron|ipcRenderer)$/));
  return findings;
}

const majorOf = (version: string): number => Number(version.split('.')[0]);

const objectName = (node: AnyNode): string | undefined =>
  node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && node.callee.object.type === 'Identifier'
    ? node.callee.object.name
    : undefined;

/** `handle` of ipcMain and of protocol look alike once names are short: that of protocol is called with the scheme's name. */
const isIpcHandle: Look = (node) =>
  calledMethod(node) === 'handle' && node.type === 'CallExpression' && node.arguments[1]?.type.includes('Function')
    ? 'handle()'
    : undefined;

const isIpcListener: Look = (node) =>
  objectName(node) === 'ipcMain' && ['on', 'once', 'addListener'].includes(calledMethod(node) ?? '')
    ? 'ipcMain.on() beside the wrapper'
    : undefined;

/** `exposeInMainWorld('x', ipcRenderer)` and its kind: an API object itself, or its bare methods. */
const exposesElectron: Look = (node) => {
  if (node.type !== 'Property' && node.type !== 'CallExpression') return undefined;
  const values =
    node.type === 'Property' ? [node.value] : calledMethod(node) === 'exposeInMainWorld' ? node.arguments : [];
  const isApi = (value: AnyNode): boolean => {
    const name = value.type === 'MemberExpression' ? memberName(value) : value.type === 'Identifier' ? value.name : '';
    if (name === 'ipcRenderer' || name === 'webFrame' || name === 'shell') return true;
    return value.type === 'MemberExpression' && isApi(value.object);
  };
  return values.some(isApi) ? 'an API of Electron is given to the page' : undefined;
};
