import { describe, expect, it } from 'vitest';
import { filledTemplate, templateFaults, templateFields } from './name-template.ts';

const facts = {
  name: 'chapter 04',
  voice: 'Low/bronze',
  connection: 'This computer',
  createdAt: new Date(2026, 0, 9, 7, 5, 3),
  language: 'en-GB',
};

describe('a template', () => {
  it.each([
    ['{name}, {voice}', []],
    ['{voice}/{date} {name}', []],
    ['take {name}', []],
    ['{nam}', ['template/unknown-field']],
    ['{toString}', ['template/unknown-field']],
    ['{}', ['template/unknown-field']],
    ['', ['template/empty']],
    ['  ', ['template/empty']],
    ['{voice}/', ['template/empty']],
    ['a//b', ['template/empty']],
    ['../{name}', ['template/outside']],
    ['a/../../{name}', ['template/outside']],
    ['/etc/{name}', ['template/outside']],
    ['C:/x/{name}', ['template/outside']],
    ['{nam}/../', ['template/unknown-field', 'template/outside', 'template/empty']],
  ])('%j has the errors %j', (template, faults) => {
    expect(templateFaults(template)).toEqual(faults);
  });

  it('is filled in part by part, and no value creates a folder', () => {
    expect(filledTemplate('{voice}/{date}, {name}', facts)).toEqual(['Low_bronze', '2026-01-09, chapter 04']);
    expect(filledTemplate('', facts)).toEqual(['chapter 04, Low_bronze']);
  });

  it('supports every field that it offers', () => {
    expect(templateFaults(templateFields.join(' '))).toEqual([]);
    expect(filledTemplate(templateFields.join(' '), facts).join('/')).not.toMatch(/[{}]/);
  });
});
