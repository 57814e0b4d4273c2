import { getCACertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createTrust, trustedCertificates } from './certificates.ts';

describe('trust', () => {
  it('is in the authorities of Node and in those of this system, each once', () => {
    const trusted = trustedCertificates();
    const wanted = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
    expect(new Set(trusted)).toEqual(wanted);
    expect(trusted).toHaveLength(wanted.size);
  });

  it('is read when it is first needed, and once', () => {
    let reads = 0;
    const trust = createTrust(() => {
      reads += 1;
      return [];
    });
    expect(reads).toBe(0);
    expect(trust()).toBe(trust());
    expect(reads).toBe(1);
  });
});
