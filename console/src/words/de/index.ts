import type { Words } from '../words';
import { assignments } from './assignments';
import { audit } from './audit';
import { common } from './common';
import { engine } from './engine';
import { health } from './health';
import { people } from './people';
import { records } from './records';
import { routers } from './routers';
import { session } from './session';
import { settings } from './settings';
import { shell } from './shell';
import { today } from './today';

const words: Words = {
  assignments,
  audit,
  common,
  engine,
  health,
  people,
  records,
  routers,
  session,
  settings,
  shell,
  today,
};
export default words;
