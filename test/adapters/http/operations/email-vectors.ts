/**
 * The vectors of the JSON Schema test suite for the format `email` (draft 2020-12), by what they are about: addresses
 * that are accepted, addresses that are refused, and valid ones of RFC 5321 that a waitlist has no use for.
 */
export const emailVectors: Readonly<
  Record<string, Partial<Record<'accepted' | 'refused' | 'declined', readonly string[]>>>
> = {
  'the local part': {
    accepted: [
      'joe.bloggs@example.com',
      'te~st@example.com',
      '~test@example.com',
      'test~@example.com',
      'te.s.t@example.com',
    ],
    refused: [
      '.test@example.com',
      'test.@example.com',
      'te..st@example.com',
      '@example.com',
      'joe bloggs@example.com',
      'a\tb@iana.org',
      '\u007f@iana.org',
      'a,b@iana.org',
      'a;b@iana.org',
      'a:b@iana.org',
      'test(comment)@iana.org',
      'test"@iana.org',
      '"test"test@iana.org',
      '"test@iana.org',
      'test\\@test@iana.org',
      '[1.2.3.4]@iana.org',
    ],
  },
  'a quoted local part': {
    refused: ['"test\\\u00a9"@iana.org'],
    declined: [
      '"joe bloggs"@example.com',
      '"joe..bloggs"@example.com',
      '"joe@bloggs"@example.com',
      '""@iana.org',
      '" "@iana.org',
      '"test"@iana.org',
      '"\\a"@iana.org',
      '"\\""@iana.org',
      '"\\\\"@iana.org',
    ],
  },
  'the domain': {
    accepted: ['test@c--n.com', 'test@123.com'],
    refused: [
      'joe.bloggs@invalid=domain.com',
      'joe.bloggs@',
      'test@-iana.org',
      'test@iana-.com',
      'test@.iana.org',
      'test@iana.org.',
      'test@iana..com',
      'a@b(c).org',
    ],
    declined: ['test@io', 'test@255.255.255.255'],
  },
  'an address literal': {
    refused: [
      'joe.bloggs@[127.0.0.300]',
      'test@[1.2.3.4',
      'a@[]',
      'a@[1.2.3]',
      'a@[1.2.3.4.5]',
      'test@[RFC-5322-domain-literal]',
      'test@a[255.255.255.255]',
    ],
    declined: ['joe.bloggs@[127.0.0.1]', 'joe.bloggs@[IPv6:::1]', 'a@[ipv6:::1]'],
  },
  'characters outside of ASCII': {
    refused: ['a\u00e9@iana.org', 'a@\u00e9.org', 'a\uff20iana.org'],
  },
  'white space around it': {
    refused: ['test@iana.org\n', 'test@iana.org\r', 'a@iana.org ', ' a@iana.org'],
  },
  'what is no address, or more than one': {
    refused: [
      '2962',
      '',
      'user1@oceania.org, user2@oceania.org',
      'a@b@c.org',
      '"Winston Smith" <winston.smith@recdep.minitrue> (Records Department)',
    ],
  },
};
