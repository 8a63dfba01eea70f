// Every hostile request, and what it costs.
import { median } from '../../bench/support/load.mjs';
import { Victim } from '../measure/victim.mjs';
import { prepare } from '../service/prepare.mjs';
import { request } from '../wire/request.mjs';
import { anonymousBodies } from './anonymous-bodies.mjs';
import { bodies } from './bodies.mjs';
import { exceeded } from './bounds.mjs';
import { CaseRunner } from './measure-cases.mjs';
import { heads } from './heads.mjs';
import { records } from './records.mjs';
import { sockets } from './sockets.mjs';
import { table } from '../table.mjs';

/** Plain GETs that are measured together, and measurements that count. */
const GETS = 40;
const LATEST = 9;

/**
 * @param options { samples, seconds, sockets, only } of each case
 * @returns lines for a person, and the cases that exceed a bound
 */
export async function hostileRequests(service, meter, options) {
  const prepared = await prepare(service, options.fatRecords);
  const context = { ...service, ...prepared };
  const plain = plainGet(context, meter);
  await plain(true);
  const get = request('GET', `/contacts/${prepared.victimRecord}`, { token: service.victim.token });
  const victim = new Victim(service.port, get);
  const runner = new CaseRunner({ port: service.port, meter, victim, plain }, options);
  const results = [];
  try {
    await victim.measure(1_000);
    for (const each of cases(context, options)) {
      if (service.ended.early) throw new Error(`The process ended before: ${each.name}`);
      results.push(await runner.run(each));
      if (results.length % 10 === 0) await plain(true);
      options.progress(`${each.group} ${each.name}`);
    }
  } finally {
    await victim.close();
    runner.close();
  }
  return {
    rows: results,
    text: render(results),
    exceeding: results.filter((each) => exceeded(each).length > 0),
  };
}

function* cases(context, { only, sockets: count }) {
  const all = [
    heads(context),
    anonymousBodies(context),
    bodies(context),
    records(context),
    sockets(context, { count }),
  ];
  for (const some of all) {
    for (const each of some) if (`${each.group} ${each.name}`.includes(only)) yield each;
  }
}

/** Measures the processor time of a GET by id: again where that is asked, otherwise the median of the latest. */
function plainGet({ record, attacker, ask }, meter) {
  const bytes = request('GET', `/contacts/${record}`, { token: attacker.token });
  const times = [];
  return async (again = false) => {
    if (times.length === 0) for (let n = 0; n < 50 * GETS; n++) await ask(bytes);
    for (let round = 0; again && round < 3; round++) {
      const start = await meter.settledTime();
      for (let n = 0; n < GETS; n++) await ask(bytes);
      times.push(((await meter.settledTime()) - start) / GETS);
    }
    return median(times.slice(-LATEST));
  };
}

function render(results) {
  return table(
    ['', 'request', 'sent', 'status', 'answer', 'CPU ms', 'CPU x', 'RSS MiB', 'p50 x', 'exceeds'],
    results.map((each) => [
      each.group,
      each.name,
      each.sent,
      each.answer?.status ?? '-',
      each.answer?.size ?? '-',
      each.time.toFixed(1),
      each.multiple.toFixed(1),
      each.memory.toFixed(0),
      each.slowdown?.multiple.toFixed(1) ?? '-',
      exceeded(each).join(' '),
    ]),
  );
}
