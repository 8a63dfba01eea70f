import { parseSettings, type Settings } from './settings.js';

const DEFAULTS = {
  CONSOLE: 'on',
  PORT: 3000,
  HOST: '127.0.0.1',
  DATA_DIR: './data',
  DATABASE_POOL_SIZE: 20,
  DATABASE_STATEMENT_TIMEOUT_MS: 5_000,
  DATABASE_LOCK_TIMEOUT_MS: 1_000,
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: 4_000,
  DATABASE_POOL_WAIT_MS: 3_000,
  DATABASE_ANSWER_TIMEOUT_MS: 6_000,
  REQUEST_TIMEOUT_MS: 14_000,
  READINESS_TIMEOUT_MS: 1_900,
  DATABASE_START_WAIT_SECONDS: 30,
  MIGRATE_ON_START: false,
  JWT_ISSUER: 'fairlead',
  JWT_PREVIOUS_PUBLIC_KEY_FILES: [],
  JWT_AUDIENCE: 'fairlead',
  ACCESS_TOKEN_TTL_SECONDS: 3600,
  BODY_LIMIT: '1mb',
  CORS_ORIGINS: [],
  RATE_LIMIT_PER_CLIENT: 6_000,
  RATE_LIMIT_PER_ACCOUNT: 30_000,
  TOKEN_RATE_LIMIT_PER_ADDRESS: 60,
  TRUST_PROXY: [],
  MAX_CONNECTIONS: 10_000,
  MAX_CONNECTIONS_PER_ADDRESS: 2_000,
  KEEP_ALIVE_SECONDS: 65,
  DRAIN_SECONDS: 5,
  RECORD_LIMIT: '64kb',
  HISTORY: 'on',
  LOG_LEVEL: 'info',
  METRICS_HOST: '127.0.0.1',
  METRICS_ROUTERS: 200,
  EXTENSIONS: [],
};

