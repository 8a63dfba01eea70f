import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FORMATS } from '../../../test/units/formats.js';
import { configurationOf, routerOf } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { COMMON_SCHEMAS } from '../../http/openapi/schemas.js';
import type { RouterEntity } from '../../routers/index.js';
import { routerSchemas } from './router.schemas.js';
import { routerView } from './router-view.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const { directory } = configurationOf({ users: [{ ...user('ada'), id: ID }] });

const ajv = addFormats(new Ajv2020({ allowUnionTypes: true, formats: FORMATS }));
const schemas = { ...COMMON_SCHEMAS, ...routerSchemas() };
ajv.addVocabulary(['components']).addSchema({ components: { schemas } }, 'document');

/** The places of a router's view that are not as the OpenAPI document says. */
function misfits(more: Partial<RouterEntity>): string[] {
  const validate = ajv.getSchema('document#/components/schemas/Router')!;
  const view = routerView(routerOf(ID, [], more), directory);
  void validate(view);
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
}

describe('the schema of a router', () => {
  it('describes published and unpublished ones [contract 4, contract 5]', () => {
    expect(misfits({ published: true })).toEqual([]);
    expect(misfits({ published: false })).toEqual([]);
    expect(misfits({ published: 'true' as unknown as boolean })).toEqual(['/is_published']);
  });

  it.each([0, 100])(
    'describes every share that a router may have: %s [contract 4, contract 5]',
    (percentage) => {
      expect(misfits({ users: [{ userId: ID, percentage }] })).toEqual([]);
    },
  );

  it.each([-0.5, 100.5])(
    'describes no share that none can have: %s [contract 4, contract 5]',
    (percentage) => {
      expect(misfits({ users: [{ userId: ID, percentage }] })).toEqual(['/users/0/percentage']);
    },
  );

  it('describes turns returned within one minute, the least that can be set [contract 5]', () => {
    expect(misfits({ settings: { reimburse_within_minutes: 1 } })).toEqual([]);
  });
});
