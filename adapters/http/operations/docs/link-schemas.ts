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

const secondsOfLink = '[3-9][0-9]{2}|[1-9][0-9]{3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400';
const minutesOfLink = '[5-9]|[1-9][0-9]{1,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440';
const hoursOfLink = '[1-9]|1[0-9]|2[0-4]';

/** From five minutes to a day, in each unit. */
export const linkTimePattern = `^0{0,9}((${secondsOfLink})s|(${minutesOfLink})m|(${hoursOfLink})h|1d)$`;

/** The schemas of links for buyers. Members that the body does not name are ignored. */
export const linkSchemas = {
  EntitlementLinkRequest: {
    type: 'object',
    properties: {
      expires: described(
        'How long the link works: a whole number with `s`, `m`, `h` or `d`, from `5m` to `24h`; `1h` by default.',
        orNull({ type: 'string', pattern: linkTimePattern }),
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
