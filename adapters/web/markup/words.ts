import { day, hour } from '../../../core/parsing/duration.ts';
import type { BuyerTexts, TextName } from './buyer-texts.ts';
import { countOf, dayOfYearText, fullDayText, monthAndYearText, numberText } from './figures.ts';
import { html, type Html } from './html.ts';
import { moneyText } from './money.ts';

/** The scripts that run from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** A part of a text: what stands there, or the name of what does. */
type Part = { readonly literal: string } | { readonly name: string };

/** The texts of a language, and how it writes dates. English does without `Intl`, whose first use costs much. */
export class Words {
  readonly language: string;
  readonly #texts: BuyerTexts;

  constructor(texts: BuyerTexts, language: string) {
    this.language = language;
    this.#texts = texts;
  }

  get direction(): 'ltr' | 'rtl' {
    if (this.#isEnglish) return 'ltr';
    const { script = '' } = new Intl.Locale(this.language).maximize();
    return rightToLeft.has(script) ? 'rtl' : 'ltr';
  }

  /** A text without markup. */
  plain(name: TextName, values: Readonly<Record<string, string>> = {}): string {
    return partsOf(this.#texts[name])
      .map((part) => ('literal' in part ? part.literal : (values[part.name] ?? '')))
      .join('');
  }

  /** A text with its values, each of which may be markup. */
  of(name: TextName, values: Readonly<Record<string, Html | string>> = {}): Html {
    const parts = partsOf(this.#texts[name]);
    return html`${parts.map((part) => html`${'literal' in part ? part.literal : (values[part.name] ?? '')}`)}`;
  }

  /** A day in UTC: "18 December 2026", which no line end divides. */
  day(at: Date): Html {
    return timeOf(dayIn(at), this.plainDay(at));
  }

  /** An instant to the minute in UTC: "21:30 UTC", with its day where that is another one than now. */
  minute(at: Date, now: Date): Html {
    const text = dayIn(at) === dayIn(now) ? this.#plainMinute(at, {}) : this.plainInstant(at);
    return timeOf(`${at.toISOString().slice(0, 16)}Z`, text);
  }

  /** An instant to the minute in UTC, with its day. */
  instant(at: Date): Html {
    return this.minute(at, new Date(0));
  }

  /** A day in UTC, without markup. */
  plainDay(at: Date): string {
    if (this.#isEnglish) return fullDayText(at);
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  }

  /** An instant to the minute in UTC, without markup: "25 November 2026, 20:31 UTC". */
  plainInstant(at: Date): string {
    if (this.#isEnglish) return `${fullDayText(at)}, ${minuteText(at)}`;
    return this.#plainMinute(at, { year: 'numeric', month: 'long', day: 'numeric' });
  }

  /** An instant of the next days, without markup: "26 November, 20:30 UTC". */
  plainSoon(at: Date): string {
    if (this.#isEnglish) return `${dayOfYearText(at)}, ${minuteText(at)}`;
    return this.#plainMinute(at, { month: 'long', day: 'numeric' });
  }

  /** The days since a day: "today", "yesterday", "3 weeks ago". */
  ago(at: Date, now: Date): Html {
    return timeOf(dayIn(at), this.#agoText(Math.max(0, daysBetween(at, now))));
  }

  /** A length of time: "14 days", "36 hours". */
  duration(milliseconds: number): string {
    const isDays = milliseconds % day === 0;
    const [count, unit] = isDays ? [milliseconds / day, 'day'] : [Math.floor(milliseconds / hour), 'hour'];
    if (this.#isEnglish) return countOf(count, unit);
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  }

  /** A month in UTC, without markup: "November 2026". */
  month(at: Date): string {
    if (this.#isEnglish) return monthAndYearText(at);
    return new Intl.DateTimeFormat(this.language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(at);
  }

  /** An amount in minor units as Stripe counts them. */
  money(amount: number, currency: string): string {
    return moneyText(amount, currency, this.#isEnglish ? undefined : this.language);
  }

  number(count: number): string {
    return this.#isEnglish ? numberText(count) : new Intl.NumberFormat(this.language).format(count);
  }

  get #isEnglish(): boolean {
    return this.language === 'en';
  }

  /** A minute in UTC, with what is to be said of its day. */
  #plainMinute(at: Date, ofDay: Intl.DateTimeFormatOptions): string {
    if (this.#isEnglish) return minuteText(at);
    const minute = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: 'UTC' } as const;
    return new Intl.DateTimeFormat(this.language, { ...ofDay, ...minute }).format(at);
  }

  #agoText(days: number): string {
    const [count, unit] = agoUnit(days);
    if (!this.#isEnglish) return new Intl.RelativeTimeFormat(this.language, { numeric: 'auto' }).format(-count, unit);
    if (unit === 'day' && count < 2) return count === 0 ? 'today' : 'yesterday';
    return `${countOf(count, unit)} ago`;
  }
}

function agoUnit(days: number): readonly [count: number, unit: 'day' | 'week' | 'month' | 'year'] {
  if (days < 14) return [days, 'day'];
  if (days < 56) return [Math.floor(days / 7), 'week'];
  return days < 365 ? [Math.floor(days / 30.5), 'month'] : [Math.floor(days / 365), 'year'];
}

function daysBetween(at: Date, now: Date): number {
  return Math.floor(now.getTime() / day) - Math.floor(at.getTime() / day);
}

function dayIn(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function minuteText(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}

function timeOf(datetime: string, text: string): Html {
  return html`<time datetime="${datetime}">${text.replaceAll(' ', '\u00A0')}</time>`;
}

function partsOf(text: string): readonly Part[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? { literal: part } : { name: part }));
}
