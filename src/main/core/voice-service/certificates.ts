import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

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
