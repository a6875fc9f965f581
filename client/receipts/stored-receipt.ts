/** Keeps one text for a gate, such as in a file. Either method may return a promise. */
export interface ReceiptStorage {
  /** Returns the text that was saved last, or null if nothing was saved. */
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
}

/** The content of a gate's store: the receipt, and the latest instant that the machine has seen. */
export interface StoredReceipt {
  readonly receipt: string | null;
  readonly lastSeen: Date | null;
}

const nothing: StoredReceipt = { receipt: null, lastSeen: null };

const version = 1;

/** Throws `TypeError` for what cannot load and save. A program without types may have forgotten it. */
export function checkStorage(storage: Partial<ReceiptStorage> | null | undefined): void {
  if (typeof storage?.load !== 'function' || typeof storage.save !== 'function')
    throw new TypeError('storage must have the functions load and save, which keep the receipt from start to start');
}

/** Loads the stored receipt. A storage that throws, takes longer than `timeout` or has another text counts as empty. */
export async function loadReceipt(storage: ReceiptStorage, timeout: number): Promise<StoredReceipt> {
  return storedIn(await settled(async () => storage.load(), timeout));
}

/** Saves what is to be stored. A storage that throws, or takes longer than `timeout`, is left alone. */
export async function saveReceipt(storage: ReceiptStorage, stored: StoredReceipt, timeout: number): Promise<void> {
  const text = JSON.stringify({ version, ...stored });
  await settled(async () => storage.save(text), timeout);
}

/** The content of a stored text; empty if a gate has not written it. */
function storedIn(text: unknown): StoredReceipt {
  if (typeof text !== 'string') return nothing;
  try {
    const { version: found, receipt, lastSeen } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (found !== version || !isTextOrNull(receipt) || !isTextOrNull(lastSeen)) return nothing;
    const instant = lastSeen === null ? null : new Date(lastSeen);
    return Number.isNaN(instant?.getTime()) ? nothing : { receipt, lastSeen: instant };
  } catch {
    return nothing;
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}

/** The result of an action; null if it throws or takes too long. */
async function settled<Result>(action: () => Promise<Result>, timeout: number): Promise<Result | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeout);
  });
  try {
    return await Promise.race([action(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
