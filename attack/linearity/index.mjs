// Where the processor time grows faster than the request.
import { median } from '../../bench/support/load.mjs';
import { ROUTES } from '../openapi.mjs';
import { table } from '../../bench/support/table.mjs';
import { dimensionsOf } from './dimensions.mjs';

/** Ratio of the times of a request twice as large and of the request, above which growth is not linear. */
const MOST_GROWTH = 3;

const OTHER_TYPES = /^\/(?:companies|deals|tickets)/;

/** Plain GETs of processor time below which a ratio says nothing. */
const MEASURABLE = 4;

/** Plain GETs of processor time below which the first measurement ends. */
const SCREEN = MEASURABLE / 2;

/** Measurements of what looks odd. */
const SAMPLES = 7;

/** How often what looks odd is measured again: a collection of garbage takes as long as a request. */
const AGAIN = 2;

/** @returns { text, exceeding, count } */
export async function linearity(context, { samples, only, progress, quick }) {
  const measure = await clock(context);
  const plain = context.plain.time;
  const steep = [];
  const faults = [];
  let count = 0;
  for (const route of ROUTES) {
    // The routes of all types of records share their code.
    if (quick && OTHER_TYPES.test(route.path)) continue;
    for (const { name, size, make } of dimensionsOf(route, context)) {
      const label = `${route.method} ${route.path}, ${name}`;
      if (!label.includes(only)) continue;
      count++;
      progress(label);
      const sizes = [make(size), make(2 * size)];
      const first = await measure(sizes[1]);
      if (first.answer.status >= 500 || first.answer.status === 'late')
        faults.push([label, first.answer.status]);
      // Most take so little that a ratio says nothing.
      if (first.time < SCREEN * plain) continue;
      let result = await growth(sizes, measure, samples);
      for (let again = 0; again < AGAIN && result.isSteep(plain); again++)
        result = await growth(sizes, measure, SAMPLES);
      if (result.isSteep(plain))
        steep.push([label, 2 * size, result.time.toFixed(1), result.ratio.toFixed(1)]);
    }
  }
  const text = [
    `${count} ways to grow of ${ROUTES.length} routes; ${steep.length} grow faster than linear.`,
    ...(steep.length > 0 ? [table(['request', '2n', 'CPU ms at 2n', '2n / n'], steep)] : []),
    ...faults.map(([label, status]) => `${label}: ${status}`),
  ].join('\n');
  return { text, exceeding: [...steep, ...faults], count };
}

async function growth([small, large], measure, samples) {
  const ratios = [];
  const times = [];
  for (let n = 0; n < samples; n++) {
    const { time: first } = await measure(small);
    const { time: second } = await measure(large);
    ratios.push(second / first);
    times.push(second);
  }
  const [ratio, time] = [median(ratios), median(times)];
  return { ratio, time, isSteep: (plain) => ratio > MOST_GROWTH && time > MEASURABLE * plain };
}

/** Measures the processor time of a request since the end of the one before. */
async function clock({ ask, meter }) {
  let start = await meter.settledTime();
  return async (bytes) => {
    const answer = await ask(bytes);
    const end = await meter.settledTime();
    const time = end - start;
    start = end;
    return { answer, time };
  };
}
