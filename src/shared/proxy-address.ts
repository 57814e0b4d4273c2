/** An http or https address without path, query or fragment. A user and password may stand in it. */
export function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}
