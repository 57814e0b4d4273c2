/** What a header may hold; anything else would never leave, or be cut into two. */
const inHeader = /^[\t\x20-\x7e\x80-\xff]*$/;
export const isHeaderValue = (text: string): boolean => inHeader.test(text);

export const longestToken = 65_536;
/** A token that can be sent: printable ASCII, without spaces around it. */
export const isToken = (text: string): boolean =>
  text.length <= longestToken && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
