import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database/sqlite.ts';
import { conversionJob, speechJob } from '../jobs/job.fixture.ts';
import { changingColumns, fixedColumns } from '../jobs/job-row.ts';
import type { Job } from '../jobs/job.ts';
import { createRandom } from '../random.fixture.ts';

const nouns =
  'interview podcast chapter episode trailer lecture voicemail session narration harbour kitchen river letter answer greeting advert ' +
  'jingle story rehearsal audition scene dialogue monologue intro outro teaser meeting briefing news weather sermon poem song choir ' +
  'guitar forest market train station airport museum garden winter summer autumn spring morning evening midnight Zoë café Müller ' +
  'Straße Ångström señor naïve façade Dvořák Łódź smörgåsbord über';
const written = '東京の朝 大阪インタビュー 天気予報 第三章 北京采访 春节问候 上海新闻 한국어방송 서울인터뷰 ラジオ体操';
const spoken =
  'the a of and to in we you they was were is it that this with for from good evening welcome listeners today tomorrow weather wind ' +
  'harbour ferry captain story chapter begins ends never always quietly loudly light morning train departs platform seven minutes late';
const names =
  'Anna Bruno Clara Dmitri Elena Farid Grace Hiroshi Ingrid Jürgen Kofi Lucía Mei Noor Olga Pedro Quinn Renée Søren Tariq Uma Viktor ' +
  'Wanda Ximena Yusuf Zoë';
const manners = 'warm low bright calm dry soft clear old';
const rooms = 'Recordings Projects Takes Clients Archive Podcast Audiobook Radio Museum Theatre';
const words = (text: string): readonly string[] => text.split(' ');
const lists = {
  nouns: words(nouns),
  written: words(written),
  spoken: words(spoken),
  names: words(names),
  manners: words(manners),
  rooms: words(rooms),
};

const failure = { code: 'network/cut', words: 'upstream connect error' } as const;

/**
 * Fills history with `count` jobs over the five years before `until`, as a busy studio leaves them: few words used often and many
 * seldom, 1 in 40 failed, 1 in 7 speech, 1 in 30 with a Chinese, Japanese or Korean name. The same each time.
 */
export function makeHistory(database: DatabaseSync, count: number, until: number): void {
  const random = createRandom(1).next;
  const below = (limit: number): number => Math.floor(random() * limit);
  /** The first of a list far more often than the last. */
  const often = (list: readonly string[]): string => list[Math.floor(random() ** 2 * list.length)] ?? '';
  const fiveYearsMs = 5 * 365.25 * 86_400_000;

  function jobAt(k: number): Job {
    const endedAt = Math.floor(until - fiveYearsMs * (1 - (k + random()) / count));
    const isFailed = below(40) === 0;
    const person = often(lists.names);
    const voice = {
      id: person.toLowerCase(),
      name: `${person} ${often(lists.manners)}`,
      language: random() < 0.7 ? 'en-GB' : 'de-DE',
      gender: 'female',
      category: 'natural',
    } as const;
    const common = {
      id: `00000000-0000-4000-8000-${k.toString(16).padStart(12, '0')}`,
      position: k + 1,
      state: isFailed ? 'failed' : 'done',
      stateChangedAt: endedAt,
      createdAt: endedAt - 20_000,
      startedAt: endedAt - 15_000,
      endedAt,
      problem: isFailed ? failure : null,
      timings: { queued: 5000, converting: 12_000 },
      isListed: false,
      voice,
      processingTime: 4,
    } as const;
    if (below(7) === 0) {
      const text = Array.from({ length: 12 + below(24) }, () => often(lists.spoken)).join(' ');
      return speechJob({ ...common, text, output: isFailed ? null : { path: `/speech/${k}.wav`, method: 'link' } });
    }
    const noun = below(30) === 0 ? often(lists.written) : often(lists.nouns);
    const counter = String(below(9999)).padStart(4, '0');
    const name =
      [`${noun} ${often(lists.nouns)} ${counter}`, `${noun}_${counter}`, `REC${counter} ${noun}`][below(3)] ?? noun;
    const folder = `/home/studio/${often(lists.rooms)}/${often(lists.names)} ${below(60)}`;
    return conversionJob({
      ...common,
      source: { path: `${folder}/${name}.wav`, subfolder: '', snapshot: null },
      sourceSha256: k.toString(16).padStart(64, '0'),
      durationSeconds: 5 + below(600),
      audioName: `${name}.wav`,
      taskId: `task-${k}`,
      changerType: 'FVC',
      output: isFailed ? null : { path: `${folder}/${name} (${voice.name}).wav`, method: 'link' },
    });
  }

  const columnsOf = (job: Job) => ({ ...fixedColumns(job, 'fixture'), ...changingColumns(job), owner: '' });
  const keys = Object.keys(columnsOf(jobAt(0)));
  transaction(database, () => {
    database
      .prepare('INSERT OR IGNORE INTO connection_document (hash, document) VALUES (?, ?)')
      .run('fixture', JSON.stringify(conversionJob().connection.document));
    const insert = database.prepare(
      `INSERT INTO job (${keys.join(', ')}, change_number) VALUES (${keys.map((key) => `:${key}`).join(', ')}, :change_number)`,
    );
    for (let k = 0; k < count; k += 1) insert.run({ ...columnsOf(jobAt(k)), change_number: k + 1 });
  });
}
