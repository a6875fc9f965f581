import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import type { Mistakes } from './fields.ts';

/** The message of a refusal in the administration. */
export type RefusalMessage = (code: RefusalCode) => string;

/** The field of a form that each refusal is about. */
export type FieldOfRefusal = Readonly<Partial<Record<RefusalCode, string>>>;

/** The mistake of the field that a refusal is about. Throws what is about no field. */
export function refusedField(cause: unknown, fields: FieldOfRefusal, message: RefusalMessage): Mistakes {
  if (!(cause instanceof Refusal)) throw cause;
  const { code, details } = cause as Refusal;
  const field = fields[code];
  if (field === undefined) throw cause;
  return new Map([[field, details.message ?? message(code)]]);
}
