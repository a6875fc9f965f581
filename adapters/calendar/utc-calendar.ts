import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { AddInterval } from '../../core/entitlement/grant.ts';

dayjs.extend(utc);

/** Adds intervals by the UTC calendar; a day that the month does not have becomes its last. */
export const addInterval: AddInterval = (start, interval, count) => dayjs.utc(start).add(count, interval).toDate();
