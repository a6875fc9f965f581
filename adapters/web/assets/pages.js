// Filters, searches and turns pages without loading the whole page again. Everything works without it.
const form = document.querySelector('form.search');
const typingPause = 300;
let running = new AbortController();
let shown = location.pathname + location.search;
let typing;

/** The address of what the form asks for, without fields that were left empty. */
function addressOfForm() {
  const fields = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
  const query = new URLSearchParams(fields).toString();
  return new URL(form.action).pathname + (query === '' ? '' : `?${query}`);
}

/** Shows what is found at an address. If that fails, the browser goes there by itself. */
async function show(address, { remember }) {
  clearTimeout(typing);
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' }, signal });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    document.querySelector('#results').replaceChildren(...page.querySelector('#results').childNodes);
    document.querySelector('#count').textContent = page.querySelector('#count').textContent;
    document.title = page.title;
    shown = address;
    if (remember) history.pushState(null, '', address);
    else takeOver(page.querySelector('form.search'));
  } catch {
    if (!signal.aborted) location.assign(address);
  }
}

/** Fills the form as it was when the page that the browser went back to was shown. */
function takeOver(other) {
  for (const { name, value } of other.elements) if (name !== '') form.elements[name].value = value;
}

if (form !== null) {
  const showForm = () => void show(addressOfForm(), { remember: true });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    showForm();
  });
  form.addEventListener('change', ({ target }) => {
    if (target.tagName === 'SELECT') showForm();
  });
  form.addEventListener('input', ({ target }) => {
    if (target.tagName === 'SELECT') return;
    clearTimeout(typing);
    typing = setTimeout(showForm, typingPause);
  });
  document.querySelector('#results').addEventListener('click', async (event) => {
    const link = event.target.closest('.pages a');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    await show(link.pathname + link.search, { remember: true });
    const results = document.querySelector('#results');
    results.focus({ preventScroll: true });
    document.querySelector('#count').scrollIntoView();
  });
  addEventListener('popstate', () => {
    const address = location.pathname + location.search;
    // Links within the page change the address, too, but not what it shows.
    if (address !== shown) void show(address, { remember: false });
  });
}
