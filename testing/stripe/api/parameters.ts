import { refusals } from './refusals.ts';

/** The parameters of a request, as its form nests them: `payment[type]=x` and `expand[0]=y`. */
export interface Parameters {
  readonly [name: string]: string | Parameters;
}

export function readParameters(form: string): Parameters {
  const all: Record<string, string | Parameters> = Object.create(null);
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/\[|\]\[?/).filter((part, index, parts) => part !== '' || index < parts.length - 1);
    let inside = all;
    for (const part of path.slice(0, -1)) inside = nested(inside, part);
    const last = path.at(-1) ?? '';
    inside[last === '' ? String(Object.keys(inside).length) : last] = value;
  }
  return all;
}

function nested(inside: Record<string, string | Parameters>, name: string): Record<string, string | Parameters> {
  const found = inside[name];
  if (typeof found === 'object') return found;
  const made: Record<string, string | Parameters> = Object.create(null);
  inside[name] = made;
  return made;
}

/** Refuses a parameter that is not among the names, of which `a[b]` is nested and `a[*]` a list or a map. */
export function refuseUnknown(parameters: Parameters, names: readonly string[]): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string' ? names.includes(name) : names.includes(`${name}[*]`)) continue;
    if (typeof value === 'string') throw refusals.unknownParameter(name);
    for (const inner of Object.keys(value))
      if (!names.includes(`${name}[${inner}]`)) throw refusals.unknownParameter(`${name}[${inner}]`);
  }
}

export function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOfTexts(parameters: Parameters, name: string): readonly string[] {
  const value = parameters[name];
  return typeof value === 'object' ? Object.values(value).filter((each) => typeof each === 'string') : [];
}

export function integerOf(parameters: Parameters, name: string): number | undefined {
  const value = textOf(parameters, name);
  if (value === undefined) return undefined;
  if (!/^-?\d+$/.test(value)) throw refusals.notInteger(name, value);
  return Number(value);
}

export function booleanOf(parameters: Parameters, name: string): boolean | undefined {
  const value = textOf(parameters, name);
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true';
  throw refusals.notBoolean(name, value);
}
