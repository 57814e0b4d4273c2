import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { Ajv } from 'ajv';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sbomName } from '../../src/main/core/notices.ts';
import { shippedPackages } from '../../scripts/notices.mts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = (path: string): unknown => JSON.parse(read(path));

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
const locked = Object.entries(
  (json('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> }).packages,
).filter(([place]) => place !== '');
const manifest = json('package.json') as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

describe('the lock file', () => {
  it('fixes the content of every package, all from the registry', () => {
    expect(locked.length).toBeGreaterThan(300);
    const loose = locked.filter(
      ([, { integrity, resolved, link }]) => !integrity?.startsWith('sha512-') || resolved || link,
    );
    expect(loose.map(([place]) => place)).toEqual([]);
  });

  it('has install scripts only in packages that package.json decides about', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
    expect(scripted.sort()).toEqual(
      Object.keys(manifest.allowScripts)
        .map((name) => `node_modules/${name}`)
        .sort(),
    );
  });

  it('allows no install script but keytar’s, which the launcher has built from its source instead of downloaded', () => {
    expect(Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)).toEqual([['keytar', true]]);
    expect(json('node_modules/keytar/package.json')).toMatchObject({
      scripts: { install: 'prebuild-install || npm run build' },
    });
    expect(read('timbre')).toContain('export npm_config_build_from_source=keytar\n');
  });
});

describe('a dependency', () => {
  it('has an exact version', () => {
    expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('has its reason', () => {
    const reasons = read('docs/dependencies.md')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => line.split('|')[1]?.match(/@?[a-z][\w./-]*/g) ?? []);
    expect(Object.keys(direct).filter((name) => !reasons.includes(name))).toEqual([]);
  });
});

describe('the bill of materials', () => {
  const schema = (name: string) =>
    json(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`) as object;
  const bill = json(join('out', sbomName)) as { readonly components: readonly { readonly purl: string }[] };

  it('is CycloneDX 1.6', () => {
    // The formats that it names, such as those of addresses in other languages, need packages of their own.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    }
    const isValid = ajv.validate(schema('bom-1.6'), bill);
    expect(ajv.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
  });

  it('names every package that ships, with its content', () => {
    const purls = shippedPackages().map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(purls).toContain('pkg:npm/%40audio/decode-aac@1.6.0');
    expect(bill.components.map(({ purl }) => purl).sort()).toEqual(purls.sort());
    expect(bill.components.filter((one) => !('hashes' in one))).toEqual([]);
  });
});

it('the image of a container builds the keychain’s module from source, with the headers of its own Node', () => {
  const { groups } = /RUN (?<settings>.*)npm ci /.exec(read('Containerfile')) ?? {};
  expect(groups?.['settings']?.trim().split(' ')).toEqual([
    'npm_config_build_from_source=keytar',
    'npm_config_nodedir=/usr',
  ]);
});

describe('a secret', () => {
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }];
  const secretsIn = async (path: string, content: string): Promise<readonly string[]> => {
    const source = {
      content,
      filePath: join(root, path),
      ext: path.slice(path.lastIndexOf('.')),
      contentType: 'text' as const,
    };
    const { messages } = await lintSource({ source, options: { config: { rules } } });
    return messages.map(({ message }) => `${path}: ${message}`);
  };
  /** A name that no computer has: tests use it to prove that no log has the password of a proxy. */
  const isInvented = (message: string): boolean => message.endsWith('@proxy.test');

  it('is in no file of the tree, except for invented ones', async () => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    const texts = files.filter((path) =>
      /\.([cm]?[jt]s|json|md|ya?ml|svelte|css|html|sh|plist)$|(^|\/)[\w-]+$/.test(path),
    );
    expect(texts.length).toBeGreaterThan(1000);
    const found = await Promise.all(texts.map((path) => secretsIn(path, read(path))));
    expect(found.flat().filter((message) => !isInvented(message))).toEqual([]);
  }, 60_000);

  it('would be found', async () => {
    const key = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    expect(await secretsIn('src/x.ts', `const token = '${key}';`)).toHaveLength(1);
  });
});
