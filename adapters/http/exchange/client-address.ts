import { isIPv6 } from 'node:net';

const mapped = '::ffff:';

/**
 * The part of the address of a connection that stands for one client: the first 64 bits of an IPv6 address belong to one
 * customer. The system writes every address in one form only.
 */
export function clientOf(address: string): string {
  if (address.startsWith(mapped)) return address.slice(mapped.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const [groups, rest] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':');
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':');
}
