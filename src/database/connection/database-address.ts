/** An address of a database, taken apart. */
export interface DatabaseAddress {
  /** As in the address: `name`, `name:5433`, `[::1]`, or the percent-encoded directory of a socket. */
  readonly hosts: readonly string[];
  /** Whether connections must lead to a server that accepts writes (`target_session_attrs=read-write`). */
  readonly wantsPrimary: boolean;
  /** Returns the address with one of the hosts only. */
  readonly at: (host: string) => string;
}

const TARGETS = ['any', 'read-write'];

/** Scheme; user, password and hosts; database; query. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Takes an address apart as libpq does: `postgres://user:password@a:5432,b:5433/name`, also with the lists
 * `host` and `port` in its query, which win. One port is that of all hosts.
 * @throws Error that says what is allowed, and shows nothing of the address
 */
export function readDatabaseAddress(address: string): DatabaseAddress {
  const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(address) ?? [];
  const params = new URLSearchParams(query);
  const target = params.get('target_session_attrs') ?? 'any';
  if (!TARGETS.includes(target)) throw new Error(`target_session_attrs must be ${TARGETS.join(' or ')}`);
  const hostsAt = authority.lastIndexOf('@') + 1;
  const own = authority.slice(hostsAt).split(',').map(splitPort);
  const names = params.get('host')?.split(',').map(inAuthority) ?? own.map(([name]) => name);
  const ports = params.get('port')?.split(',') ?? own.map(([, port]) => port);
  if (ports.length > 1 && ports.length !== names.length)
    throw new Error('it must have one port, or as many as hosts');
  const wantsPrimary = target === 'read-write';
  const hosts = names.map((name, index) => {
    const port = ports[index] ?? ports[0] ?? '';
    return port === '' ? name : `${name}:${port}`;
  });
  if (hosts.length === 1) return { hosts, wantsPrimary, at: () => address };
  const others = query.split('&').filter((pair) => !/^(host|port)=/.test(pair));
  const rest = others.length === 0 ? path : `${path}?${others.join('&')}`;
  const at = (host: string): string => `${scheme}${authority.slice(0, hostsAt)}${host}${rest}`;
  return { hosts, wantsPrimary, at };
}

function splitPort(host: string): [name: string, port: string] {
  const portAt = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') + 1 : 0);
  return portAt < 0 ? [host, ''] : [host.slice(0, portAt), host.slice(portAt + 1)];
}

/** A host of the query as it stands behind the user. */
function inAuthority(name: string): string {
  return name.includes(':') && !name.startsWith('/') ? `[${name}]` : encodeURIComponent(name);
}
