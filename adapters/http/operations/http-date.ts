const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;

/** The three forms that a recipient must accept (RFC 9110 §5.6.7). */
const forms: readonly RegExp[] = [
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT$`),
  new RegExp(String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT$`),
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[\d ]\d) ${time} (?<year>\d{4})$`),
];

/** Parses an HTTP date. Returns null for any other text. `now` decides the century of a year of two digits. */
export function parseHttpDate(text: string, now: Date): Date | null {
  const groups = forms.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { year = '', month: name = '', day, hour, minute, second } = groups;
  const [days, hours, minutes, seconds] = [day, hour, minute, second].map(Number) as [number, number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const fullYear = year.length === 2 ? withCentury(Number(year), now.getUTCFullYear()) : Number(year);
  const midnight = new Date(0);
  midnight.setUTCFullYear(fullYear, months.indexOf(name), days);
  if (midnight.getUTCDate() !== days) return null;
  return new Date(midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000);
}

/** A year that would be more than 50 years ahead is of the century before (RFC 9110 §5.6.7). */
function withCentury(year: number, current: number): number {
  const candidate = current - (current % 100) + year;
  return candidate > current + 50 ? candidate - 100 : candidate;
}
