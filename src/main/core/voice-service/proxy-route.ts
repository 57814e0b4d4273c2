import { AppError } from '../../../shared/app-error.ts';
import { isProxyAddress } from '../../../shared/proxy-address.ts';

/** The way through a proxy. Its address may hold a password: it goes to undici, and into no message. */
export interface ProxyRoute {
  readonly address: string;
  /** Hosts that are reached without it, as `NO_PROXY` lists them. */
  readonly except: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const isLoopback = (hostname: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])\.?$/.test(hostname);

function fromEnvironment(environment: Environment): ProxyRoute | null {
  const named = (...names: readonly string[]): string => names.map((name) => environment[name]).find(Boolean) ?? '';
  // Only https leaves this computer; HTTP_PROXY stands in where somebody set no other, as it does for npm.
  const address = named('https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY');
  return address === '' ? null : { address, except: named('no_proxy', 'NO_PROXY') };
}

/**
 * The proxy for an origin, or null where the way is direct. `setting` is `''` for the environment's, `direct` for none, else an
 * address. What runs on this computer is never asked of a proxy, which would look for it on its own machine.
 */
export function proxyRoute(setting: string, environment: Environment, origin: string): ProxyRoute | null {
  if (setting === 'direct' || isLoopback(new URL(origin).hostname)) return null;
  const route = setting === '' ? fromEnvironment(environment) : { address: setting, except: '' };
  if (route === null) return null;
  // Common in the environment, and what curl takes: a proxy without its scheme.
  const address = route.address.includes('://') ? route.address : `http://${route.address}`;
  if (!isProxyAddress(address)) throw new AppError('network/proxy', 'the proxy’s address is not one of http or https');
  return { ...route, address };
}
