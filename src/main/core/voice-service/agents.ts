import type { buildConnector, Dispatcher, Pool } from 'undici';
import { createTrust } from './certificates.ts';
import { ConnectFailure } from './connect-failure.ts';
import { proxyRoute, type Environment } from './proxy-route.ts';

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
