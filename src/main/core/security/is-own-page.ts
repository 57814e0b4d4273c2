import { appOrigin } from '../media/app-origin.ts';

/** True for addresses of our own page, compared by parsed origin: `app://timbre.evil/` only looks like one. */
export function isOwnPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return `${protocol}//${host}` === appOrigin && username === '' && password === '';
}
