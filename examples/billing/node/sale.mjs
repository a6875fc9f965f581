// Keeps the sale of an affiliate in step with what the vendor says was paid. README.md says how.
import { NotFoundError } from 'latchkey/admin';

const form = /^(?:via_)?(?!via(?:_|$))([a-z0-9][a-z0-9-]{1,28}[a-z0-9])(?:_([A-Za-z0-9-]{1,128}))?$/;

/**
 * Puts all payments as the sale of the affiliate who has it, else of the one whom `via` names. `read` reads them from
 * the vendor, null before the first. After a change it reads again, because an older reading may have been put late.
 */
export async function sell(sales, { id, via, read }) {
  let known = await found(sales.sale(id));
  const [, handle, slug] = form.exec(via ?? '') ?? [];
  if (!known && !handle) return;
  for (;;) {
    const paid = await read();
    if (!paid) return;
    const { attributedAt, ...rest } = paid;
    const put = (seller) => found(sales.put(id, { ...rest, ...seller }));
    const begin = async () => (await put({ handle, slug, attributedAt })) ?? put({ handle, attributedAt });
    const sale = await (known ? put({ handle: known.handle }) : begin());
    if (!sale || sale.revision === known?.revision) return;
    known = sale;
  }
}

/** The answer; null for an affiliate, promotion, entitlement or sale that does not exist. */
async function found(request) {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
