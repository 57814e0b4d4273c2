const parts = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A string of JSON in its usual spelling: `\u0041` and `\/` are written as what they mean. */
function usual(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}

/** The strings of a text that is, or begins like, JSON in their usual spelling, so that what is looked for in it is found. */
export const withUsualStrings = (text: string): string =>
  /^\s*[[{"]/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"/g, usual) : text;

/**
 * JSON, one value a line; null where the text is none. Only spaces and the spelling of strings change: a parser would round long
 * numbers, turn the order of fields and drop the first of two that have one name.
 */
export function prettyJson(text: string): string | null {
  if (!isJson(text)) return null;
  let depth = 0;
  let out = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  const all = text.match(parts) ?? [];
  all.forEach((part, k) => {
    const isEmptyPair = /^[{[]$/.test(part) && /^[}\]]$/.test(all[k + 1] ?? '');
    if (part === '{' || part === '[') {
      depth += 1;
      out += isEmptyPair ? part : part + line();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      out += /^[{[]$/.test(all[k - 1] ?? '') ? part : line() + part;
    } else if (part === ',') out += part + line();
    else if (part === ':') out += ': ';
    else out += part.startsWith('"') ? usual(part) : part;
  });
  return out;
}
