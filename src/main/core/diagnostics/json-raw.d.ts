/** In V8, and not yet in TypeScript's library (ECMAScript proposal "JSON.parse source text access"). */
interface JSON {
  /** A value that `stringify` writes as the given text; it must be the JSON of one primitive. */
  rawJSON(text: string): object;
}
