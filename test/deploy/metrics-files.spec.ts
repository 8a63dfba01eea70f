import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as load } from 'yaml';
import { Metrics } from '../../src/metrics/metrics.js';
import { TestService } from '../support/test-service.js';

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

/** Labels that Prometheus adds, and those of its histograms. */
const ADDED = ['job', 'instance', 'le'];

/** The labels of each series that a process has, and of `up`, which Prometheus adds. */
const series = new Map<string, readonly string[]>([['up', []]]);

let names: string[];

beforeAll(async () => {
  const service = await TestService.start({ env: { METRICS_PORT: '0' } });
  const registry = service.app.get(Metrics, { strict: false }).registry!;
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  for (const { name, type, labelNames } of metrics) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const part of parts) series.set(`${name}${part}`, labelNames);
  }
  names = metrics.map(({ name }) => name);
  await service.stop();
});

/** Returns the metrics that an expression of PromQL reads, and the labels by which it selects or groups. */
function readsOf(expression: string): { readonly metrics: string[]; readonly labels: string[] } {
  const labels = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!);
  const groups = [...expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)];
  labels.push(...groups.flatMap(([, list]) => list!.split(/\s*,\s*/)));
  const metrics = [...expression.matchAll(/\b[a-z]+(?:_\w+)+\b(?=\s*[{[])|\bup\b/g)].map(([name]) => name);
  return { metrics, labels };
}

/** Asserts that an expression names nothing that a process does not have. */
function expectKnown(expression: string): void {
  const { metrics, labels } = readsOf(expression);
  expect(metrics.length).toBeGreaterThan(0);
  for (const metric of metrics) expect([...series.keys()]).toContain(metric);
  const known = [...ADDED, ...metrics.flatMap((metric) => series.get(metric) ?? [])];
  for (const label of labels) expect(known).toContain(label);
}

describe('the files for Prometheus and Grafana', () => {
  it('alert by metrics and labels that there are', () => {
    const { groups } = load(read('deploy/prometheus/alerts.yml')) as { groups: { rules: any[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr, labels, annotations } of rules) {
      expectKnown(expr);
      expect(alert).toMatch(/^Fairlead[A-Z]\w+$/);
      expect(['critical', 'warning']).toContain(labels.severity);
      for (const text of [annotations.summary, annotations.description]) expect(text).toMatch(/\w/);
      const shown = [...String(annotations.summary).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      // What is summed up has the labels of its groups only.
      for (const label of shown) if (label !== 'instance') expect(expr).toContain(label);
    }
  });

  it('show metrics and labels that there are, and none beside another', () => {
    const { panels, templating } = JSON.parse(read('deploy/grafana/fairlead.json'));
    const queries = panels.flatMap(({ targets }: any) => targets);
    expect(queries.length).toBeGreaterThan(10);
    for (const { expr, legendFormat } of queries) {
      expectKnown(expr.replaceAll('$__rate_interval', '5m'));
      for (const [, label] of String(legendFormat).matchAll(/\{\{(\w+)\}\}/g)) {
        const known = [...ADDED, ...readsOf(expr.replaceAll('$__rate_interval', '5m')).labels];
        const ofMetric = readsOf(expr.replaceAll('$__rate_interval', '5m')).metrics;
        expect([...known, ...ofMetric.flatMap((metric) => series.get(metric) ?? [])]).toContain(label);
      }
    }
    const [, asked] = /label_values\((\w+),/.exec(templating.list[1].definition) ?? [];
    expect(series.has(asked!)).toBe(true);
    const places = panels.map(({ gridPos: { x, y } }: any) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('are loaded by the configuration of Prometheus that is shown', () => {
    const { rule_files, scrape_configs } = load(read('deploy/prometheus/prometheus.yml'));
    expect(rule_files).toEqual(['alerts.yml']);
    expect(scrape_configs.map(({ job_name }: any) => job_name)).toEqual(['fairlead']);
  });
});

it('docs/operations.md has every metric of the service with its labels', () => {
  const rows = [...read('docs/operations.md').matchAll(/^\| `(fairlead_\w+)` +\| (.*?) \|/gm)];
  const documented = new Map(
    rows.map(([, name, labels]) => [
      name,
      [...labels!.replace(/\(.*\)/, '').matchAll(/`(\w+)`/g)].map(([, l]) => l),
    ]),
  );
  const own = names.filter((name) => name.startsWith('fairlead_'));
  expect([...documented.keys()].sort()).toEqual(own.sort());
  for (const name of own) {
    expect(documented.get(name)).toEqual(series.get(name) ?? series.get(`${name}_count`));
  }
});
