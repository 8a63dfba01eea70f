import type { components } from '../api/schema';
import { routersOf } from './routers-of';

type Router = components['schemas']['Router'];
const router = (name: string, settings: object, pools: object = {}): Router =>
  ({ id: name, name, settings, users: [], teams: [], ...pools }) as unknown as Router;

it('a router lists a person by its pool, a rule, a step of either, a team, or as the backup', () => {
  const me = { users: [{ email: 'me@acme.test' }] };
  const found = routersOf(
    'me@acme.test',
    ['Sales'],
    [
      router('pool', {}, me),
      router('rule', { rules: [me] }),
      router('step', { steps: [me] }),
      router('step of a rule', { rules: [{ steps: [me] }] }),
      router('team', {}, { teams: [{ name: 'Sales' }] }),
      router('backup', { default_user: 'me@acme.test' }),
      router('another', { default_user: 'you@acme.test' }, { teams: [{ name: 'Support' }] }),
    ],
  );
  expect(found.filter(({ asBackup }) => !asBackup).map(({ name }) => name)).toEqual([
    'pool',
    'rule',
    'step',
    'step of a rule',
    'team',
  ]);
  expect(found.filter(({ asBackup }) => asBackup).map(({ name }) => name)).toEqual(['backup']);
});
