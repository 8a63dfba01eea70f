import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import {
  members,
  random,
  RotationSimulation,
  type SimulatedMember,
} from '../../../test/units/rotation-simulation.js';
import { CREDIT_UNIT } from '../ledger/credit.js';

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** Tijdeman's bound for m members: no credit outside ±(1 − 1/(2m − 2)), exactly. */
function expectWithinBound(credits: readonly bigint[], m: number): void {
  const scale = BigInt(2 * m - 2);
  for (const credit of credits) {
    const size = credit < 0n ? -credit : credit;
    if (size * scale > (scale - 1n) * CREDIT_UNIT) {
      throw new Error(`Credit ${Number(size) / Number(CREDIT_UNIT)} of ${m} members`);
    }
  }
}

/**
 * The theoretical figures for 3, 6 and 12 members of changing presence (0.9, 1.2, 1.45), plus ten percent.
 */
function churnLimit(m: number): number {
  return 1.1 * (m <= 3 ? 0.9 : m <= 6 ? 1.2 : 1.45);
}

describe('fairness of a fixed pool', () => {
  const wholePercentages = fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 11 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 100])
    .map((cuts) => cuts.slice(1).map((cut, index) => cut - cuts[index]!));
  const finePercentages = fc
    .uniqueArray(fc.integer({ min: 1, max: 999_999 }), { minLength: 1, maxLength: 11 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 1_000_000])
    .map((cuts) => cuts.slice(1).map((cut, index) => cut - cuts[index]!));
  const equal = fc.integer({ min: 2, max: 12 }).map((m) => Array<number>(m).fill(1));

  it.each([
    ['whole percentages', wholePercentages, 25],
    ['percentages with 4 decimals', finePercentages, 15],
    ['equal members', equal, 11],
  ])('keeps Tijdeman’s bound at every one of 1,000 assignments: %s', (_name, weights, numRuns) => {
    fc.assert(
      fc.property(weights, (list) => {
        const simulation = new RotationSimulation(members(...list));
        const total = BigInt(list.reduce((a, b) => a + b));
        for (let turn = 1; turn <= 1000; turn += 1) {
          simulation.turn();
          expectWithinBound(simulation.credits, list.length);
        }
        // A credit is the fair share minus the assignments.
        for (const [index, weight] of list.entries()) {
          const count = BigInt(simulation.counts.get(`m${index}`) ?? 0);
          const fair = (CREDIT_UNIT * BigInt(weight) * 1000n) / total;
          expect(simulation.credits[index]).toBe(fair - count * CREDIT_UNIT);
        }
      }),
      { numRuns: storm(numRuns, 5) },
    );
  });

  it('keeps the bound for weights that no unit divides, but for a billionth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_003 }), { minLength: 2, maxLength: 12 }),
        (list) => {
          const simulation = new RotationSimulation(members(...list));
          for (let turn = 1; turn <= 500; turn += 1) {
            simulation.turn();
            expect(simulation.worst).toBeLessThanOrEqual(1 - 1 / (2 * list.length - 2) + 1e-9);
          }
          expect(sum(simulation.credits)).toBe(0n);
        },
      ),
      { numRuns: storm(15, 5) },
    );
  });

  it('gives equal members their turns in the configured order', () => {
    const simulation = new RotationSimulation(members(1, 1, 1));
    expect(Array.from({ length: 6 }, () => simulation.turn())).toEqual(['m0', 'm1', 'm2', 'm0', 'm1', 'm2']);
  });

  it('returns within the bound when everyone is back, or when leavers are gone for good', () => {
    for (const seed of [1, 2, 3, 4]) {
      const next = random(seed);
      const pool = members(...Array.from({ length: 6 }, () => 1 + Math.floor(next() * 60)));
      const simulation = new RotationSimulation(pool);
      churn(simulation, 300, next);
      simulation.pool = seed % 2 === 0 ? pool : pool.slice(1);
      for (let turn = 0; turn < 300; turn += 1) simulation.turn();
      for (let turn = 0; turn < 300; turn += 1) {
        simulation.turn();
        expectWithinBound(simulation.credits, simulation.pool.length);
      }
    }
  });
});

/** Takes turns among members present half of the time. */
function churn(simulation: RotationSimulation, turns: number, next: () => number): void {
  for (let turn = 0; turn < turns; turn += 1) {
    const present = simulation.pool.filter(() => next() < 0.5);
    if (present.length > 0) expect(present.map(({ key }) => key)).toContain(simulation.turn(present));
  }
}

describe('fairness under comings and goings', () => {
  const scenario = fc.record({
    weights: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 12 }),
    spell: fc.constantFrom(1, 10, 100),
    presence: fc.constantFrom(0.5, 0.8),
    seed: fc.integer(),
  });

  it('keeps the credits small and their sum 0, freezes the absent, and chooses none of them', () => {
    fc.assert(
      fc.property(scenario, ({ weights, spell, presence, seed }) => {
        const next = random(seed);
        const pool = members(...weights);
        const simulation = new RotationSimulation(pool);
        let present: readonly SimulatedMember[] = pool;
        for (let turn = 0; turn < 1000; turn += 1) {
          const there = new Set(present);
          present = pool.filter((member) => (next() < 1 / spell ? next() < presence : there.has(member)));
          if (present.length === 0) continue;
          const before = simulation.rotation;
          const chosen = simulation.turn(present);
          const keys = new Set(present.map(({ key }) => key));
          if (!keys.has(chosen)) throw new Error(`${chosen} was absent`);
          for (const [key, { credit }] of before) {
            if (!keys.has(key) && simulation.rotation.get(key)?.credit !== credit)
              throw new Error(`${key} moved`);
          }
          if (sum(simulation.credits) !== 0n) throw new Error('Credits do not sum to 0');
          if (simulation.worst > churnLimit(pool.length)) throw new Error(`Credit ${simulation.worst}`);
        }
      }),
      // The seeds differ in every run. In 288,000 runs of these scenarios one exceeded the limit: 1.353 for 6
      // members.
      { numRuns: storm(40, 8) },
    );
  });

  it('gives one who returns from a long absence the next fair turns and no run', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.integer(), (m, seed) => {
        const pool = members(...Array<number>(m).fill(1));
        const simulation = new RotationSimulation(pool);
        churn(simulation, 50, random(seed));
        for (let turn = 0; turn < 500; turn += 1) simulation.turn(pool.slice(1));
        const turns = Array.from({ length: 2 * m }, () => simulation.turn());
        const own = turns.filter((key) => key === 'm0').length;
        expect(own).toBeGreaterThanOrEqual(1);
        expect(own).toBeLessThanOrEqual(4);
        expect(turns.slice(0, 3)).not.toEqual(['m0', 'm0', 'm0']);
      }),
      { numRuns: storm(40, 8) },
    );
  });

  it('gives a joiner a fair share from the start, however long the others have been at it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 11 }), fc.integer(), (m, seed) => {
        const pool = members(...Array<number>(m + 1).fill(1));
        const simulation = new RotationSimulation(pool.slice(0, m));
        churn(simulation, 500, random(seed));
        simulation.pool = pool;
        const turns = Array.from({ length: 3 * pool.length }, () => simulation.turn());
        const own = turns.filter((key) => key === `m${m}`).length;
        expect(own).toBeGreaterThanOrEqual(2);
        expect(own).toBeLessThanOrEqual(4);
        expect(turns.join()).not.toContain(`m${m},m${m}`);
      }),
      { numRuns: storm(40, 8) },
    );
  });
});
