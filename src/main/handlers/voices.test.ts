import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine, testToken } from '../../engine/engine.fixture.ts';
import { fastClock } from '../core/clock.fixture.ts';
import { canHang, type HangingDisk, mountHangingDisk } from '../core/files/hung-disk.fixture.ts';
import { createServiceClient } from '../core/voice-service/service-client.ts';
import { hostsAt, useServices } from '../core/voice-service/service.fixture.ts';
import type { Connection } from '../core/voice-service/connection.ts';
import { createModelHandlers } from './voices.ts';

const { http, folder, start } = useServices();

describe.skipIf(!canHang)(
  'a voice from a recording on a disk that hangs (skipped without root, FUSE and ntfs-3g)',
  () => {
    let disk: HangingDisk;
    let engine: TestEngine;
    beforeEach(async () => {
      disk = await mountHangingDisk(join(folder(), 'image'), join(folder(), 'media'));
      engine = await startTestEngine();
    });
    afterEach(async () => {
      disk.answer();
      await engine.remove();
      await disk.remove();
    });

    it('is not waited for: the disk is named, and the voice can be made once it answers', async () => {
      const path = join(folder(), 'media', 'anna.wav');
      await copyFile('samples/harbour.wav', path);
      const { connection: of } = await start(() => undefined);
      const connection: Connection = { ...of({ hosts: hostsAt(engine.origin) }, testToken), kind: 'local' };
      const models = createModelHandlers({
        connections: { get: () => connection, service: () => createServiceClient(http(), connection) },
        voices: { remember: () => undefined, forgetOwn: () => undefined },
        signal: new AbortController().signal,
        chooseFile: () => Promise.resolve(path),
        clock: fastClock(20),
      });
      const create = () => models.create({ connectionId: 'local', name: 'Anna', languageCode: 'en-GB' });
      await disk.uncache(path);
      disk.hang();
      await expect(create()).rejects.toMatchObject({
        code: 'input/disk-silent',
        problem: { facts: { name: 'anna.wav' } },
      });
      disk.answer();
      const tryAgain = async (): Promise<unknown> => {
        try {
          return await create();
        } catch {
          return null;
        }
      };
      // With this clock a disk has one second to answer; on a busy computer it takes longer.
      await expect.poll(tryAgain).toEqual({ modelId: expect.any(String) as string });
    });
  },
);
