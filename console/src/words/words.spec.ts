import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import de from './de/index';
import en from './en/index';

const LANGUAGES = { de, en };
const { schemas } = (
  JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, any> };
  }
).components;
const keysOf = (node: object, path = ''): string[] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${path}${key}`] : keysOf(value as object, `${path}${key}.`),
  );

describe.each(Object.entries(LANGUAGES))('the words of the console in %s', (_, { audit, engine }) => {
  it('know every reason, every step of a trace and every outcome of the API [contract 6]', () => {
    expect(Object.keys(engine.reasons).sort()).toEqual([...schemas.Reason.enum].sort());
    expect(Object.keys(engine.steps).sort()).toEqual(
      Object.keys(schemas.TraceStep.discriminator.mapping).sort(),
    );
    const words = (step: string, key: string): string[] => [...schemas[step].properties[key].enum].sort();
    expect(Object.keys(engine.said.overwrite).sort()).toEqual(words('OverwriteStep', 'because'));
    expect(Object.keys(engine.said.account).sort()).toEqual(words('AccountMatchingStep', 'outcome'));
    expect(Object.keys(engine.said.backup).sort()).toEqual(words('DefaultUserStep', 'outcome'));
    expect(Object.keys(engine.said.otherwise).sort()).toEqual(words('RulesStep', 'otherwise'));
  });

  it('know every change that the audit has, and every kind of object [contract 6]', () => {
    const { action, object } = schemas.AuditEntry.properties;
    expect(Object.keys(audit.actions).sort()).toEqual([...action.enum].sort());
    for (const kinds of [audit.kinds, audit.one])
      expect(Object.keys(kinds).sort()).toEqual([...object.properties.kind.enum].sort());
  });
});

it('the console says the same in each language, with the same values', () => {
  expect(keysOf(de)).toEqual(keysOf(en));
  const at = (words: any, key: string): string => key.split('.').reduce((node, part) => node[part], words);
  const values = (text: string): string[] => (text.match(/\{\{\w+/g) ?? []).sort();
  for (const key of keysOf(en)) expect([key, values(at(de, key))]).toEqual([key, values(at(en, key))]);
});
