import { describe, expect, it } from 'vitest';
import type { Amounts, Statistics } from '../../../shared/schemas/statistics.ts';
import { csvFile } from './statistics-csv.ts';

const amounts: Amounts = {
  results: 1234,
  failed: 1,
  cancelled: 2,
  uncertain: 3,
  seconds: 90.5,
  unmeasured: 4,
  characters: 5678,
  spokenSeconds: 30,
  unmeasuredTexts: 6,
};
const statistics: Statistics = {
  total: amounts,
  unit: 'month',
  time: [{ startsAt: new Date(2026, 1, 1).getTime(), ...amounts }],
  voices: [],
  voiceCount: 0,
  connections: [],
  duplicates: { recordings: 0, seconds: 0 },
  local: amounts,
  years: [2026],
};
const voice = (name: string) => ({ ...amounts, id: 'v', name, connectionId: 'studio', connectionName: 'Studio' });
const numbers = '1234,1.51,4,5678,1,2,3,0.50,6';

describe('a table as CSV', () => {
  it('has names of columns, ISO months and numbers with a point, a byte order mark for Excel, and lines as in RFC 4180', () => {
    expect(csvFile(statistics, 'time')).toBe(
      `\ufeffmonth,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts\r\n2026-02,${numbers}\r\n`,
    );
    expect(csvFile({ ...statistics, unit: 'day' }, 'time')).toContain(`\r\n2026-02-01,${numbers}\r\n`);
    expect(csvFile({ ...statistics, connections: [{ ...amounts, id: 'a', name: 'Studio' }] }, 'connection')).toBe(
      `\ufeffconnection,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts\r\nStudio,${numbers}\r\n`,
    );
  });

  it.each([
    ['Zoë', 'Zoë'],
    ['North, low', '"North, low"'],
    ['the "old" one', '"the ""old"" one"'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['', ''],
  ])('quotes what needs it: %j', (name, cell) => {
    expect(csvFile({ ...statistics, voices: [voice(name)] }, 'voice')).toBe(
      '\ufeffvoice,voice_id,connection,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts\r\n' +
        `${cell},v,Studio,${numbers}\r\n`,
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', `"'\r'=1"`],
    ['two\n=1', `"two\n'=1"`],
    ['＝1+1', "'＝1+1"],
    // In many languages, Excel divides at semicolons.
    ['x;=1', "x;'=1"],
    ['x;y-z', 'x;y-z'],
    // There, this quote begins a cell, and the next one is its end.
    ['x;"=1;y', `"x;'""=1;y"`],
    ['" =1', `"'"" =1"`],
    [' =1', "' =1"],
    ['=HYPERLINK("https://a.test","x")', `"'=HYPERLINK(""https://a.test"",""x"")"`],
  ])('makes no formula of %j', (name, cell) => {
    expect(csvFile({ ...statistics, voices: [voice(name)] }, 'voice')).toContain(`\r\n${cell},v,Studio,`);
  });
});
