/** An answer that refuses a request, in Stripe's words where they matter to its library. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly error: Readonly<Record<string, string>>;

  constructor(status: number, error: Readonly<Record<string, string>> & { readonly message: string }) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

function invalid(message: string, more: Readonly<Record<string, string>> = {}, status = 400): StripeRefusal {
  return new StripeRefusal(status, { message, type: 'invalid_request_error', ...more });
}

export const refusals = {
  unknownUrl: (method: string, path: string) =>
    invalid(`Unrecognized request URL (${method}: ${path}). fakeStripe has no such endpoint.`, {}, 404),
  noKey: () => invalid('You did not provide an API key.', {}, 401),
  wrongKey: (key: string) => invalid(`Invalid API Key provided: ${masked(key)}`, {}, 401),
  expiredKey: (key: string) => invalid(`Expired API Key provided: ${masked(key)}`, { code: 'api_key_expired' }, 401),
  notPermitted: (key: string, account: string, permission: string) =>
    invalid(
      `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account ` +
        `'${account}'. Having the 'rak_${permission}' permission would allow this request to continue.`,
      {},
      403,
    ),
  unknownVersion: (version: string) => invalid(`Invalid Stripe API version: ${version}`),
  unknownParameter: (param: string) =>
    invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param }),
  missingParameter: (param: string) =>
    invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param }),
  notInteger: (param: string, value: string) =>
    invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param }),
  notBoolean: (param: string, value: string) => invalid(`Invalid boolean: ${value}`, { param }),
  notOneOf: (param: string, values: readonly string[]) =>
    invalid(`Invalid ${param}: must be one of ${values.join(', ')}`, { param }),
  notFound: (kind: string, id: string, param: string) =>
    invalid(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, 404),
  tooDeep: (path: string) =>
    invalid(`You cannot expand more than 4 levels of a property. Property: ${path}`, { param: 'expand' }),
  notExpandable: (path: string) => invalid(`This property cannot be expanded (${path}).`, { param: 'expand' }),
  bothCancellations: () =>
    invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', { param: 'cancel_at' }),
  canceled: () => invalid('A canceled subscription can only update its cancellation_details and metadata.'),
  scheduled: (schedule: string) =>
    invalid(
      `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation ` +
        'behavior directly is not allowed. Please update the schedule instead.',
    ),
  inThePast: () => invalid('cancel_at must be in the future.', { param: 'cancel_at' }),
  otherParameters: (key: string) =>
    new StripeRefusal(400, {
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using ' +
        `a key other than '${key}' if you meant to execute a different request.`,
      type: 'idempotency_error',
    }),
  inProgress: (key: string) =>
    invalid(
      `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
      { code: 'idempotency_key_in_use' },
      409,
    ),
} as const;

/** Shows what Stripe shows of a key. */
function masked(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
}
