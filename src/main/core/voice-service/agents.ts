import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { AppError } from '../../../shared/errors.ts';
import { isProxyAddress } from '../../../shared/schemas/settings.ts';
import { ConnectFailure } from './network-error.ts';

/**
 * Authorities that a service's certificate may come from, as PEM: those that come with Node, and those of this system, where firms
 * and schools put their own. Reading the system's takes some 70 ms and blocks.
 */
export const trustedCertificates = (): readonly string[] => [
  ...new Set([...getCACertificates('default'), ...getCACertificates('system')]),
];

/** Reads the certificates with the first secure connection and keeps them: parsing some hundreds for each socket would take 15 ms. */
export function createTrust(certificates: () => readonly string[]): () => SecureContext {
  let context: SecureContext | undefined;
  return () => (context ??= createSecureContext({ ca: [...certificates()] }));
}

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

/** Where sockets come from. undici is loaded with the first of them. */
export interface Agents {
  /** One keep-alive pool an origin. */
  shared(origin: string, connectTimeoutMs: number): Promise<Dispatcher>;
  /** For one call: `signal` closes its socket in whatever state that is. Must be retired. */
  fresh(origin: string, connectTimeoutMs: number, signal: AbortSignal): Promise<Dispatcher>;
  retire(agent: Dispatcher): void;
  close(): Promise<void>;
}

export interface AgentOptions {
  /** As in the settings: `''` for the environment's, `direct` for none, else an address. Asked at each call. */
  readonly proxy: () => string;
  readonly environment: Environment;
  /** Authorities to trust, as PEM; read with the first secure connection. */
  readonly certificates: () => readonly string[];
}

/** Passes on what a connector does, and says of its failures what they mean. */
const reporting =
  (at: ConnectFailure['at'], connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else callback(error instanceof ConnectFailure ? error : new ConnectFailure(at, error), null);
    });

const loadUndici = () => import('undici');

/** Loads what the first call will need, 50 ms of work, while there is something else to wait for. Why it failed is for that call to say. */
export const loadNetwork = (): void => void loadUndici().catch(() => undefined);

export function createAgents({ proxy, environment, certificates }: AgentOptions): Agents {
  const trust = createTrust(certificates);
  const open = new Set<Dispatcher>();
  const pools = new Map<string, Promise<Dispatcher>>();
  const closing = new AbortController();

  async function openAgent(origin: string, timeout: number, signal: AbortSignal): Promise<Dispatcher> {
    const route = proxyRoute(proxy(), environment, origin);
    const { Agent, EnvHttpProxyAgent, Pool, buildConnector } = await loadUndici();
    const sockets: buildConnector.BuildOptions = {
      timeout,
      // One request, one connection: only then is it known what a broken one has cost.
      allowH2: false,
      ...(origin.startsWith('https:') && { secureContext: trust() }),
      signal,
    };
    // undici hands each of its makers the connector that it would use itself.
    const pool = (at: ConnectFailure['at'], url: string | URL, options: object) => {
      const { connect, ...rest } = options as Pool.Options & { connect: buildConnector.connector };
      return new Pool(url, { ...rest, connect: reporting(at, connect) });
    };
    const factory = (url: string | URL, options: object) => pool('service', url, options);
    const connect = buildConnector(sockets);
    const agent =
      route === null
        ? new Agent({ factory, connect })
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

  return {
    shared(origin, connectTimeoutMs) {
      // The setting may change while the app runs, and the timeout with the connection: each pair has pools of its own.
      const key = JSON.stringify([origin, connectTimeoutMs, proxy()]);
      const agent = pools.get(key) ?? openAgent(origin, connectTimeoutMs, closing.signal);
      pools.set(key, agent);
      agent.catch(() => pools.delete(key));
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
