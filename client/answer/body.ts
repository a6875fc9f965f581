/**
 * Reads the text of an answer; null if it has more than `maxBytes`. They are counted as they come, after decompression, so
 * that no service fills the memory. Ends when the signal is aborted: nobody waits for the rest.
 */
export async function textOf(response: Response, maxBytes: number, signal: AbortSignal): Promise<string | null> {
  const reader = readerOf(response);
  if (reader === null) return limited(await response.text(), maxBytes);
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    return await read(reader, maxBytes);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function read(reader: Reader, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) return null;
    text += decoder.decode(value, { stream: true });
  }
}

/** Null for an answer without a body, and for a `fetch` that has no streams, as in some apps for phones. */
function readerOf({ body }: Response): Reader | null {
  return typeof body?.getReader === 'function' ? body.getReader() : null;
}

function limited(text: string, maxLength: number): string | null {
  return text.length > maxLength ? null : text;
}
