import { parser } from '@prometheus-io/lezer-promql';

/** A metric that an expression reads, and the labels by which it selects or groups. */
export interface Read {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/** Returns what an expression of PromQL reads. @throws Error where it is none */
export function readsOf(expression: string): Read {
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expression}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text);
      if (type.name === 'LabelName') labels.push(text);
    },
  });
  return { metrics, labels };
}
