import { ValidateBy } from 'class-validator';

/** Fails for an escape that is not one, such as `%zz`. */
const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

/**
 * Parses an address. The host may be missing behind `@`, as in `postgres://user@/name?host=/run/postgresql`:
 * it is then in the query.
 */
function parse(address: string): URL | undefined {
  const whole = address.replace(/^([^:]+:\/\/[^/?#]*@)(?=\/)/, '$1socket');
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/**
 * Returns whether `value` is a postgres:// address that names a host and a user or a database. A lone word
 * behind the scheme is not one: it may be a password, and errors of connections show the name of the host. A
 * character that belongs to a password which is not percent-encoded ends the host too early; what follows
 * then contains the `@`.
 */
export function isDatabaseAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !/^postgres(ql)?:\/\//.test(value)) return false;
  const url = parse(value);
  if (url === undefined) return false;
  const { username, hostname, pathname, search, hash, searchParams } = url;
  if (hash !== '' || `${pathname}${search}`.includes('@')) return false;
  if (![username, url.password, hostname, pathname, search].every(decodes)) return false;
  if (![url.port, searchParams.get('port')].every((port) => !port || isPort(port))) return false;
  const named = username !== '' || searchParams.has('user') || pathname.length > 1;
  return named && (hostname !== '' || searchParams.has('host'));
}

/** Accepts an address of a database. The error message does not contain the value. */
export function IsDatabaseAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isDatabaseAddress',
    validator: {
      validate: isDatabaseAddress,
      defaultMessage: (args) =>
        `${args?.property ?? 'address'} must be a postgres:// address ` +
        '(postgres://user:password@host:port/database, with special characters percent-encoded)',
    },
  });
}
