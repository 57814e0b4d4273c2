// P15: what one key costs in the search of 20,000 voices, beside the folding of their names alone, which no search could do without.
// P14: the formats that all words of the window make before anything is shown. Both in this process, without a window.
//   npm run bench voice-search
const made: string[] = [];
for (const name of ['NumberFormat', 'DateTimeFormat', 'PluralRules', 'ListFormat', 'RelativeTimeFormat'] as const) {
  const original = Intl[name] as unknown as new (...args: unknown[]) => object;
  Object.assign(Intl, {
    [name]: new Proxy(original, {
      construct(target, args) {
        made.push(name);
        return Reflect.construct(target, args);
      },
    }),
  });
}
const started = performance.now();
const { loadMessages } = await import('../src/shared/messages/index.ts');
const words = await loadMessages('en');
const loadedMs = performance.now() - started;
console.log(`P14 formats made with the words: ${made.length} (goal <= 40), words loaded in ${Math.round(loadedMs)} ms`);

const { foldText } = await import('../src/shared/text/fold-text.ts');
const { findVoices, foldVoices } = await import('../src/renderer/src/features/voices/voice-search.ts');
const languages = ['en-GB', 'de-DE', 'nb-NO', 'pt-BR', 'ja-JP', 'pl-PL'];
const voices = Array.from({ length: 20_000 }, (_, k) => ({
  id: `voice-${k}`,
  name: `${['Søren', 'Łukasz', 'Clear fjord', 'Old oak'][k % 4] ?? ''} ${k}`,
  language: languages[k % languages.length] ?? '',
  gender: k % 2 === 0 ? 'female' : 'male',
  category: 'natural',
}));
const time = (run: () => unknown): number => {
  const before = performance.now();
  run();
  return performance.now() - before;
};
const foldMs = time(() => voices.map(({ name }) => foldText(name)));
// The window does this between keystrokes.
foldVoices(voices, words);
const keys = ['s', 'so', 'sor', 'sore', 'soren', 'soren 1', 'soren 12'].map((query) =>
  time(() => findVoices(voices, query, words)),
);
const [first = NaN, ...others] = keys;
console.log(
  `P15 voice search, 20,000 voices: first key ${first.toFixed(1)} ms, any other ${Math.max(...others).toFixed(1)} ms ` +
    `(goal <= 16), folding all names ${foldMs.toFixed(1)} ms`,
);
