import ipaddr from 'ipaddr.js';
import type { Server } from 'node:http';
import { type Socket, isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestOf } from '../middleware.js';

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

/** Milliseconds in which a client must send the head of a request. */
const HEAD_TIMEOUT = 15_000;

/** Milliseconds in which a client must send a whole request. */
const REQUEST_TIMEOUT = 60_000;

/**
 * Milliseconds after which a connection is cut on which nothing moves, also when a client does not read. It
 * is longer than any answer takes.
 */
const SILENCE = 60_000;

/** Milliseconds between two checks of the timeouts of requests. */
export const CHECK_INTERVAL = 5_000;

/** Most connections of a server. A connection beyond is closed at once. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address, or one IPv6 network. Behind a proxy every connection has that of the proxy. */
  readonly perAddress: number;
  /** Milliseconds for which a connection is kept open between requests. */
  readonly keepAlive: number;
}

/** Bounds the connections of a server, in number and in time, so that slow and silent clients cost little. */
export function limitConnections(server: Server, { total, perAddress, keepAlive }: ConnectionLimits): void {
  server.headersTimeout = HEAD_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.timeout = SILENCE;
  server.maxConnections = total;
  server.keepAliveTimeout = keepAlive;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
