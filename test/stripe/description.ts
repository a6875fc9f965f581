interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly type?: string;
  readonly $ref?: string;
}

/** The description of Stripe's API, as far as it is read here. */
export interface Description {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Members that the types of the library require and the description leaves out. `tsc` holds the fake against those
 * types.
 */
const ofTheLibrary: ReadonlySet<string> = new Set([
  'charge.source',
  'checkout.session.allowed_payment_method_types',
  'dispute.evidence_details.submission_method',
  'dispute.intended_submission_method',
  'payment_intent.payment_record',
  'payment_intent.source',
  'price.recurring.trial_period_days',
  'subscription.items.data.current_trial',
  'subscription.items.data.plan',
  'subscription.items.data.price.recurring.trial_period_days',
  'subscription.trial_settings.end_behavior.billing_cycle_anchor',
]);

/** The members of an object, and of all objects in it, that the description of its kind does not have. */
export function membersOutside(description: Description, object: Readonly<Record<string, unknown>>): readonly string[] {
  const kind = String(object['object']);
  const schema = description.components.schemas[kind];
  if (schema === undefined) return [kind];
  return outside(description, object, [schema], kind).filter((member) => !ofTheLibrary.has(member));
}

function outside(
  description: Description,
  value: unknown,
  schemas: readonly Schema[],
  path: string,
): readonly string[] {
  const options = schemas.flatMap((schema) => resolved(description, schema));
  if (Array.isArray(value)) {
    const items = options.flatMap(({ items: each }) => (each === undefined ? [] : [each]));
    return value.flatMap((each) => outside(description, each, items, path));
  }
  if (typeof value !== 'object' || value === null) return [];
  if (options.some(isMap)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const fitting = options.flatMap(({ properties }) => (properties?.[name] === undefined ? [] : [properties[name]]));
    return fitting.length === 0 ? [`${path}.${name}`] : outside(description, inner, fitting, `${path}.${name}`);
  });
}

/** The schema itself, or the alternatives that it names. */
function resolved(description: Description, schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined) {
    const named = description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined ? [] : resolved(description, named);
  }
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((each) => resolved(description, each));
}

/** Whether any member may be there, as in `metadata`. */
function isMap({ type, properties, additionalProperties }: Schema): boolean {
  return type === 'object' && (properties === undefined || typeof additionalProperties === 'object');
}
