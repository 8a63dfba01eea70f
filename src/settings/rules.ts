// The rules of settings, as decorators. A message names the setting and not its value, which may be a secret.
import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { readDatabaseAddress } from '../database/connection/hosts.js';

type Validate = (value: unknown, args?: ValidationArguments) => boolean;

/** @param must what the setting must be, behind `must be` */
function rule(
  name: string,
  validate: Validate,
  must: string | ((args?: ValidationArguments) => string),
): PropertyDecorator {
  const text = (args?: ValidationArguments): string => (typeof must === 'string' ? must : must(args));
  const defaultMessage = (args?: ValidationArguments): string =>
    `${args?.property ?? 'the setting'} must be ${text(args)}`;
  return ValidateBy({ name, validator: { validate, defaultMessage } });
}

/** Reads a text otherwise; leaves what is none as it is. */
const reading = (read: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));

/** A whole number between two bounds. @param unit such as `seconds` */
export function WholeNumber(least: number, most: number, unit?: string): PropertyDecorator {
  const isWithin: Validate = (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const what = unit === undefined ? '' : ` of ${unit}`;
  return applyDecorators(
    reading((text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text)),
    rule('isWholeNumber', isWithin, `a whole number${what} from ${least} to ${most}`),
  );
}

/** A whole number of milliseconds between two bounds. */
export const Milliseconds = (least: number, most: number): PropertyDecorator =>
  WholeNumber(least, most, 'milliseconds');

/** More than another setting. The error names both, and the value of the other one. */
export function IsMoreThan(other: string): PropertyDecorator {
  const valueOf = (args?: ValidationArguments): number =>
    Number((args?.object as Record<string, unknown> | undefined)?.[other]);
  return rule(
    `isMoreThan ${other}`,
    // The error of a value that is no number names its own setting.
    (value, args) => !(Number(value) <= valueOf(args)),
    (args) => `more than ${other}, which is ${valueOf(args)}`,
  );
}

const SWITCH: Readonly<Record<string, boolean>> = { true: true, false: false };

/** `true` or `false`. */
export const Switch = (): PropertyDecorator =>
  applyDecorators(
    reading((text) => SWITCH[text] ?? text),
    rule('isSwitch', (value) => typeof value === 'boolean', 'true or false'),
  );

/** A list whose items are separated by commas; empty items are left out. */
export const List = (): PropertyDecorator =>
  reading((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 * 1024 };

/** A number of bytes, or with the unit b, kb or mb in any case. */
const SIZE = /^([1-9]\d{0,9})(b|kb|mb)?$/i;

/**
 * Returns the bytes of a size such as `64kb`. A kilobyte has 1024 bytes, as for body-parser.
 * @throws Error for a text that is none
 */
export function bytesOf(size: string): number {
  const [, digits, unit = ''] = SIZE.exec(size) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined) throw new Error(`${size} is not a size`);
  return Number(digits) * factor;
}

/** A size such as `64kb`. @param most the largest one, as a size */
export function IsSize(most?: string): PropertyDecorator {
  const isSize: Validate = (value) =>
    typeof value === 'string' && SIZE.test(value) && (most === undefined || bytesOf(value) <= bytesOf(most));
  const bound = most === undefined ? '' : ` of at most ${most}`;
  return rule('isSize', isSize, `a size such as 64kb, 1mb or 65536${bound}`);
}

/** A string of at least `bytes` bytes in UTF-8. */
export const IsSecretOfBytes = (bytes: number): PropertyDecorator =>
  rule(
    'isSecretOfBytes',
    (value) => typeof value === 'string' && Buffer.byteLength(value) >= bytes,
    `at least ${bytes} bytes long`,
  );

const isOrigin: Validate = (value) =>
  typeof value === 'string' &&
  /^https?:[^*]+$/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value;

/** A list of web origins as browsers send them, such as `https://app.example.com:8443`. */
export const AreOrigins = (): PropertyDecorator =>
  rule(
    'areOrigins',
    (value) => Array.isArray(value) && value.every((item) => isOrigin(item)),
    'origins separated by commas, such as https://app.example.com: ' +
      'http or https, host in lower case, port unless it is the usual one, and nothing behind it',
  );

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const isConsoleAddress: Validate = (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (`${username}${password}${search}${hash}` !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_NAMES.includes(hostname));
};

/** An address that a browser may have secrets for: https, or http of its own machine. */
export const IsConsoleAddress = (): PropertyDecorator =>
  rule(
    'isConsoleAddress',
    isConsoleAddress,
    'an https:// address, or http://localhost, without user, query and fragment',
  );

/** A text that must be there where another setting is, and may be absent elsewhere. */
export const RequiredBy = (other: string): PropertyDecorator =>
  applyDecorators(
    ValidateIf(
      (settings: Readonly<Record<string, unknown>>, value) => (settings[other] ?? value) !== undefined,
    ),
    rule('isRequiredBy', (value) => typeof value === 'string' && value !== '', `set where ${other} is`),
  );

/** Proxies by their addresses and networks, or by how many of them a request passes. */
export type TrustedProxies = readonly string[] | number;

/** Most proxies that a request passes. */
const MOST_PROXIES = 32;

/** Networks that Express knows by a name. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (NETWORKS.has(value)) return true;
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** TrustedProxies. To trust everybody would let each client name its own address. */
export function AreTrustedProxies(): PropertyDecorator {
  const areProxies: Validate = (value) =>
    Array.isArray(value)
      ? value.every(isProxy)
      : typeof value === 'number' && value >= 1 && value <= MOST_PROXIES;
  return applyDecorators(
    reading((text) =>
      /^\d+$/.test(text.trim()) ? Number(text) : text.split(',').map((item) => item.trim()),
    ),
    rule(
      'areTrustedProxies',
      areProxies,
      'addresses or networks of proxies separated by commas, such as 10.0.0.0/8 or loopback, linklocal, ' +
        `uniquelocal; or the number of proxies, from 1 to ${MOST_PROXIES}`,
    ),
  );
}

/** Fails for an escape that is not one, such as `%zz`. */
function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

/** Returns whether `value` is a postgres:// address that names a user or a database, and hosts. */
export function isDatabaseAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    const { hosts, at } = readDatabaseAddress(value);
    if (hosts.length === 1) return isAddressOfHost(value);
    return (
      hosts.every((host) => isAddressOfHost(`postgres://user@${host}`)) && isAddressOfHost(at(hosts[0] ?? ''))
    );
  } catch {
    return false;
  }
}

