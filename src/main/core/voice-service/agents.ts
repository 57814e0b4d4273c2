import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import { isProxyAddress } from '../../../shared/schemas/settings.ts';
import type { ConnectFailure } from './network-error.ts';

/**
 * Certificate authorities to trust, as PEM: Node's and the system's, where organizations install their own.
 * Reading the system's blocks for about 70 ms.
 */
export const trustedCertificates = (): readonly string[] => [
  ...new Set([...getCACertificates('default'), ...getCACertificates('system')]),
];

/** Reads the certificates for the first TLS connection and caches them: parsing hundreds per socket would take 15 ms. */
export function createTrust(certificates: () => readonly string[]): () => SecureContext {
  let context: SecureContext | undefined;
  return () => (context ??= createSecureContext({ ca: [...certificates()] }));
}

/** A route through a proxy. The address may contain a password, so only undici gets it, never a message. */
export interface ProxyRoute {
  readonly address: string;
  /** Hosts reached without the proxy, in the format of `NO_PROXY`. */
  readonly except: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const isLoopback = (hostname: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])\.?$/.test(hostname);

function fromEnvironment(environment: Environment): ProxyRoute | null {
  const named = (...names: readonly string[]): string => names.map((name) => environment[name]).find(Boolean) ?? '';
  // Requests that leave this computer are https. HTTP_PROXY is the fallback, as in npm.
  const address = named('https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY');
  return address === '' ? null : { address, except: named('no_proxy', 'NO_PROXY') };
}

/**
 * The proxy for an origin, or null for a direct connection. `setting` is `''` for the environment's proxy,
 * `direct` for none, or an address. Services on this computer are never reached through a proxy, which would
 * look for them on its own machine. Throws `network/proxy` if the address is invalid.
 */
export function proxyRoute(setting: string, environment: Environment, origin: string): ProxyRoute | null {
  if (setting === 'direct' || isLoopback(new URL(origin).hostname)) return null;
  const route = setting === '' ? fromEnvironment(environment) : { address: setting, except: '' };
  if (route === null) return null;
  // Environment variables often omit the scheme; curl accepts that too.
  const address = route.address.includes('://') ? route.address : `http://${route.address}`;
  if (!isProxyAddress(address)) throw new AppError('network/proxy', 'the proxy’s address is not one of http or https');
  return { ...route, address };
}

/** Dispatchers that open sockets. undici is loaded with the first one. */
export interface Agents {
  /** One keep-alive pool per origin, of those that were used last. */
  shared(origin: string, connectTimeoutMs: number): Promise<Dispatcher>;
  /** For one call; aborting `signal` closes its socket in any state. Pass it to `retire` afterwards. */
  fresh(origin: string, connectTimeoutMs: number, signal: AbortSignal): Promise<Dispatcher>;
  retire(agent: Dispatcher): void;
  close(): Promise<void>;
}

export interface AgentOptions {
  /** The `setting` of `proxyRoute`, read for each call. */
  readonly proxy: () => string;
  readonly environment: Environment;
  /** Certificate authorities to trust, as PEM; read for the first TLS connection. */
  readonly certificates: () => readonly string[];
}

/** A result may have a host of its own, and the local engine has a new port after each start. */
const maxPools = 32;

const loadUndici = async () => ({ ...(await import('undici')), ...(await import('./sockets.ts')) });

/** Loads undici (50 ms) ahead of the first call. That call reports the error if loading fails. */
export const loadNetwork = (): void => void loadUndici().catch(() => undefined);

export function createAgents({ proxy, environment, certificates }: AgentOptions): Agents {
  const trust = createTrust(certificates);
  const open = new Set<Dispatcher>();
  const pools = new Map<string, Promise<Dispatcher>>();
  const closing = new AbortController();

  async function openAgent(origin: string, timeout: number, signal: AbortSignal): Promise<Dispatcher> {
    const route = proxyRoute(proxy(), environment, origin);
    const { EnvHttpProxyAgent, Pool, buildConnector, maxHeaderSize, prepareSockets } = await loadUndici();
    const sockets: buildConnector.BuildOptions = {
      timeout,
      // One request per connection: if a connection breaks, it is clear which request is affected.
      allowH2: false,
      ...(origin.startsWith('https:') && { secureContext: trust() }),
      signal,
    };
    // undici passes each factory the connector that it would use itself.
    const pool = (at: ConnectFailure['at'], url: string | URL, options: object) => {
      const { connect, ...rest } = options as Pool.Options & { connect: buildConnector.connector };
      return new Pool(url, { ...rest, maxHeaderSize, connect: prepareSockets(at, connect) });
    };
    const factory = (url: string | URL, options: object) => pool('service', url, options);
    const connect = buildConnector(sockets);
    const agent =
      route === null
        ? factory(origin, { connect })
        : new EnvHttpProxyAgent({
            factory,
            connect,
            httpProxy: route.address,
            httpsProxy: route.address,
            noProxy: route.except,
            requestTls: sockets,
            proxyTls: sockets,
            clientFactory: (url, options) => pool('proxy', url, { ...options, headersTimeout: timeout }),
          });
    open.add(agent);
    if (closing.signal.aborted) await agent.destroy();
    return agent;
  }

  /** Its calls are answered first. */
  async function closePool(key: string): Promise<void> {
    const opened = pools.get(key);
    pools.delete(key);
    try {
      const agent = await opened;
      await agent?.close();
      if (agent) open.delete(agent);
    } catch {
      // It was never opened, or destroyed meanwhile.
    }
  }

  return {
    shared(origin, connectTimeoutMs) {
      // The proxy setting and the connection's timeout may change while the app runs.
      const key = JSON.stringify([origin, connectTimeoutMs, proxy()]);
      const agent = pools.get(key) ?? openAgent(origin, connectTimeoutMs, closing.signal);
      agent.catch(() => pools.delete(key));
      // The last used is the last.
      pools.delete(key);
      pools.set(key, agent);
      const [oldest = key] = pools.keys();
      if (pools.size > maxPools) void closePool(oldest);
      return agent;
    },
    fresh: openAgent,
    retire(agent) {
      open.delete(agent);
      void agent.destroy();
    },
    async close() {
      closing.abort();
      await Promise.all([...open].map((agent) => agent.destroy()));
    },
  };
}
