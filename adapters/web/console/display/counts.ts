/** "1 event", "12 events". */
export function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count.toLocaleString('en-US')} ${thing}s`;
}
