import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

test('a path ends with a name, on every system', () => {
  expect(['/a/b.sh', 'C:\\Tools\\up.exe', '/a/folder/', 'name', '/'].map(fileNameOf)).toEqual([
    'b.sh',
    'up.exe',
    'folder',
    'name',
    '',
  ]);
});
