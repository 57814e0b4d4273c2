import { expect, it } from 'vitest';
import { areArgumentsAllowed, argumentLimits, hookArguments, hookFields, parseArguments } from './hook-arguments.ts';

const facts = {
  id: 'e7c1',
  name: 'take',
  voice: 'Low bronze',
  connection: 'Studio',
  language: 'en-US',
  createdAt: new Date(2026, 10, 25, 9, 5, 7),
  source: '/in/take.wav',
  result: '/out/take, Low bronze.wav',
};

it('fills in every field that is offered', () => {
  expect(hookArguments(hookFields, facts)).toEqual([
    '/out/take, Low bronze.wav',
    '/in/take.wav',
    'take',
    'Low bronze',
    'Studio',
    'en-US',
    '2026-11-25',
    '09-05-07',
    'e7c1',
  ]);
});

it('keeps each argument one, and never reads a value as a template, an argument or a path', () => {
  const hostile = { ...facts, voice: '{source} --delete "x" $(id)', name: '../../etc' };
  expect(hookArguments(['--voice={voice}', '{name}'], hostile)).toEqual([
    '--voice={source} --delete "x" $(id)',
    '../../etc',
  ]);
});

it('leaves other text in braces alone, and removes what no argument can have', () => {
  expect(hookArguments(['{print $1}', '{}', '{voice}'], { ...facts, voice: 'a\0b\ud800' })).toEqual([
    '{print $1}',
    '{}',
    'ab\ufffd',
  ]);
});

it('reads one argument a line', () => {
  expect(parseArguments('/home/ada/upload script.py\r\n\n  --to={result}\n')).toEqual([
    '/home/ada/upload script.py',
    '--to={result}',
  ]);
  expect(parseArguments('')).toEqual([]);
});

it('allows what fits into the dialog that asks for consent, and looks like what it is', () => {
  const { count, length } = argumentLimits;
  expect(areArgumentsAllowed(Array<string>(count).fill('ü'.repeat(length)))).toBe(true);
  expect(areArgumentsAllowed(Array<string>(count + 1).fill('a'))).toBe(false);
  for (const arg of ['a'.repeat(length + 1), 'a\tb', 'a\nb', 'a\u202eb', 'a\0']) {
    expect([arg, areArgumentsAllowed([arg])]).toEqual([arg, false]);
  }
});
