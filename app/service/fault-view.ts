interface FaultView {
  readonly name: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly at?: readonly string[];
  readonly cause?: FaultView;
}

const quotesValues = /^(SyntaxError|Mongo.*|.*Validation.*)$/;

/**
 * Reduces a fault to what may be logged: name, code and stack, and the message unless it may quote what a client sent.
 * Parsers and databases quote values, and a value may be a key, a license or an address. A string is a text of our own.
 */
export function faultView(fault: unknown): FaultView {
  if (typeof fault === 'string') return { name: 'Cause', message: fault };
  if (!(fault instanceof Error)) return { name: typeof fault };
  const code: unknown = 'code' in fault ? fault.code : undefined;
  const at = fault.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: fault.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(quotesValues.test(fault.name) ? {} : { message: fault.message }),
    ...(at === undefined ? {} : { at: at.map((line) => line.trim()) }),
    ...(fault.cause === undefined ? {} : { cause: faultView(fault.cause) }),
  };
}