const given = (settings: Settings): object =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** Returns the message with which an environment is refused. */
function refusal(environment: Record<string, string>): string {
  try {
    parseSettings(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

describe('the environment', () => {
  it('has a default for everything [contract 5]', () => {
    expect(given(parseSettings({}))).toEqual(DEFAULTS);
  });

  it('takes an empty variable for one that is unset, and leaves others alone [contract 5]', () => {
    const empty = Object.fromEntries(
      [...Object.keys(DEFAULTS), 'DATABASE_URL', 'JWT_SECRET', 'APPLY_FILE', 'DEMO'].map((name) => [
        name,
        '',
      ]),
    );
    expect(given(parseSettings({ ...empty, PATH: '/bin', port: 'x', constructor: 'x' }))).toEqual(DEFAULTS);
  });

  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['CONSOLE', 'off', 'off'],
    ['CONSOLE_URL', 'http://localhost:3000/prefix/', 'http://localhost:3000/prefix/'],
    ['PORT', ' 8080 ', 8080],
    ['HOST', '0.0.0.0', '0.0.0.0'],
    ['DATABASE_URL', 'postgres://user:secret@host:5432/name', 'postgres://user:secret@host:5432/name'],
    ['DATABASE_URL', 'postgresql://host/name', 'postgresql://host/name'],
    ['DATA_DIR', '/var/lib/fairlead', '/var/lib/fairlead'],
    ['DATABASE_POOL_SIZE', '1', 1],
    ['DATABASE_POOL_SIZE', '1000', 1000],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '1001', 1_001],
    ['DATABASE_LOCK_TIMEOUT_MS', '10', 10],
    ['DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS', '1000', 1_000],
    ['DATABASE_POOL_WAIT_MS', '100', 100],
    ['DATABASE_ANSWER_TIMEOUT_MS', '5001', 5_001],
    ['REQUEST_TIMEOUT_MS', '50000', 50_000],
    ['READINESS_TIMEOUT_MS', '60000', 60_000],
    ['MIGRATE_ON_START', 'true', true],
    ['MIGRATE_ON_START', 'false', false],
    ['JWT_SECRET', 'x'.repeat(32), 'x'.repeat(32)],
    ['JWT_SECRET', 'é'.repeat(16), 'é'.repeat(16)],
    ['JWT_ISSUER', 'https://crm.example.com', 'https://crm.example.com'],
    ['JWT_AUDIENCE', 'crm', 'crm'],
    ['ACCESS_TOKEN_TTL_SECONDS', '1', 1],
    ['ACCESS_TOKEN_TTL_SECONDS', '31536000', 31_536_000],
    ['BODY_LIMIT', '65536', '65536'],
    ['BODY_LIMIT', '512kb', '512kb'],
    ['BODY_LIMIT', '2MB', '2MB'],
    ['CORS_ORIGINS', 'https://app.example.com', ['https://app.example.com']],
    [
      'CORS_ORIGINS',
      ' http://localhost:5173 , http://[::1]:8080,',
      ['http://localhost:5173', 'http://[::1]:8080'],
    ],
    ['RATE_LIMIT_PER_CLIENT', '0', 0],
    ['RATE_LIMIT_PER_ACCOUNT', '100000000', 100_000_000],
    ['TOKEN_RATE_LIMIT_PER_ADDRESS', '5', 5],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['TRUST_PROXY', '192.0.2.1,2001:db8::/32,::1', ['192.0.2.1', '2001:db8::/32', '::1']],
    ['KEEP_ALIVE_SECONDS', '1', 1],
    ['DRAIN_SECONDS', '0', 0],
    ['RECORD_LIMIT', '65536', '65536'],
    ['RECORD_LIMIT', '1mb', '1mb'],
    ['RECORD_LIMIT', '2048KB', '2048KB'],
    ['ASSIGNMENT_RETENTION_DAYS', '62', 62],
    ['ASSIGNMENT_RETENTION_DAYS', '36500', 36_500],
    ['DATABASE_START_WAIT_SECONDS', '0', 0],
    ['LOG_FORMAT', 'json', 'json'],
    ['LOG_FORMAT', 'pretty', 'pretty'],
    ['HISTORY', 'off', 'off'],
    ['HISTORY_RETENTION_DAYS', '1', 1],
    ['HISTORY_RETENTION_DAYS', '36500', 36_500],
    ['AUDIT_RETENTION_DAYS', '1', 1],
    ['AUDIT_RETENTION_DAYS', '36500', 36_500],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['LOG_LEVEL', 'trace', 'trace'],
    ['METRICS_PORT', '9464', 9464],
    ['METRICS_PORT', '0', 0],
    ['METRICS_HOST', '0.0.0.0', '0.0.0.0'],
    ['METRICS_TOKEN', 'x'.repeat(16), 'x'.repeat(16)],
    ['METRICS_ROUTERS', '0', 0],
    ['APPLY_FILE', './fairlead.yaml', './fairlead.yaml'],
    ['DEMO', 'true', true],
    ['DEMO', 'false', false],
  ])('reads %s=%s [contract 5]', (name, value, meaning) => {
    expect(given(parseSettings({ [name]: value }))).toEqual({ ...DEFAULTS, [name]: meaning });
  });

  it.each([
    ['PORT', 'http', 'a whole number'],
    ['PORT', '80.5', 'a whole number'],
    ['PORT', '0x50', 'a whole number'],
    ['PORT', '1e3', 'a whole number'],
    ['PORT', '-1', 'from 0 to '],
    ['PORT', '65536', ' to 65535 ('],
    ['PORT', '99999999999999999999999', ' to 65535 ('],
    ['DATABASE_URL', 'mysql://host/name', 'a postgres:// address'],
    ['DATABASE_URL', 'host:5432/name', 'a postgres:// address'],
    ['DATABASE_URL', 'postgres://', 'a postgres:// address'],
    ['DATABASE_URL', 'postgres://user:%zz@host/name', 'a postgres:// address'],
    ['DATABASE_URL', 'postgres://user@host:99999/name', 'a postgres:// address'],
    ['DATABASE_URL', 'postgres://user@a:1,b:0/name', 'each port from 1 to 65535'],
    [
      'DATABASE_URL',
      'postgres://u@a/n?target_session_attrs=standby',
      'target_session_attrs any or read-write',
    ],
    ['DATABASE_POOL_SIZE', '0', 'from 1 to '],
    ['DATABASE_POOL_SIZE', '1001', ' to 1000 ('],
    ['DATABASE_POOL_SIZE', 'many', 'a whole number'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '1000', 'more than DATABASE_LOCK_TIMEOUT_MS, which is 1000'],
    ['DATABASE_LOCK_TIMEOUT_MS', '5s', 'a whole number'],
    ['DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS', '10', 'from 1000 to '],
    ['DATABASE_POOL_WAIT_MS', '99', 'from 100 to '],
    ['REQUEST_TIMEOUT_MS', '50001', ' to 50000 ('],
    ['DATABASE_ANSWER_TIMEOUT_MS', '5000', 'more than DATABASE_STATEMENT_TIMEOUT_MS'],
    ['READINESS_TIMEOUT_MS', '99', 'from 100 to '],
    ['MIGRATE_ON_START', 'yes', 'true or false (it is "yes")'],
    ['MIGRATE_ON_START', '1', 'true or false (it is "1")'],
    ['JWT_SECRET', 'x'.repeat(31), 'at least 32 bytes'],
    ['ACCESS_TOKEN_TTL_SECONDS', '0', 'from 1 to '],
    ['METRICS_PORT', '65536', ' to 65535 ('],
    ['METRICS_TOKEN', 'x'.repeat(15), 'at least 16 bytes'],
    ['METRICS_ROUTERS', '10001', ' to 10000 ('],
    ['ACCESS_TOKEN_TTL_SECONDS', '31536001', ' to 31536000 ('],
    ['ACCESS_TOKEN_TTL_SECONDS', '1h', 'a whole number'],
    ['BODY_LIMIT', '0', 'a size such as'],
    ['BODY_LIMIT', 'unlimited', 'a size such as'],
    ['BODY_LIMIT', '1gb', 'a size such as'],
    ['BODY_LIMIT', '-1', 'a size such as'],
    ['CORS_ORIGINS', '*', 'such as https://app.example.com'],
    ['CORS_ORIGINS', 'app.example.com', 'such as https://app.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/', 'nothing behind it'],
    ['CORS_ORIGINS', 'https://App.example.com', 'in lower case'],
    ['CORS_ORIGINS', 'https://app.example.com:443', 'port unless it is the usual one'],
    ['CORS_ORIGINS', 'https://*.example.com', 'such as https://app.example.com'],
    ['CORS_ORIGINS', 'null', 'http or https'],
    ['CORS_ORIGINS', 'ftp://example.com', 'http or https'],
    ['CORS_ORIGINS', 'https://a.example.com https://b.example.com', 'separated by commas'],
    ['CONSOLE', 'true', 'on or off'],
    ...[
      'crm.test',
      'http://crm.test',
      'ftp://crm.test',
      'https://a:b@crm.test',
      'https://crm.test/?x',
      'https://crm.test/#x',
    ].map((value): [string, string, string] => [
      'CONSOLE_URL',
      value,
      'an https:// address, or http://localhost',
    ]),
    ['RATE_LIMIT_PER_CLIENT', '-1', 'from 0 to '],
    ['RATE_LIMIT_PER_CLIENT', '6000/min', 'a whole number'],
    ['RATE_LIMIT_PER_ACCOUNT', '100000001', ' to 100000000 ('],
    ['TOKEN_RATE_LIMIT_PER_ADDRESS', 'none', 'a whole number'],
    ...[
      'true',
      '0',
      '33',
      '*',
      '0.0.0.0/0',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '::/129',
      '10.0.0',
      'proxy.test',
    ].map((value): [string, string, string] => ['TRUST_PROXY', value, 'addresses or networks of proxies']),
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2', 'separated by commas'],
    ['KEEP_ALIVE_SECONDS', '0', 'from 1 to '],
    ['DRAIN_SECONDS', '-1', 'from 0 to '],
    ['DRAIN_SECONDS', '5s', 'a whole number'],
    ['RECORD_LIMIT', '0', 'a size such as'],
    ['RECORD_LIMIT', '64 kb', 'a size such as'],
    ['RECORD_LIMIT', '2097153', 'at most 2mb'],
    ['ASSIGNMENT_RETENTION_DAYS', '61', 'from 62 to '],
    ['ASSIGNMENT_RETENTION_DAYS', '36501', ' to 36500 ('],
    ['ASSIGNMENT_RETENTION_DAYS', '2y', 'a whole number'],
    ['DATABASE_START_WAIT_SECONDS', '30s', 'a whole number of seconds from 0 to 3600 (it is "30s")'],
    ['LOG_FORMAT', 'text', 'one of json, pretty (it is "text")'],
    ['HISTORY', 'false', 'on or off ('],
    ['HISTORY_RETENTION_DAYS', '0', 'from 1 to '],
    ['AUDIT_RETENTION_DAYS', '0', 'from 1 to '],
    ['AUDIT_RETENTION_DAYS', '36501', ' to 36500 ('],
    ['AUDIT_RETENTION_DAYS', 'never', 'a whole number'],
    ['LOG_LEVEL', 'verbose', 'fatal, error, warn, info, debug, trace, silent'],
    ['LOG_LEVEL', 'INFO', 'fatal, error, warn, info, debug, trace, silent'],
    ['DEMO', 'TRUE', 'true or false (it is "TRUE")'],
    ['DEMO', 'on', 'true or false (it is "on")'],
  ])('refuses %s=%s, naming the variable and the rule [contract 5]', (name, value, rule) => {
    const [heading, ...lines] = refusal({ [name]: value }).split('\n');
    expect(heading).toBe('Invalid environment:');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith(`  - ${name} must `)).toBe(true);
    expect(lines[0]).toContain(rule);
  });

  it.each([
    ['DATABASE_LOCK_TIMEOUT_MS', '6000', 'DATABASE_STATEMENT_TIMEOUT_MS'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '6000', 'DATABASE_ANSWER_TIMEOUT_MS'],
    ['DATABASE_ANSWER_TIMEOUT_MS', '14000', 'REQUEST_TIMEOUT_MS'],
    ['DATABASE_POOL_WAIT_MS', '14000', 'REQUEST_TIMEOUT_MS'],
    ['DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS', '14000', 'REQUEST_TIMEOUT_MS'],
  ])('refuses %s=%s beside a smaller limit, naming both [contract 5]', (name, value, other) => {
    expect(refusal({ [name]: value })).toBe(
      `Invalid environment:\n  - ${other} must be more than ${name}, which is ${value}`,
    );
  });

  it('shows a value once, as far as it is short [contract 5]', () => {
    expect(refusal({ PORT: 'abc' })).toBe(
      'Invalid environment:\n  - PORT must be a whole number from 0 to 65535 (it is "abc")',
    );
    expect(refusal({ DEMO: `yes\n${'x'.repeat(100)}` })).toBe(
      `Invalid environment:\n  - DEMO must be true or false (it is "yes\\n${'x'.repeat(56)}…")`,
    );
  });

  it('needs all that a provider needs, where it has one [contract 12]', () => {
    const provider = {
      OIDC_ISSUER: 'https://login.test',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'hunter2',
    };
    expect(parseSettings({ ...provider, CONSOLE_URL: 'https://crm.test' })).toMatchObject(provider);
    for (const name of ['CONSOLE_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
      const environment = { ...provider, CONSOLE_URL: 'https://crm.test', [name]: '' };
      expect(refusal(environment)).toContain(`${name} must be set where OIDC_ISSUER is`);
      expect(refusal(environment)).not.toContain('hunter2');
    }
  });

  it('names every variable that is wrong at once [contract 5]', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'x', JWT_SECRET: 'x', DEMO: 'x', HOST: 'localhost' });
    for (const name of ['PORT', 'LOG_LEVEL', 'JWT_SECRET', 'DEMO']) {
      expect(message).toContain(`\n  - ${name} must `);
    }
    expect(message).not.toContain('HOST');
  });

  it('shows neither a secret nor a password when it refuses one [contract 5]', () => {
    for (const name of ['JWT_SECRET', 'JWT_SECRET_PREVIOUS']) {
      expect(refusal({ [name]: 'too-short' })).not.toContain('too-short');
    }
    for (const DATABASE_URL of [
      'mysql://user:hunter2@host/name',
      'postgres://user:hunter2%zz@host/name',
      'postgres://user:hunter2@host:99999/name',
      'postgres://user:hunter2@a,b:99999/name',
      'postgres://hunter2',
    ]) {
      expect(refusal({ DATABASE_URL })).not.toContain('hunter2');
    }
  });
});
