import { UTCDate } from '@date-fns/utc';
import type { Duration } from 'date-fns';
import { add } from 'date-fns/add'; // the package as a whole takes more than a second to load
import type { AddInterval } from '../../core/entitlement/add-interval.ts';
import type { BillingInterval } from '../../core/entitlement/entitlement.ts';

const durations: Record<BillingInterval, Duration> = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  year: { years: 1 },
};

export const addInterval: AddInterval = (start, interval) =>
  new Date(add(new UTCDate(start), durations[interval]).getTime());
