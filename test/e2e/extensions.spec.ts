// A service of its own: it has extensions.
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { ENTITIES } from '../../src/start/entities.js';
import {
  FairleadModule,
  parseSettings,
  type Distribution,
  type DistributionModel,
  type EligibilityCheck,
  type EligibilityVerdict,
  type FairleadExtension,
  type FieldType,
  type OperandResult,
  type ParseResult,
  type SqlValue,
  type TriggerOperator,
  type Turn,
  type User,
} from '../../src/index.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { expectInvalid } from '../support/error-object.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';
import { condition } from '../support/database/trigger-table.js';

/** What extensions that are classes are built on. */
@Injectable()
class Dictionary {
  readonly colours: readonly string[] = ['red', 'green'];
}

@Module({ providers: [Dictionary], exports: [Dictionary] })
class DictionaryModule {}

const COLOURS = new Dictionary();

@Injectable()
class ColourType implements FieldType {
  readonly id: string = 'colour_instance';
  constructor(private readonly dictionary: Dictionary) {}

  parse(value: unknown): ParseResult {
    const colour = String(value).toLowerCase();
    return this.dictionary.colours.includes(colour)
      ? { ok: true, value: colour }
      : { ok: false, message: `must be one of ${this.dictionary.colours.join(', ')}` };
  }
}

class InjectedColourType extends ColourType {
  override readonly id = 'colour_class';

  comparisonKey(stored: string): number {
    return stored.length;
  }
}

@Injectable()
class ColourOperator implements TriggerOperator {
  readonly id: string = 'is_colour_instance';
  constructor(private readonly dictionary: Dictionary) {}

  compile(place: unknown): OperandResult {
    const colour = this.dictionary.colours[Number(place)];
    if (colour === undefined) return { ok: false, message: 'value must be a place', blame: 'value' };
    return { ok: true, test: (value) => value?.stored === colour };
  }
}

class InjectedColourOperator extends ColourOperator {
  override readonly id = 'is_colour_class';

  sql(place: unknown, value: SqlValue): string {
    return `${value.stored} = ${value.parameter(COLOURS.colours[Number(place)] ?? '')}`;
  }
}

@Injectable()
class LastModel implements DistributionModel {
  readonly id: string = 'last instance';
  readonly usesCredit = false;
  constructor(private readonly dictionary: Dictionary) {}

  get reason(): string {
    return `last_${this.dictionary.colours[0] ?? ''}`;
  }

  validate(): [] {
    return [];
  }

  weigh(): bigint {
    return 1n;
  }

  distribute({ entries, ledger }: Turn): Distribution {
    const entry = entries.at(-1)!;
    return { entry, ledger, explanation: { rule: 'last', columns: ['candidate'], rows: [[entry.label]] } };
  }
}

class InjectedLastModel extends LastModel {
  override readonly id = 'last class';
}

@Injectable()
class NameCheck implements EligibilityCheck {
  readonly id: string = 'named_instance';
  readonly group = 'availability';
  constructor(private readonly dictionary: Dictionary) {}

  check({ name }: User): EligibilityVerdict {
    if (name !== `${this.dictionary.colours[0] ?? ''} ${this.id}`) return { pass: true };
    return { pass: false, reason: `is_${this.id}` };
  }
}

class InjectedNameCheck extends NameCheck {
  override readonly id = 'named_class';
}

const EXTENSION: FairleadExtension = {
  name: 'colours',
  imports: [DictionaryModule],
  fieldTypes: [new ColourType(COLOURS), InjectedColourType],
  triggerOperators: [InjectedColourOperator, new ColourOperator(COLOURS)],
  distributionModels: [new LastModel(COLOURS), InjectedLastModel],
  eligibilityChecks: [new NameCheck(COLOURS), InjectedNameCheck],
};

const HOW = ['instance', 'class'] as const;

