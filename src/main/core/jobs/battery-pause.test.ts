import { describe, expect, it } from 'vitest';
import { createBatteryPause } from './battery-pause.ts';
import type { Job } from './job.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

describe('the pause on battery power', () => {
  function pause(isWanted = true) {
    const setting = { isWanted };
    let now = 1000;
    const battery = createBatteryPause({
      isWanted: () => setting.isWanted,
      now: () => now,
      onChanged: () => undefined,
    });
    return {
      battery,
      setting,
      pass: (ms: number) => void (now += ms),
      state: () => [battery.holds(), battery.since()],
    };
  }

  it('lasts as long as the computer runs on battery power', () => {
    const { battery, state, pass } = pause();
    battery.setPowerSource('battery');
    expect(state()).toEqual([true, 1000]);
    pass(5000);
    expect(state()).toEqual([true, 1000]);
    battery.setPowerSource('mains');
    expect(state()).toEqual([false, null]);
    battery.setPowerSource('battery');
    expect(state()).toEqual([true, 6000]);
  });

  it('does not exist unless the user wants it, from the moment of the change', () => {
    const { battery, setting, state } = pause(false);
    battery.setPowerSource('battery');
    expect(state()).toEqual([false, null]);
    setting.isWanted = true;
    expect(state()).toEqual([true, 1000]);
    setting.isWanted = false;
    expect(state()).toEqual([false, null]);
  });

  it('keeps work from starting until the system has answered, without showing a pause', () => {
    const { battery, state } = pause();
    expect(state()).toEqual([true, null]);
    battery.setPowerSource('unknown');
    expect(state()).toEqual([false, null]);
  });

  it('ends when the user continues, until the source of power changes', () => {
    const { battery, state } = pause();
    battery.setPowerSource('battery');
    battery.continueNow();
    // As a system repeats it.
    battery.setPowerSource('battery');
    expect(state()).toEqual([false, null]);
    battery.setPowerSource('mains');
    battery.setPowerSource('battery');
    expect(state()).toEqual([true, 1000]);
  });

  it('ends when the user continues, also while the system does not answer for a moment', () => {
    const { battery, state } = pause();
    battery.setPowerSource('battery');
    battery.continueNow();
    battery.setPowerSource('unknown');
    battery.setPowerSource('battery');
    expect(state()).toEqual([false, null]);
  });
});

describe('on battery power (a service)', () => {
  const queue = useTestQueue();
  const { openService, speak } = usePaidService(queue);
  const none = { create: 0, upload: 0, paid: 0, result: 0 };
  const reasons = () =>
    queue()
      .breaker.list()
      .map(({ reason }) => reason);
  /** Resolves once the job is in the state and no step of it runs. */
  const rests = (id: string, state: Job['state']) =>
    expect.poll(() => [queue().store.get(id)?.state, reasons()]).toEqual([state, ['battery']]);

  it('gets no call, and the job runs by itself on mains power', async () => {
    const counts = await openService(() => false);
    queue().power.isPausedOnBattery = true;
    queue().batteryPause.setPowerSource('battery');
    const { id } = speak();
    queue().scheduler.start();
    await rests(id, 'queued');
    expect(counts).toEqual(none);
    queue().batteryPause.setPowerSource('mains');
    const [job] = await settled(queue().store, [id]);
    expect([job?.state, job?.attempts, counts.paid, reasons()]).toEqual(['done', 0, 1, []]);
  });

  it('gets no call while the source of power is not known yet', async () => {
    const counts = await openService(() => false);
    queue().power.isPausedOnBattery = true;
    const { ids } = await queue().add([await queue().addFile('one.mp3')]);
    queue().scheduler.start();
    // The last that happens before its first call.
    await expect.poll(() => queue().store.get(ids[0] ?? '')?.outputFormat).toBe('.mp3');
    expect([counts, reasons()]).toEqual([none, []]);
    queue().batteryPause.setPowerSource('unknown');
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
  });

  it('delivers the answer to a call that was sent before, and nothing follows until the user continues', async () => {
    const counts = await openService((step) => {
      if (step === 'upload') queue().batteryPause.setPowerSource('battery');
      return false;
    });
    queue().power.isPausedOnBattery = true;
    queue().batteryPause.setPowerSource('mains');
    const { ids } = await queue().add([await queue().addFile('one.mp3')]);
    queue().scheduler.start();
    await rests(ids[0] ?? '', 'uploaded');
    expect(counts).toEqual({ ...none, create: 1, upload: 1 });
    queue().batteryPause.continueNow();
    const [job] = await settled(queue().store, ids);
    expect([job?.state, job?.attempts, counts.paid]).toEqual(['done', 0, 1]);
  });

  it.each(['battery', 'user'] as const)(
    'gets no paid call of a job that probes when the pause is "%s"',
    async (why) => {
      const counts = await openService(() => false);
      const { store, breaker, scheduler, batteryPause, power, request } = queue();
      power.isPausedOnBattery = true;
      batteryPause.setPowerSource('mains');
      breaker.pause({ connectionId: request.connection.id, reason: 'rate', resumesAt: Date.now() - 1, problem: null });
      const { id } = speak();
      // Its flag is on disk, and the call is next.
      store.onEvent((event) => {
        if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'converting')) return;
        if (why === 'battery') batteryPause.setPowerSource('battery');
        else scheduler.pause();
      });
      scheduler.start();
      await expect.poll(reasons).toContain(why);
      await expect.poll(() => store.get(id)?.state).toBe('queued');
      expect(counts).toEqual(none);
    },
  );
});
