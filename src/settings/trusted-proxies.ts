import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

/** Proxies by their addresses and networks, or by how many of them a request passes. */
export type TrustedProxies = readonly string[] | number;

/** Most proxies that a request passes. */
const MOST = 32;

/** Networks that Express knows by a name. */
const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Reads a number, or a list that is separated by commas. */
export function toProxies({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d+$/.test(value.trim())) return Number(value);
  return value.split(',').map((item) => item.trim());
}

/** Accepts what names the proxies to trust. To trust everybody would let each client name its own address. */
export const IsTrustedProxy = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTrustedProxy',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value)
          ? value.every(isProxy)
          : typeof value === 'number' && value >= 1 && value <= MOST,
      defaultMessage: (args) =>
        `${args?.property ?? 'value'} must be addresses or networks of proxies separated by commas, such as ` +
        `10.0.0.0/8 or loopback, linklocal, uniquelocal; or the number of proxies, from 1 to ${MOST}`,
    },
  });

function isProxy(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (NAMES.has(value)) return true;
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
