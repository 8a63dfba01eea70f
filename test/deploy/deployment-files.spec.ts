import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { parse, parseAllDocuments } from 'yaml';
import { parseSettings, settingNames } from '../../src/settings/settings.js';
import { stopTimes } from '../../src/start/stop-times.js';
import { bytesOf } from '../../src/settings/rules.js';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const DEFAULTS = parseSettings({});

/** Seconds that a stop may take with the default settings. */
const { drain, grace, rest } = stopTimes(DEFAULTS);
const LONGEST_STOP = (drain + grace + rest) / 1000;

/** Variables of Node.js and of the image. */
const OTHERS = ['NODE_ENV'];

/** Asserts that an environment has settings that there are, with values that they take. */
function expectSettings(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(environment)) expect([...settingNames(), ...OTHERS]).toContain(name);
  parseSettings(environment);
}

/** A secret of the shape that the files ask for. */
const SECRETS = {
  DATABASE_URL: 'postgres://fairlead:secret@postgres:5432/fairlead',
  JWT_SECRET: 'x'.repeat(32),
};

describe('Dockerfile', () => {
  const text = read('Dockerfile');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('runs the service with a supported Node.js, not as root, and asks whether it is ready', () => {
    const { engines } = JSON.parse(read('package.json'));
    const [, least] = /^>=(\d+)\./.exec(engines.node) ?? [];
    for (const [, major] of text.matchAll(/^FROM node:(\d+)/gm)) {
      expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
    }
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK [^]*\/health\/ready/m);
    const [, pairs = ''] = /^ENV (.*)$/m.exec(last) ?? [];
    expectSettings(Object.fromEntries(pairs.split(' ').map((pair) => pair.split('='))));
  });
});

describe('compose.yaml', () => {
  const file = parse(read('compose.yaml'), { merge: true });
  const services: Record<string, any> = file.services;
  const processes = Object.entries(services).filter(([name]) => /^fairlead-/.test(name));

  it('gives the processes settings that there are, nothing to write, and the time of a stop', () => {
    expect(processes).toHaveLength(2);
    for (const [, { environment, read_only, stop_grace_period, cap_drop }] of processes) {
      expectSettings({ ...environment, ...SECRETS });
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
      expect(Number.parseInt(stop_grace_period)).toBeGreaterThanOrEqual(LONGEST_STOP);
    }
  });

  it('waits for what there is, and mounts what there is', () => {
    for (const { depends_on = {}, volumes = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(services)).toContain(name);
      for (const [, path] of volumes.map((volume: string) => /^\.\/([^:]+):/.exec(volume) ?? [])) {
        if (path !== undefined) expect(read(path)).not.toBe('');
      }
    }
    for (const name of ['POSTGRES_PASSWORD', 'JWT_SECRET'])
      expect(read('compose.yaml')).toContain(`\${${name}:?`);
  });
});

describe('nginx.conf', () => {
  const text = read('deploy/nginx/nginx.conf');
  const valueOf = (name: string): string => new RegExp(`^\\s*${name} ([^;]+);`, 'm').exec(text)?.[1] ?? '';

  it('forwards to the processes of compose.yaml, on their port', () => {
    const { services } = parse(read('compose.yaml'), { merge: true });
    const upstreams = [...text.matchAll(/^\s*server ([\w-]+):(\d+) /gm)].map(([, host, port]) => [
      host,
      port,
    ]);
    const names = Object.keys(services).filter((name) => /^fairlead-/.test(name));
    const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(read('Dockerfile')) ?? [];
    expect(upstreams).toEqual(names.map((name) => [name, port]));
  });

  it('is taken by nginx, where that is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-nginx-'));
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, text.replace(/fairlead-\d:/g, '127.0.0.1:'));
    const { error, stderr } = spawnSync('nginx', ['-t', '-q', '-p', folder, '-c', file], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    if (error === undefined) expect(stderr).toBe('');
  });

  it('keeps connections for a shorter time than the service, and waits longer for answers', () => {
    expect(Number.parseInt(valueOf('keepalive_timeout'))).toBeLessThan(DEFAULTS.KEEP_ALIVE_SECONDS);
    expect(Number.parseInt(valueOf('proxy_read_timeout')) * 1000).toBeGreaterThan(
      DEFAULTS.REQUEST_TIMEOUT_MS + 1_000,
    );
    expect(bytesOf(`${valueOf('client_max_body_size')}b`)).toBeGreaterThan(bytesOf(DEFAULTS.BODY_LIMIT));
    expect(valueOf('proxy_next_upstream')).not.toContain('non_idempotent');
  });
});

