import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** An authority that exists for this test only, and certificates of it. Needs the openssl command. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-authority-'));
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const read = (name: string): Certificate => ({
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
    cert: readFileSync(join(folder, `${name}.crt`), 'utf8'),
  });
  const selfSigned = (name: string): Certificate => {
    const out = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
    openssl('req', '-x509', ...newKey, ...out, '-days', '2', '-subj', `/CN=${name}`);
    return read(name);
  };
  const authority = selfSigned('authority');
  return {
    cert: authority.cert,
    selfSigned,
    /** A certificate for a host; with negative `days` one that has expired. */
    issue(host: string, days = 2): Certificate {
      openssl('req', '-new', ...newKey, '-keyout', `${host}.key`, '-out', `${host}.csr`, '-subj', `/CN=${host}`);
      writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\n`);
      const by = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial'];
      const what = ['-in', `${host}.csr`, '-out', `${host}.crt`, '-extfile', 'names'];
      openssl('x509', '-req', ...by, ...what, '-days', String(days));
      return read(host);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
