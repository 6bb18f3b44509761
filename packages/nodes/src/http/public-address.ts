import { BlockList, isIPv6 } from 'node:net';

/**
 * Networks that are not the public internet: IANA's special-purpose registries (RFC 6890), 6to4 and NAT64 of them, and IPv4
 * addresses in the two older forms of IPv6 (`::10.0.0.1`, `::ffff:0:10.0.0.1`). An
 * IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is checked as IPv4 by the list itself.
 */
function closedNetworks(): BlockList {
  const closed = new BlockList();
  for (const [network, prefix] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['168.63.129.16', 32],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const)
    closed.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of [
    ['::', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['5f00::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ] as const)
    closed.addSubnet(network, prefix, 'ipv6');
  return closed;
}

/** Made when first asked for, since with it Node loads its network. */
let closed: BlockList | undefined;

/** Whether an IP address is one anybody may ask, and not one of this machine or of the network it stands in. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '');
  closed ??= closedNetworks();
  return !closed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
