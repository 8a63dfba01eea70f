import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { requestOf } from '../request.js';

/** Bytes of an IPv6 address that name a network: one client has at least all addresses of one. */
const NETWORK_BYTES = 8;

/**
 * Returns the text under which the connections of one client are counted: an IPv4 address, also where it is
 * written as an IPv6 one, or the network (/64) of an IPv6 address. Any other text is returned as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, NETWORK_BYTES)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}

/** The other end of a connection. */
interface SocketEnd {
  readonly remoteAddress?: string | undefined;
}

/**
 * Returns the address of a client, or its network (/64) where it is one of IPv6. That is the address of the
 * connection, or what the proxies of TRUST_PROXY say it is. Where they say what is no address, it is that of
 * the proxy.
 */
export function networkOf({ ip, socket }: Pick<Request, 'ip'> & { socket: SocketEnd }): string {
  const address = ip !== undefined && isIP(ip) !== 0 ? ip : socket.remoteAddress;
  return clientNetwork(address ?? '');
}

/** Parameter decorator: the text under which the requests of one address are counted, see `networkOf`. */
export const ClientNetwork = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  networkOf(requestOf(context)),
);
