/**
 * The part of `URL` that this folder uses. Pages and Node both have it, but neither's types are
 * loaded here.
 */
declare class URL {
  constructor(address: string, base?: string);
  static canParse(address: string, base?: string): boolean;
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly hash: string;
}
