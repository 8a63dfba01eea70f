// npm run bench:rules — CPU time to find the rule of a record among 1,000 rules of 5 conditions, compared
// with json-rules-engine.
import { createRequire } from 'node:module';
import jsonRules from 'json-rules-engine';
import { median } from '../support/load.mjs';

const require = createRequire(import.meta.url);
const {
  AssignmentEngine,
  BUILTIN_CHECKS,
  BUILTIN_MODELS,
  BUILTIN_OPERATORS,
  EMPTY_ROTATION_STATE,
  parseSettings,
} = require('../../dist/src/engine/index.js');
const { FieldCatalog } = require('../../dist/src/fields/catalog/field-catalog.js');
const { FieldTypeRegistry } = require('../../dist/src/fields/types/field-type-registry.js');
const { BUILT_IN_FIELD_TYPES } = require('../../dist/src/fields/types/built-in-field-types.js');
const { fieldLookup } = require('../../dist/src/routers/field-lookup.js');
const { Directory } = require('../../dist/src/directory/directory.js');

const RULES = 1000;
const [rounds] = [Number(process.env.ROUNDS ?? 7)];
const field = (internalName, type) => ({
  objectType: 'contacts',
  internalName,
  label: internalName,
  type,
  options: [],
  standard: false,
});
const FIELDS = [
  field('country', 'string'),
  field('city', 'string'),
  field('title', 'string'),
  field('score', 'number'),
  field('seats', 'number'),
  field('contact_owner', 'user'),
];

// For each rule, only the last condition does not hold for the record, so no rule can be skipped early. The
// last rule matches.
const rules = Array.from({ length: RULES }, (_, n) => ({
  name: `Rule ${n}`,
  trigger: {
    groups: [
      {
        conditions: [
          { field: 'country', operator: 'eq', value: 'Norway' },
          { field: 'city', operator: 'in', value: ['Oslo', 'Bergen'] },
          { field: 'title', operator: 'contains', value: 'engineer' },
          { field: 'score', operator: 'gte', value: 50 },
          { field: 'seats', operator: 'eq', value: n },
        ],
      },
    ],
  },
}));
const values = new Map([
  ['country', 'norway'],
  ['city', 'Oslo'],
  ['title', 'Chief Engineer'],
  ['score', '75'],
  ['seats', String(RULES - 1)],
]);

const engine = new AssignmentEngine({
  operators: BUILTIN_OPERATORS,
  models: BUILTIN_MODELS,
  checks: BUILTIN_CHECKS,
});
const user = {
  id: 'u1',
  email: 'ada@bench.test',
  name: null,
  timezone: 'UTC',
  available: true,
  workingHours: null,
  outOfOffice: [],
  holidays: [],
  limits: null,
};
const lookup = fieldLookup(
  new FieldCatalog(FIELDS),
  new FieldTypeRegistry(BUILT_IN_FIELD_TYPES),
  new Directory([user], []),
);
const parsed = parseSettings({ rules }, 'contacts', {
  fields: lookup,
  operators: BUILTIN_OPERATORS,
  models: BUILTIN_MODELS,
});
if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
const router = engine.compile(
  {
    id: 'r',
    objectType: 'contacts',
    published: true,
    settings: parsed.settings,
    users: [{ id: 'u1', email: user.email }],
    teams: [],
  },
  lookup,
);
const input = {
  record: { id: 'c', objectType: 'contacts', get: (name) => values.get(name) },
  users: new Map([[user.email, user]]),
  matchedOwner: null,
  rotation: EMPTY_ROTATION_STATE,
  at: new Date('2026-03-02T10:00:00Z'),
};
const decide = () => {
  const decision = engine.decide(engine.route(router, input.record), input);
  if (decision.rule !== `Rule ${RULES - 1}`) throw new Error('The wrong rule decided');
};

const peer = new jsonRules.Engine([], { allowUndefinedFacts: true });
peer.addOperator('textContains', (fact, value) => fact.toLowerCase().includes(value));
for (const [n, rule] of rules.entries()) {
  const [country, city, title, score, seats] = rule.trigger.groups[0].conditions;
  peer.addRule({
    name: rule.name,
    // json-rules-engine then tries its rules in the same order as ours.
    priority: RULES - n,
    conditions: {
      all: [
        { fact: 'country', operator: 'equal', value: country.value.toLowerCase() },
        { fact: 'city', operator: 'in', value: city.value },
        { fact: 'title', operator: 'textContains', value: title.value },
        { fact: 'score', operator: 'greaterThanInclusive', value: score.value },
        { fact: 'seats', operator: 'equal', value: seats.value },
      ],
    },
    event: { type: rule.name },
  });
}
const facts = { country: 'norway', city: 'Oslo', title: 'Chief Engineer', score: 75, seats: RULES - 1 };
const runPeer = async () => {
  const { events } = await peer.run(facts);
  if (events[0]?.type !== `Rule ${RULES - 1}`) throw new Error('json-rules-engine found another rule');
};

/** Returns the CPU milliseconds of one call, averaged over enough calls for a precise result. */
async function cpu(call, calls) {
  for (let n = 0; n < calls / 10; n++) await call();
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n++) await call();
  const { user: spent, system } = process.cpuUsage(before);
  return (spent + system) / 1000 / calls;
}

const ours = [];
const theirs = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await cpu(decide, 500));
  theirs.push(await cpu(runPeer, 20));
}
const show = (name, list) =>
  console.log(
    `${name.padEnd(20)} ${median(list).toFixed(3)} ms of CPU a decision (${Math.min(...list).toFixed(3)}–${Math.max(...list).toFixed(3)})`,
  );
console.log(`${RULES} rules of 5 conditions, the last one matches; median of ${rounds} interleaved rounds`);
show('fairlead', ours);
show('json-rules-engine', theirs);
console.log(`ratio ${(median(theirs) / median(ours)).toFixed(1)}`);
