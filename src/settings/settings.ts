import { plainToInstance } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, getMetadataStorage, validateSync } from 'class-validator';
import { InvalidEnvironmentError } from './invalid-environment.error.js';
import {
  AreOrigins,
  AreTrustedProxies,
  IsConsoleAddress,
  IsDatabaseAddress,
  IsMoreThan,
  IsSecretOfBytes,
  IsSize,
  List,
  Milliseconds,
  RequiredBy,
  Switch,
  WholeNumber,
  type TrustedProxies,
} from './rules.js';
import { environment } from './environment.js';

/** Least days for which assignments are kept: the windows of limits need the last 31. */
const LEAST_RETENTION = 62;

/** Most days for which anything is kept that is not kept for ever. */
const MOST_RETENTION = 36_500;

/** Injection token of the process's Settings. */
export const SETTINGS = Symbol('Settings');

/** How log lines look. */
export type LogFormat = (typeof LOG_FORMATS)[number];

const LOG_FORMATS = ['json', 'pretty'] as const;
const ON_OR_OFF = ['on', 'off'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * The validated settings of the process (contract section 5), under the names of their environment variables.
 */
export class Settings {
  @WholeNumber(0, 65535)
  PORT = 3000;

  @IsString()
  @IsNotEmpty()
  HOST = '127.0.0.1';

  @IsOptional()
  @IsDatabaseAddress()
  DATABASE_URL?: string;

  @IsString()
  @IsNotEmpty()
  DATA_DIR = './data';

  @WholeNumber(1, 1000)
  DATABASE_POOL_SIZE = 20;

  /** Milliseconds that a statement may run in the database. */
  @Milliseconds(100, 600_000)
  @IsMoreThan('DATABASE_LOCK_TIMEOUT_MS')
  DATABASE_STATEMENT_TIMEOUT_MS = 5_000;

  /** Milliseconds of one wait for a lock. A request waits up to five times as often. */
  @Milliseconds(10, 600_000)
  DATABASE_LOCK_TIMEOUT_MS = 1_000;

  /** Milliseconds after which the database ends a transaction that sends nothing. */
  @Milliseconds(1_000, 600_000)
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS = 4_000;

  /** Milliseconds of a wait for a connection. */
  @Milliseconds(100, 600_000)
  DATABASE_POOL_WAIT_MS = 3_000;

  /** Milliseconds after which an answer of the database counts as lost. */
  @Milliseconds(100, 600_000)
  @IsMoreThan('DATABASE_STATEMENT_TIMEOUT_MS')
  DATABASE_ANSWER_TIMEOUT_MS = 6_000;

  /**
   * Milliseconds in which a request is answered, from its last byte. The process itself needs some more. A
   * connection on which nothing moves is cut after 60 s.
   */
  @Milliseconds(2_000, 50_000)
  @IsMoreThan('DATABASE_ANSWER_TIMEOUT_MS')
  @IsMoreThan('DATABASE_POOL_WAIT_MS')
  @IsMoreThan('DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS')
  REQUEST_TIMEOUT_MS = 14_000;

  /** Milliseconds in which readiness is answered. */
  @Milliseconds(100, 60_000)
  READINESS_TIMEOUT_MS = 1_900;

  /** Seconds for which a start waits for a database that does not accept connections yet. */
  @WholeNumber(0, 3600, 'seconds')
  DATABASE_START_WAIT_SECONDS = 30;

  /**
   * Applies pending migrations to an external database at start. The embedded database is always migrated.
   */
  @Switch()
  MIGRATE_ON_START = false;

  @IsOptional()
  @IsSecretOfBytes(32)
  JWT_SECRET?: string;

  /** The secret before: tokens that it has signed are accepted until they expire. */
  @IsOptional()
  @IsSecretOfBytes(32)
  JWT_SECRET_PREVIOUS?: string;

  /** A private key in PEM that signs tokens in the place of a secret: RSA (RS256) or P-256 (ES256). */
  @IsOptional()
  @IsString()
  JWT_PRIVATE_KEY_FILE?: string;

  /** Public keys in PEM of the private keys before, separated by commas. */
  @List()
  @IsString({ each: true })
  JWT_PREVIOUS_PUBLIC_KEY_FILES: readonly string[] = [];

  @IsString()
  @IsNotEmpty()
  JWT_ISSUER = 'fairlead';

  /** The issuer before: its tokens are accepted until they expire. */
  @IsOptional()
  @IsString()
  JWT_ISSUER_PREVIOUS?: string;

  @IsString()
  @IsNotEmpty()
  JWT_AUDIENCE = 'fairlead';

  @WholeNumber(1, 86_400 * 365, 'seconds')
  ACCESS_TOKEN_TTL_SECONDS = 3600;

  @IsSize()
  BODY_LIMIT = '1mb';

  /** The origins whose pages may use the service in a browser, separated by commas. None by default. */
  @List()
  @AreOrigins()
  CORS_ORIGINS: readonly string[] = [];

  /** Whether people may enter the console. */
  @IsIn(ON_OR_OFF, { message: '$property must be on or off' })
  CONSOLE: (typeof ON_OR_OFF)[number] = 'on';

  /** The address under which browsers have the service. Unset: whatever address they use. */
  @RequiredBy('OIDC_ISSUER')
  @IsConsoleAddress()
  CONSOLE_URL?: string;

  /** The company's provider of OpenID Connect, by which members enter. Unset: by one-time links alone. */
  @IsOptional()
  @IsConsoleAddress()
  OIDC_ISSUER?: string;

  /** How the provider knows this service. */
  @RequiredBy('OIDC_ISSUER')
  OIDC_CLIENT_ID?: string;

  @RequiredBy('OIDC_ISSUER')
  OIDC_CLIENT_SECRET?: string;

  /** The claim with the groups of a person. Unset: groups have no roles. */
  @IsOptional()
  @IsString()
  OIDC_ROLES_CLAIM?: string;

  /** Most requests a minute of one client; 0: no limit. */
  @WholeNumber(0, 100_000_000)
  RATE_LIMIT_PER_CLIENT = 6_000;

  /** Most requests a minute of all clients of one account; 0: no limit. */
  @WholeNumber(0, 100_000_000)
  RATE_LIMIT_PER_ACCOUNT = 30_000;

  /** Most failed attempts a minute at the token endpoint from one address; 0: no limit. */
  @WholeNumber(0, 100_000_000)
  TOKEN_RATE_LIMIT_PER_ADDRESS = 60;

  /**
   * The proxies whose `X-Forwarded-For` counts: their addresses and networks, separated by commas, or how
   * many of them a request passes. None by default.
   */
  @AreTrustedProxies()
  TRUST_PROXY: TrustedProxies = [];

  /** Most connections of clients. */
  @WholeNumber(1, 1_000_000)
  MAX_CONNECTIONS = 10_000;

  /**
   * Most connections of clients from one address, or one network (/64) of IPv6. Behind a proxy all have the
   * address of the proxy.
   */
  @WholeNumber(1, 1_000_000)
  MAX_CONNECTIONS_PER_ADDRESS = 2_000;

  /**
   * Seconds for which a connection is kept open between requests: longer than load balancers keep theirs, so
   * that none sends a request on a connection that is being closed.
   */
  @WholeNumber(1, 3600, 'seconds')
  KEEP_ALIVE_SECONDS = 65;

  /**
   * Seconds for which the process serves on after SIGTERM, while its readiness is 503 and its answers close
   * their connections. It ends sooner when no client has been connected for as long.
   */
  @WholeNumber(0, 3600, 'seconds')
  DRAIN_SECONDS = 5;

  /**
   * The most bytes of the fields of a record, long fields apart. The largest record must be smaller than the
   * largest answer.
   */
  @IsSize('2mb')
  RECORD_LIMIT = '64kb';

  /** Days after which the traces of assignments are deleted. Unset: traces are kept. */
  @IsOptional()
  @WholeNumber(1, MOST_RETENTION, 'days')
  TRACE_RETENTION_DAYS?: number;

  /** Days after which assignments are deleted, with their traces. Unset: assignments are kept. */
  @IsOptional()
  @WholeNumber(LEAST_RETENTION, MOST_RETENTION, 'days')
  ASSIGNMENT_RETENTION_DAYS?: number;

  /** Whether changes of records are kept: who changed which field, when, and from what to what. */
  @IsIn(ON_OR_OFF, { message: '$property must be on or off' })
  HISTORY: (typeof ON_OR_OFF)[number] = 'on';

  /** Days after which the history of records is deleted. Unset: it is kept. */
  @IsOptional()
  @WholeNumber(1, MOST_RETENTION, 'days')
  HISTORY_RETENTION_DAYS?: number;

  /** Days after which entries of the audit are deleted. Unset: they are kept. */
  @IsOptional()
  @WholeNumber(1, MOST_RETENTION, 'days')
  AUDIT_RETENTION_DAYS?: number;

  @IsIn(LOG_LEVELS, { message: `$property must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** One JSON object per line, or text for people. Unset: text on a terminal, JSON elsewhere. */
  @IsOptional()
  @IsIn(LOG_FORMATS, { message: `$property must be one of ${LOG_FORMATS.join(', ')}` })
  LOG_FORMAT?: LogFormat;

  /** The port of `GET /metrics`, on a listener of its own; 0: any. Unset: nothing is measured. */
  @IsOptional()
  @WholeNumber(0, 65535)
  METRICS_PORT?: number;

  /** The address of that listener. Who reaches it reads the metrics of all accounts. */
  @IsString()
  @IsNotEmpty()
  METRICS_HOST = '127.0.0.1';

  /** What `GET /metrics` asks for as a bearer token. Unset: nothing. */
  @IsOptional()
  @IsSecretOfBytes(16)
  METRICS_TOKEN?: string;

  /** Most routers that have series of their own; those beyond share one. */
  @WholeNumber(0, 10_000)
  METRICS_ROUTERS = 200;

  @IsOptional()
  @IsString()
  APPLY_FILE?: string;

  /** The extensions of the service: packages or paths, separated by commas. */
  @List()
  @IsString({ each: true })
  EXTENSIONS: readonly string[] = [];

  @IsOptional()
  @Switch()
  DEMO?: boolean;
}

/** Returns the names of all settings: the properties of `Settings` that have a rule. */
export function settingNames(): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Settings, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** The settings whose values no message may show. An address has a password in it. */
const SECRETS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
]);

/** Most characters of a value that a message shows. */
const MOST_SHOWN = 60;

/** Returns what a message adds about a setting that was given: its value, where it is no secret. */
function shownValues(given: Readonly<Record<string, string | undefined>>): (field: string) => string {
  return (field) => {
    const value = given[field];
    if (value === undefined || SECRETS.has(field)) return '';
    return ` (it is ${JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value)})`;
  };
}

/**
 * Validates an environment. Variables that are unset or empty have their default; unknown ones are ignored.
 * @throws InvalidEnvironmentError with one line for each invalid variable, naming it and its rule
 */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = settingNames()
    .map((name) => [name, environment[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  const settings = plainToInstance(Settings, Object.fromEntries(given), { exposeDefaultValues: true });
  const shown = shownValues(Object.fromEntries(given));
  const errors = validateSync(settings).flatMap(({ property: field, constraints = {} }) =>
    Object.values(constraints).map((message) => ({ field, message: `${message}${shown(field)}` })),
  );
  if (errors.length > 0) throw new InvalidEnvironmentError(errors);
  return settings;
}

/**
 * Reads and validates the environment of the process, and `.env` of the working directory.
 * @throws Error with one line for each invalid variable, naming it and its rule
 */
export function readSettings(): Settings {
  return parseSettings(environment());
}
