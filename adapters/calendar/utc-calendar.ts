import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { AddInterval } from '../../core/entitlement/grant.ts';

dayjs.extend(utc);

/** Adds one interval by the UTC calendar; a day that the month does not have becomes its last. */
export const addInterval: AddInterval = (start, interval) => dayjs.utc(start).add(1, interval).toDate();
