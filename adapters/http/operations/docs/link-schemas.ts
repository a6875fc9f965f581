import { urlPattern } from '../../../../core/parsing/url-rules.ts';
import {
  answerOf,
  count,
  described,
  instant,
  objectOf,
  orNull,
  text,
} from '../../../administration/declaration/schema-parts.ts';

/** The schemas of links for buyers. Members that the body does not name are ignored. */
export const linkSchemas = {
  EntitlementLinkRequest: {
    type: 'object',
    properties: {
      expires: described(
        'How long the link works: a whole number with `s`, `m`, `h` or `d`, from `5m` to `24h`; `1h` by default.',
        orNull({ type: 'string', pattern: '^[0-9]{1,15}[smhd]$' }),
      ),
      returnUrl: described(
        'Where the page leads back to: an https URL. By default it leads nowhere.',
        orNull({ type: 'string', maxLength: 2048, pattern: urlPattern }),
      ),
    },
  },
  EntitlementLink: objectOf({ url: text, expiresAt: instant }),
  EntitlementLinkAnswer: answerOf('EntitlementLink'),
  EndedLinks: objectOf({ ended: count }),
  EndedLinksAnswer: answerOf('EndedLinks'),
} as const;
