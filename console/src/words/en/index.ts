import { assignments } from './assignments';
import { common } from './common';
import { engine } from './engine';
import { people } from './people';
import { records } from './records';
import { routers } from './routers';
import { session } from './session';
import { shell } from './shell';
import { today } from './today';

const words = { assignments, common, engine, people, records, routers, session, shell, today };
export default words;
