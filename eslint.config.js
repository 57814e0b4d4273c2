import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** What must not be imported, each with what to use instead. A file gets the list of its room. */
const forbidden = {
  electron: {
    regex: '^electron(/.*)?$',
    message:
      'Only src/main/electron, src/main/index.ts, src/main/compose-app.ts, src/processes/program.ts and src/preload know Electron: pass in what you need from there.',
  },
  store: {
    regex: '^(electron-store|conf)$',
    message: 'Use SettingsStore (src/main/core/settings.ts): only its two adapters know the library.',
  },
  keytar: {
    regex: '^keytar$',
    message: 'Use SecretStore: only the keychain process may load keytar, which can block for 25 s.',
  },
  undici: {
    regex: '^undici$',
    message: 'Use Http (src/main/core/voice-service/http.ts): it loads the network on first use.',
  },
  outOfShared: {
    regex: '^(?!\\.{1,2}/|valibot$)|^\\.\\./\\.\\./',
    message: 'src/shared imports itself and valibot only, because page, main and command line all read it.',
  },
  outOfCore: {
    regex: '/(electron|handlers)/',
    message: 'core decides and knows neither Electron nor the wire: take it as a dependency.',
  },
  renderer: {
    regex: '^node:|/main/|/engine/|/sound/',
    message: 'The page has no Node and no main: ask through the client of the contract.',
  },
};
/** The rooms of the page. Each may import those in front of it, and nothing else. */
const pageRooms = [
  ...[
    'lib',
    'ui',
    'waveform',
    'connections',
    'voices',
    'player',
    'job-settings',
    'jobs',
    'settings',
    'presets',
    'convert',
  ],
  ...['history', 'watch', 'models', 'speech', 'diagnostics', 'app'],
];
const isFeature = (room) => !['lib', 'ui', 'app'].includes(room);
for (const [k, room] of pageRooms.entries()) {
  const behind = pageRooms.slice(k + 1);
  forbidden[`behind ${room}`] = {
    regex: `/(${behind.map((one) => (isFeature(one) && !isFeature(room) ? `features/${one}` : one)).join('|') || '(?!)'})/`,
    message: `${room} imports only ${pageRooms.slice(0, k).join(', ') || 'itself'}: move what both need there, or pass it as a prop.`,
  };
}
/** A selector of ESLint ends its pattern at the first slash, escaped or not. */
const selectorPattern = (regex) => regex.replaceAll('/', '\\u002F');
const forbid = (...names) => ({
  'no-restricted-imports': ['error', { patterns: names.map((name) => forbidden[name]) }],
  // The rule above does not see `await import(…)`.
  'no-restricted-syntax': [
    'error',
    {
      selector:
        'UnaryExpression[operator="void"] > :matches(ArrayExpression, MemberExpression:not([property.type="PrivateIdentifier"]))',
      message: 'The build removes properties whose value is not used: an effect depends on them by `dependOn`.',
    },
    // Numbers, signs and the letters of a unit are no words.
    {
      selector: ':not(SvelteStyleElement) > SvelteText[value=/[A-Za-z]{3}/]',
      message: 'What the user reads comes from the catalogues of messages.',
    },
    {
      selector:
        'SvelteAttribute[key.name=/^(aria-label|aria-description|title|placeholder|alt|label)$/] > SvelteLiteral[value=/[A-Za-z]{3}/]:not([value=/^(ffmpeg$|http:)/])',
      message: 'What the user reads or hears comes from the catalogues of messages.',
    },
    // Also as an expression. Names of states and classes are in lower case, and have no blanks.
    {
      selector:
        ':matches(SvelteElement > SvelteMustacheTag, SvelteAttribute[key.name=/^(aria-label|aria-description|title|placeholder|alt|label)$/] > SvelteMustacheTag) :matches(Literal[value=/^[A-Z][a-z]|[A-Za-z]{2} [a-z]{2}/], TemplateElement[value.raw=/[A-Z][a-z]|[A-Za-z]{2} [a-z]{2}/])',
      message: 'What the user reads or hears comes from the catalogues of messages.',
    },
    ...names.map((name) => ({
      selector: `ImportExpression[source.value=/${selectorPattern(forbidden[name].regex)}/]`,
      message: forbidden[name].message,
    })),
  ],
});

export default ts.config(
  {
    ignores: [
      'node_modules',
      'out',
      'bench/empty-app',
      'dist',
      'coverage',
      'test-results',
      'screens',
      'src/shared/messages/compiled',
    ],
  },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.ts', 'build/*.js', 'build/*.cjs', 'scripts/*.cjs'] },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => void work()` says that the value is not wanted.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // In a type argument `void` says that a request takes, or gives, nothing.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // Closures over classes: a method of an interface here never uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  { files: ['src/**'], rules: forbid('electron', 'store', 'keytar', 'undici') },
  { files: ['src/processes/keychain.ts'], rules: forbid('electron', 'store', 'undici') },
  { files: ['src/shared/**'], rules: forbid('electron', 'store', 'keytar', 'undici', 'outOfShared') },
  { files: ['src/shared/**/*.test.ts'], rules: forbid('electron', 'store', 'keytar', 'undici') },
  { files: ['src/main/core/**'], rules: forbid('electron', 'store', 'keytar', 'undici', 'outOfCore') },
  {
    files: ['src/main/electron/**', 'src/main/*.ts', 'src/processes/program.ts', 'src/preload/**'],
    rules: forbid('store', 'keytar', 'undici'),
  },
  { files: ['src/main/electron/settings-store.ts'], rules: forbid('keytar', 'undici') },
  { files: ['src/main/core/settings.test.ts'], rules: forbid('electron', 'keytar', 'undici') },
  {
    files: ['src/main/core/voice-service/{http,agents,sockets}.ts'],
    rules: forbid('electron', 'store', 'keytar', 'outOfCore'),
  },
  {
    files: ['src/renderer/**'],
    languageOptions: { globals: globals.browser },
    rules: forbid('electron', 'store', 'keytar', 'undici', 'renderer'),
  },
  ...pageRooms.map((room) => ({
    files: [`src/renderer/src/${isFeature(room) ? `features/${room}` : room}/**`],
    ignores: ['**/*.test.ts', '**/*.fixture.ts'],
    rules: forbid('electron', 'store', 'keytar', 'undici', 'renderer', `behind ${room}`),
  })),
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  { files: ['**/*.js', '**/*.cjs'], ...ts.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
