import type { Run } from '../args.ts';
import type { CommandName } from '../command-table.ts';
import { completion } from '../completion.ts';
import { connections } from './connections.ts';
import { convert } from './convert.ts';
import { doctor } from './doctor.ts';
import { engine } from './engine.ts';
import { history } from './history.ts';
import { log } from './log.ts';
import { models } from './models.ts';
import { plant } from './plant.ts';
import { presets } from './presets.ts';
import { speak } from './speak.ts';
import { token } from './token.ts';
import { voices } from './voices.ts';
import { watch } from './watch.ts';

type BuiltIn = 'help' | 'version' | 'man';

export const runs: Readonly<Record<Exclude<CommandName, BuiltIn>, Run>> = {
  convert,
  watch,
  speak,
  history,
  voices,
  models,
  token,
  connections,
  presets,
  plant,
  engine,
  doctor,
  log,
  completion,
};
