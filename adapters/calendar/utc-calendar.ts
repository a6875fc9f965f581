import { UTCDate } from '@date-fns/utc';
import { add, type Duration } from 'date-fns';
import type { AddInterval } from '../../core/calendar.ts';
import type { BillingInterval } from '../../core/entitlement/entitlement.ts';

const durations: Record<BillingInterval, Duration> = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  year: { years: 1 },
};

export const addInterval: AddInterval = (start, interval) =>
  new Date(add(new UTCDate(start), durations[interval]).getTime());
