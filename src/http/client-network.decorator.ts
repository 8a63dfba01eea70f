import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { clientNetwork } from './connection/client-network.js';

/** Parameter decorator: the text under which the requests of one address are counted, see `networkOf`. */
export const ClientNetwork = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  networkOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Returns the address of a client, or its network (/64) where it is one of IPv6. That is the address of the
 * connection, or what the proxies of TRUST_PROXY say it is. Where they say what is no address, it is that of
 * the proxy.
 */
export function networkOf({ ip, socket }: Pick<Request, 'ip'> & { socket: SocketEnd }): string {
  const address = ip !== undefined && isIP(ip) !== 0 ? ip : socket.remoteAddress;
  return clientNetwork(address ?? '');
}

/** The other end of a connection. */
interface SocketEnd {
  readonly remoteAddress?: string | undefined;
}
