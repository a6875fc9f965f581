import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** Compiles schemas that refer to components of a document. */
export class DocumentSchemas {
  /** As it compiles with the least work, because most tests check few answers with a schema. */
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  readonly #compiled = new Map<object, ValidateFunction>();

  constructor(document: object) {
    formats.default(this.#ajv);
    this.#ajv.addFormat('well-formed', (text: string) => text.isWellFormed());
    this.#ajv.addSchema(document, 'openapi');
  }

  /** The mistakes in a value; null if there are none. */
  errorsOf(schema: object, value: unknown): string | null {
    const validate = this.#compiled.get(schema) ?? this.#compile(schema);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  #compile(schema: object): ValidateFunction {
    const validate = this.#ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    this.#compiled.set(schema, validate);
    return validate;
  }
}
