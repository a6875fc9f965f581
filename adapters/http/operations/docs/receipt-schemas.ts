import {
  answerOf,
  constant,
  described,
  instant,
  listOf,
  named,
  objectOf,
  text,
} from '../../../administration/declaration/schema-parts.ts';

const coordinate = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' };

/** The schemas of receipts, and of the keys that they are verified with. */
export const receiptSchemas = {
  IssuedReceipt: objectOf({
    receipt: described('A JWS in its compact serialization (RFC 7515), signed with ES256.', text),
    issuedAt: instant,
    refreshAfter: described('From when on an app should fetch another.', instant),
    expiresAt: instant,
  }),
  IssuedReceiptAnswer: answerOf('IssuedReceipt'),
  SigningKeySet: objectOf({ keys: listOf(named('SigningKey')) }),
  SigningKey: objectOf({
    kty: constant('EC'),
    crv: constant('P-256'),
    x: coordinate,
    y: coordinate,
    kid: described('The thumbprint of the key (RFC 7638), which receipts name.', text),
    alg: constant('ES256'),
    use: constant('sig'),
  }),
} as const;
