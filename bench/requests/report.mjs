// The figures of a run, as a summary and as tables.
import { median, percentile } from '../support/load.mjs';
import { table } from '../support/table.mjs';

const round = (value, digits) => (value === undefined ? undefined : Number(value.toFixed(digits)));

/**
 * The medians of the rounds. `ratio`: to node:http in the same run, or, where an operation has a base, to that
 * operation of the service with as many clients, and `bare` to that of node:http. `growth`: the median time
 * divided by that of the first size.
 */
export function summarise(results) {
  const groups = new Map();
  for (const result of results) {
    const key = JSON.stringify([result.operation, result.clients, result.size, result.server]);
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const rows = [...groups.values()].map((group) => {
    const [{ operation, clients, size, server, base }] = group;
    const times = group.flatMap((result) => result.times).sort((a, b) => a - b);
    const of = (key, digits) =>
      group[0][key] === undefined ? undefined : round(median(group.map((result) => result[key])), digits);
    return {
      ...{ operation, clients, size, server, base },
      rates: group.map(({ rate }) => Math.round(rate)),
      rate: of('rate', 0),
      p50: round(percentile(times, 0.5), 2),
      p99: round(percentile(times, 0.99), 2),
      failed: group.reduce((sum, { failed }) => sum + failed, 0),
      serverCpu: of('serverCpu', 3),
      databaseCpu: of('databaseCpu', 3),
    };
  });
  const find = (row, change) => {
    const wanted = {
      operation: row.operation,
      clients: row.clients,
      size: row.size,
      server: row.server,
      ...change,
    };
    return rows.find((other) => Object.entries(wanted).every(([key, value]) => other[key] === value));
  };
  const divided = (value, by) => (value === undefined || !by ? undefined : round(value / by, 2));
  const [first] = rows.map(({ size }) => size);
  for (const row of rows) {
    const to = row.base === undefined ? { server: 'node:http' } : { operation: row.base };
    row.ratio = divided(row.rate, find(row, to)?.rate);
    if (row.base !== undefined)
      row.bare = divided(row.rate, find(row, { operation: row.base, server: 'node:http' })?.rate);
    row.growth = divided(row.p50, find(row, { size: first })?.p50);
  }
  return rows;
}

const HEAD = [
  'operation',
  'clients',
  'server',
  'per second',
  'rounds',
  'ratio',
  'bare',
  'p50 ms',
  'p99 ms',
  'failed',
  'CPU ms',
  'database ms',
  'growth',
];

/** @returns the text of all tables */
export function tables({ options, start, memory, missing, rows }) {
  const parts = options.sizes.map((size) => {
    const lines = rows
      .filter((row) => row.size === size)
      .map((row) => [
        ...[row.operation, row.clients, row.server, row.rate],
        `${Math.min(...row.rates)}–${Math.max(...row.rates)}`,
        ...[row.ratio, row.bare, row.p50, row.p99, row.failed].map((value) => value ?? ''),
        ...[row.serverCpu, row.databaseCpu, row.growth].map((value) => value ?? ''),
      ]);
    return `${size} records and log entries\n${table(HEAD, lines)}`;
  });
  const notes = [
    'ratio: to node:http, of dispatches to POST with as many clients; bare: of dispatches, to POST of node:http with',
    'as many clients; growth: of p50, to the first size.',
    `Ready after ${start.map((ms) => `${ms} ms`).join(', ')}.`,
    ...(memory === undefined
      ? []
      : [`Memory after the load: ${memory.now} MiB, at most ${memory.most} MiB.`]),
    ...(missing.length === 0 ? [] : [`Not there: ${missing.join(', ')}.`]),
  ];
  return [...parts, notes.join('\n')].join('\n\n');
}
