import type { Administration } from '../../../../core/administration/administration.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { day, hour } from '../../../../core/parsing/duration.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { isRunning, maxTrial, type ShownTrial } from '../../../../core/trial/trial.ts';
import { trialForm } from '../../../administration/commands/trial-commands.ts';
import { html, type Html } from '../../markup/html.ts';
import { instantText } from '../display/dates.ts';
import { pageIn, pageLinks } from '../display/paging.ts';
import { crumbs, facts, mono, statusLine, written, type Crumb } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { must } from '../form/form-members.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, shown, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { trialPath, trialsPath } from '../trials/trial-paths.ts';
import { trialBadge, trialButtons, trialFacts, trialTable } from '../trials/trial-sections.ts';
import { crumbsTo, productsPath } from './product-pages.ts';
import { productOf } from './product-routes.ts';

const access = 'admin:entitlements';
const one = '/console/trials/:id';

const doneTexts = {
  extended: 'The trial was extended. The app learns of it when it asks.',
  end: 'The trial was ended.',
};

/** A trial and its product, at an instant. */
interface OfProduct {
  readonly trial: ShownTrial;
  readonly product: Product;
  readonly now: Date;
}

/** The list of a product's trials, the page of each, and its changes. */
export function trialRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    {
      id: 'consoleTrials',
      method: 'GET',
      path: `${productsPath}/:id/trials`,
      access: 'admin:read',
      handle: async ({ call, parameters: { id = '' }, query, view }) => {
        const part = pageIn(query);
        const product = await productOf(administration, id, call);
        const filter = { productId: product.id, entitlementId: null };
        return shown(trialListPage(view, product, await administration.listTrials(filter, part, call), part.after));
      },
    },
    {
      id: 'consoleTrial',
      method: 'GET',
      path: one,
      access: 'admin:read',
      handle: async (request) => {
        const found = await trialOf(administration, request);
        return shown(trialPage(request.view, found, statusLine(request.query, doneTexts)));
      },
    },
    ...extendRoutes(administration),
    ...decisionRoutes(onTrial(administration), [ending(administration)]),
  ];
}

/** The list of the trials of a product. */
function trialListPage(
  view: PageView,
  product: Product,
  { items, next }: Page<ShownTrial>,
  after: string | null,
): PageContent {
  return {
    title: `Trials · ${product.name}`,
    main: html`<div class="page">
      <div class="title">
        ${crumbs(crumbsTo(product), 'Trials')}
        <h1>Trials of ${written(product.name)}</h1>
      </div>
      ${
        items.length === 0
          ? html`<p class="muted">No app has started a trial yet.</p>`
          : html`${trialTable(items, view)} ${pageLinks(trialsPath(product.id), new URLSearchParams(), after, next)}`
      }
    </div>`,
  };
}

/** One trial, as support opens it by the id that the app shows. */
function trialPage(view: PageView, { trial, product }: OfProduct, done: Html | null): PageContent {
  return {
    title: trial.id,
    main: html`<div class="page">
      ${done}
      <div class="title">
        ${crumbs(crumbsTo(product), trial.id)}
        <div class="line">
          <h1>Trial of ${written(product.name)}</h1>
          ${trialBadge(trial)} ${view.may('admin:entitlements') ? trialButtons(trial, view.now) : null}
        </div>
      </div>
      ${facts(trialFacts(trial, view.now), 'boxed')}
    </div>`,
  };
}

async function trialOf(
  administration: Administration,
  { call, parameters: { id = '' } }: ConsoleRequest,
): Promise<OfProduct> {
  const trial = await administration.showTrial(id, call);
  return { trial, product: await productOf(administration, trial.productId, call), now: call.now };
}

const extendMembers = { endsAt: must(trialForm.endsAt) };

function extendRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'ExtendTrial',
    path: `${one}/extend`,
    access,
    find: (request) => trialOf(administration, request),
    asks: (found, { call }) => ({
      path: path(found),
      here: 'Extend',
      title: 'Extend this trial?',
      text: 'Also after its end. The app learns of it when it asks; nobody is told.',
      above: facts(trialFacts(found.trial, call.now), 'boxed'),
      button: 'Extend trial',
    }),
    back: ({ trial }) => ({ href: trialPath(trial.id), text: 'Keep it' }),
    proposes: (found) => ({ endsAt: weekLater(found).toISOString() }),
    members: extendMembers,
    refusals: { trial_too_long: { member: 'endsAt', problem: 'must be at most 90 days from now' } },
    seen: ({ trial }) => ({ now: seenTrial(trial), intent: html`let ${mono(trial.id)} end at another instant.` }),
    isDone: ({ endsAt }, { trial }) => endsAt.getTime() === trial.endsAt.getTime(),
    act: async ({ endsAt }, { trial }, { call }) => {
      await administration.extendTrial(trial.id, endsAt, call);
      return goTo(trialPath(trial.id), 'extended');
    },
  });
}

/** A week after the end, or from now on if it has ended, to the minute; no later than a trial may end. */
function weekLater({ trial, now }: OfProduct): Date {
  const end = Math.max(trial.endsAt.getTime(), now.getTime()) + 7 * day;
  const minute = hour / 60;
  return new Date(Math.floor(Math.min(end, now.getTime() + maxTrial) / minute) * minute);
}

function onTrial(administration: Administration): DecidedOn<OfProduct> {
  return {
    noun: 'trial',
    kind: 'Trial',
    access,
    path: (decision) => `${one}/${decision}`,
    find: (request) => trialOf(administration, request),
    crumbs: path,
    facts: ({ trial }) => [
      ['Trial', mono(trial.id)],
      ['Ends', instantText(trial.endsAt)],
    ],
    seen: ({ trial }) => seenTrial(trial),
    intent: ({ trial }, verb) => html`${verb} ${mono(trial.id)}.`,
    back: ({ trial }) => trialPath(trial.id),
  };
}

function ending({ endTrial }: Administration): Decision<OfProduct> {
  return {
    name: 'end',
    verb: 'End',
    question: 'End this trial now?',
    button: 'End trial now',
    heading: 'The device has used its trial.',
    effects: () => [
      html`The app is told so the next time that it asks.`,
      html`Without a network it goes on until its receipt ends, at the end that the trial had.`,
    ],
    milder: () => html`Is it the end that is wrong? Extend it instead, also to an earlier day.`,
    isDone: ({ trial, now }) => !isRunning(trial, now),
    run: ({ trial }, call) => endTrial(trial.id, call),
  };
}

function path({ trial, product }: OfProduct): readonly Crumb[] {
  return [...crumbsTo(product), { href: trialPath(trial.id), text: trial.id }];
}

/** The values that a page has shown of a trial. */
function seenTrial({ endsAt }: ShownTrial): Seen {
  return { Ends: endsAt.toISOString() };
}
