/** The length of a text as people count it in the limits of services: code points. */
export function textLength(text: string): number {
  let length = text.length;
  for (const [pair] of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) length -= pair.length - 1;
  return length;
}