describe('What extensions add', () => {
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    service = await TestService.start({ extensions: [EXTENSION] });
    account = await RoutingAccount.open(service, {
      fields: HOW.map((how) => ({
        object_type: 'contacts',
        internal_name: how,
        label: how,
        type: `colour_${how}`,
      })),
      users: [
        ...people(['ada', 'bob']),
        ...HOW.map((how) => ({ email: mail(how), name: `red named_${how}` })),
      ],
      routers: HOW.flatMap((how) => [
        router(
          `operator ${how}`,
          { trigger: condition(how, `is_colour_${how}`, 1) },
          { users: people(['ada']) },
        ),
        router(`model ${how}`, { distribution_model: `last ${how}` }, { users: people(['ada', 'bob']) }),
        router(`check ${how}`, {}, { users: people([how]) }),
      ]),
    });
  });
  afterAll(() => service.stop());

  describe.each(HOW)('as an instance or a class with dependencies (%s)', (how) => {
    it('is a field type that validates and stores', async () => {
      const { body } = await account.api.post(`/contacts?properties=${how}`, {
        fields: { first_name: 'A', [how]: 'RED' },
      });
      expect(body[how]).toBe('red');
      expectInvalid(await account.api.post('/contacts', { fields: { first_name: 'A', [how]: 'blue' } }), [
        how,
        'must be one of red, green',
      ]);
    });

    it('is an operator of triggers', async () => {
      expect(await account.assign(`operator ${how}`, await account.contact({ [how]: 'green' }))).toBe('ada');
      expect(await account.assign(`operator ${how}`, await account.contact({ [how]: 'red' }))).toBe(
        'trigger_not_matched',
      );
    });

    it('is a distribution model, with its reason', async () => {
      const { body } = await account.dispatch(`model ${how}`, await account.contact());
      expect(body).toMatchObject({ user: mail('bob'), reason: 'last_red' });
      expect(await account.turns(`model ${how}`, 2)).toBe('bob bob');
    });

    it('is an eligibility check, with its reason in the trace', async () => {
      const { body } = await account.simulate(`check ${how}`, { fields: { first_name: 'A' } });
      expect(body).toMatchObject({ success: false, reason: 'no_users_available' });
      expect(body.trace).toContainEqual({
        step: 'eligibility',
        in: [],
        out: [{ reasons: [`is_named_${how}`], users: [mail(how)] }],
      });
    });
  });

  it('is an operator of searches where it has SQL, and is refused there otherwise [contract 7]', async () => {
    const [red, green] = COLOURS.colours;
    const ids: string[] = [];
    for (const colour of [red, green, undefined])
      ids.push(await account.contact({ first_name: 'Searched', class: colour, instance: colour }));
    const search = (field: string, operator: string, value?: unknown) =>
      account.api.post('/contacts/search', {
        filter: { groups: [{ conditions: [
          { field: 'first_name', operator: 'eq', value: 'searched' }, { field, operator, value },
        ] }] },
      }); // prettier-ignore
    const found = async (...condition: Parameters<typeof search>): Promise<string[]> =>
      (await search(...condition)).body.data.map(({ id }: any) => id);
    expect(await found('class', 'is_colour_class', 1)).toEqual([ids[1]]);
    expect(await found('class', 'is_empty')).toEqual([ids[2]]);
    expect(await found('class', 'contains', red!.slice(1))).toEqual([ids[0]]);
    expect(await found('instance', 'eq', red)).toEqual([ids[0]]);
    for (const [field, operator, value] of [['instance', 'is_colour_instance', 1], ['class', 'eq', red], ['class', 'not_in', [red]], ['class', 'gt', red]] as const)
      expectInvalid(await search(field, operator, value), [
        'filter.groups[0].conditions[1].operator',
        `Searches have no operator ${operator} for fields of type colour_${field}`,
      ]); // prettier-ignore
  });

  it('stands behind what is built in, which is still there', async () => {
    const apply = (file: object): Promise<unknown> =>
      account.apply(file).catch((error: unknown) => String(error));
    const field = { object_type: 'contacts', internal_name: 'x', type: 'none' };
    expect(await apply({ fields: [field] })).toContain(
      'type must be one of string, number, bool, datetime, enumeration, user, reference, colour_instance, colour_class',
    );
    const trigger = condition('first_name', 'none', 1);
    expect(await apply({ routers: [router('R', { trigger })] })).toMatch(
      /\(known: eq, neq, in, .*, is_empty, is_not_empty, is_colour_class, is_colour_instance\)/,
    );
    expect(await apply({ routers: [router('R', { distribution_model: 'none' })] })).toContain(
      'distribution_model must be one of: round robin, percentage, load balanced, last instance, last class',
    );
  });
});

describe('Extensions that clash', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const start = async (...extensions: FairleadExtension[]): Promise<unknown> => {
    const settings = parseSettings({ JWT_SECRET: TEST_SECRET });
    const options = { dataSource, settings, logger: createLogger('silent'), extensions };
    return NestFactory.createApplicationContext(FairleadModule.forRoot(options), {
      logger: false,
      abortOnError: false,
    });
  };

  it('in their name are refused', async () => {
    await expect(start(EXTENSION, { name: 'other' }, { name: 'colours' })).rejects.toThrow(
      'Two extensions have the name "colours": name each once, in EXTENSIONS or in the program',
    );
  });

  it.each<[string, Omit<FairleadExtension, 'name'>, string]>([
    [
      'field type',
      { fieldTypes: [new ColourType(COLOURS)] },
      'Two field types have the id "colour_instance"',
    ],
    [
      'trigger operator',
      { triggerOperators: [new ColourOperator(COLOURS)] },
      'Registered twice: trigger operator is_colour_instance',
    ],
    [
      'distribution model',
      { distributionModels: [new LastModel(COLOURS)] },
      'Registered twice: distribution model last instance',
    ],
    [
      'eligibility check',
      { eligibilityChecks: [new NameCheck(COLOURS)] },
      'Registered twice: eligibility check named_instance',
    ],
  ])('in the id of a %s are refused', async (_, twin, message) => {
    await expect(start(EXTENSION, { name: 'twin', ...twin })).rejects.toThrow(message);
  });

  it('with what is built in are refused', async () => {
    class Text extends ColourType {
      override readonly id = 'string';
    }
    await expect(start({ name: 'text', fieldTypes: [new Text(COLOURS)] })).rejects.toThrow(
      'Two field types have the id "string"',
    );
  });
});
