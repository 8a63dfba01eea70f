import type { TestService } from './test-service.js';

/** A line of `GET /metrics`. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The address of the metrics of a service that was started with METRICS_PORT. */
export function metricsAddress({ logs }: TestService): string {
  const line = logs.find(({ msg }) => msg === 'metrics');
  return String(line?.['url']);
}

/** What a service tells Prometheus. */
export async function metricsOf(service: TestService): Promise<Sample[]> {
  const text = await (await fetch(metricsAddress(service))).text();
  return samplesOf(text);
}

/** Reads the text format of Prometheus. */
export function samplesOf(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
    });
}
