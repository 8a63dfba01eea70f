// Every hostile request, and what it costs.
import { Victim } from '../measure/victim.mjs';
import { table } from '../../bench/support/table.mjs';
import { request } from '../wire/request.mjs';
import { anonymousBodies } from './anonymous-bodies.mjs';
import { bodies } from './bodies.mjs';
import { exceeded } from './bounds.mjs';
import { heads } from './heads.mjs';
import { CaseRunner } from './measure-cases.mjs';
import { records } from './records.mjs';
import { sockets } from './sockets.mjs';

/** Cases between two measurements of the plain GET. */
const BETWEEN = 10;

const HEAD = [
  '',
  'request',
  'sent',
  'status',
  'answer',
  'CPU ms',
  'units',
  'CPU x',
  'RSS MiB',
  'p50 x',
  'exceeds',
];

/** @returns { text, exceeding } */
export async function hostileRequests(context, options) {
  const { victim, victimRecord, port, plain, ended } = context;
  const neighbour = new Victim(port, request('GET', `/contacts/${victimRecord}`, { token: victim.token }));
  const runner = new CaseRunner(context, neighbour, options);
  const results = [];
  try {
    await neighbour.measure(1_000);
    for (const each of cases(context, options)) {
      if (ended.early) throw new Error(`The process ended before: ${each.name}`);
      options.progress(`${each.group} ${each.name}`);
      results.push(await runner.run(each));
      if (results.length % BETWEEN === 0) await plain.measure();
    }
  } finally {
    await neighbour.close();
    runner.close();
  }
  const rows = results.map((each) => ({ ...each, exceeds: exceeded(each, options.quick) }));
  return { text: table(HEAD, rows.map(rowOf)), exceeding: rows.filter(({ exceeds }) => exceeds.length > 0) };
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

function rowOf(result) {
  const { group, name, sent, answer, time, units, multiple, memory, slowdown, exceeds } = result;
  return [
    group,
    name,
    sent,
    answer?.status ?? '-',
    answer?.size ?? '-',
    time.toFixed(1),
    units,
    multiple.toFixed(1),
    memory.toFixed(0),
    slowdown?.multiple.toFixed(1) ?? '-',
    exceeds.join(' '),
  ];
}
