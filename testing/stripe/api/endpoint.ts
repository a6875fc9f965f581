/** An endpoint of the API, and who may use it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** The permission that a restricted key needs, without `_read` or `_write`. */
  readonly permission: string;
}

/** A request that the fake has had. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The parameters as they were sent: the query of a GET, the body of the others. */
  readonly parameters: string;
  readonly idempotencyKey: string | null;
  /** The status of the answer, or null where the connection was cut or hangs. */
  readonly status: number | null;
}