/**
 * Returns whether `value` is a postgres:// address that names a host and a user or a database. A lone word
 * behind the scheme is not one: it may be a password, and errors of connections show the name of the host. A
 * character that belongs to a password which is not percent-encoded ends the host too early; what follows
 * then contains the `@`.
 */
function isAddressOfHost(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value)) return false;
  // The host may be missing behind `@`, as in postgres://user@/name?host=/run/postgresql: it is then in the query.
  const whole = value.replace(/^([^:]+:\/\/[^/?#]*@)(?=\/)/, '$1socket');
  if (!URL.canParse(whole)) return false;
  const { username, password, hostname, port, pathname, search, hash, searchParams } = new URL(whole);
  if (hash !== '' || `${pathname}${search}`.includes('@')) return false;
  if (![username, password, hostname, pathname, search].every(decodes)) return false;
  if (![port, searchParams.get('port')].every((each) => !each || isPort(each))) return false;
  const named = username !== '' || searchParams.has('user') || pathname.length > 1;
  return named && (hostname !== '' || searchParams.has('host'));
}

/** An address of a database. */
export const IsDatabaseAddress = (): PropertyDecorator =>
  rule(
    'isDatabaseAddress',
    isDatabaseAddress,
    'a postgres:// address (postgres://user:password@host:port/database, with special characters ' +
      'percent-encoded; several hosts as host:port,host:port, each port from 1 to 65535; ' +
      'target_session_attrs any or read-write)',
  );
