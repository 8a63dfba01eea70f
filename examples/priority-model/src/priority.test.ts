import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DecisionInput, Turn } from 'fairlead';
import { PRIORITY } from './priority.js';

const entry = (key: string) => ({ key, label: `${key}@acme.test`, weight: 1n, users: [] });

const turn = (values: Partial<Turn> = {}): Turn => ({
  entries: [entry('ada'), entry('bob')],
  ledger: new Map([
    ['ada', { credit: -5n, last: 3 }],
    ['bob', { credit: 5n, last: 0 }],
    ['off', { credit: 0n, last: 1 }],
  ]),
  seq: 4,
  input: {} as DecisionInput,
  ...values,
});

it('priority chooses the first in the configured order, whatever the others are owed', () => {
  const { entry: chosen, explanation } = PRIORITY.distribute(turn());
  assert.equal(chosen.key, 'ada');
  assert.deepEqual(explanation, {
    rule: 'first_in_order',
    columns: ['candidate', 'place'],
    rows: [
      ['ada@acme.test', 1],
      ['bob@acme.test', 2],
    ],
  });
});

it('priority keeps every credit and every member, and notes who had the turn', () => {
  const given = turn();
  const { ledger } = PRIORITY.distribute(given);
  const expected = new Map(given.ledger).set('ada', { credit: -5n, last: 4 });
  assert.deepEqual(ledger, expected);
  assert.equal(given.ledger.get('ada')?.last, 3);
});

it('priority takes somebody who is new, or alone', () => {
  const { entry: chosen, ledger, explanation } = PRIORITY.distribute(turn({ entries: [entry('new')] }));
  assert.equal(chosen.key, 'new');
  assert.deepEqual(ledger.get('new'), { credit: 0n, last: 4 });
  assert.equal(explanation.rule, 'only_one');
});