describe('fairlead@.service', () => {
  const path = 'deploy/systemd/fairlead@.service';
  const lines = [...read(path).matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key!, value!] as const);
  const valueOf = (key: string): string => lines.find(([name]) => name === key)?.[1] ?? '';

  it('starts the server with settings that there are, and gives a stop its time', () => {
    const environment = valueOf('Environment').replace('%i', '3000').split(' ');
    expectSettings(Object.fromEntries(environment.map((pair) => pair.split('='))));
    expect(valueOf('ExecStart')).toBe('/usr/bin/node /opt/fairlead/dist/src/main.js');
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(LONGEST_STOP);
  });

  it('is a unit that systemd takes, where systemd-analyze is there, and little is exposed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-systemd-'));
    const unit = join(folder, 'fairlead@3000.service');
    writeFileSync(unit, read(path).replace('/usr/bin/node', process.execPath));
    const analyze = (...args: string[]): SpawnSyncReturns<string> =>
      spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const verified = analyze('verify', '--man=no', unit);
    const { error, stdout, stderr } = analyze('security', '--offline=true', '--no-pager', unit);
    rmSync(folder, { recursive: true });
    if (error !== undefined) return;
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(stderr).not.toMatch(/Unknown|Failed to parse|ignoring/);
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});

describe('deploy/kubernetes', () => {
  const objects = ['fairlead', 'migrate'].flatMap((name): any[] =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((each) => each.toJS()),
  );
  const the = (kind: string): any => objects.find((object) => object.kind === kind);
  const pod = (): any => the('Deployment').spec.template;
  const container = (): any => pod().spec.containers[0];

  it('selects the pods that it makes, and names ports that they have', () => {
    const { labels } = pod().metadata;
    expect(the('Deployment').spec.selector.matchLabels).toEqual(labels);
    expect(the('Service').spec.selector).toEqual(labels);
    expect(the('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(the('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    expect(the('Job').spec.template.metadata.labels).not.toEqual(labels);
    const ports = container().ports.map(({ name }: any) => name);
    const named = [
      ...the('Service').spec.ports.map(({ targetPort }: any) => targetPort),
      ...the('NetworkPolicy').spec.ingress.flatMap((rule: any) => rule.ports.map(({ port }: any) => port)),
    ];
    for (const name of named) expect(ports).toContain(name);
    expect(the('PodDisruptionBudget').spec.minAvailable).toBeLessThan(the('Deployment').spec.replicas);
  });

  it('probes routes that there are, and gives a stop its time', () => {
    const { paths } = JSON.parse(read('docs/openapi.json'));
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const { path, port } = container()[probe].httpGet;
      expect(Object.keys(paths)).toContain(path);
      expect(port).toBe('http');
    }
    expect(container().livenessProbe.httpGet.path).toBe('/health/live');
    const { periodSeconds, failureThreshold } = container().readinessProbe;
    expect(2 * periodSeconds * failureThreshold).toBeLessThanOrEqual(DEFAULTS.DRAIN_SECONDS);
    expect(pod().spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(LONGEST_STOP);
  });

  it('gives the containers settings that there are, no root and nothing to write', () => {
    for (const each of [pod().spec, the('Job').spec.template.spec]) {
      const [{ env = [], securityContext, image }] = each.containers;
      expectSettings(Object.fromEntries(env.map(({ name, value }: any) => [name, value])));
      expect(each.securityContext.runAsNonRoot).toBe(true);
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(image).toBe(`fairlead:${JSON.parse(read('package.json')).version}`);
    }
    const metrics = container().env.find(({ name }: any) => name === 'METRICS_PORT').value;
    expect(container().ports).toContainEqual({ name: 'metrics', containerPort: Number(metrics) });
    const annotations = pod().metadata.annotations;
    expect(annotations['prometheus.io/port']).toBe(metrics);
  });
});
