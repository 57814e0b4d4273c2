import { afterAll, vi } from 'vitest';

// Unit tests share processes: fake timers of one file would stop the next.
afterAll(() => void vi.useRealTimers());
