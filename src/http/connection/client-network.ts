import ipaddr from 'ipaddr.js';

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
