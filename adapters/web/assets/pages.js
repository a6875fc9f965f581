// Filters, searches and turns pages without loading the whole page again. Everything works without it.
const form = document.querySelector('form.search');
const filters = document.querySelector('form.filters');
const typingPause = 300;
let running = new AbortController();
let shown = location.pathname + location.search;
let typing;

/** The address that the forms ask for, without fields that were left empty. */
function addressOfForm() {
  const controls = [form.elements.q, ...filters.querySelectorAll('select')];
  const fields = controls.map(({ name, value }) => [name, value]).filter(([, value]) => value.trim() !== '');
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
    if (page.querySelector('#featured') !== null) {
      if (remember) location.assign(address);
      else location.reload();
      return;
    }
    document.querySelector('#results').replaceChildren(...page.querySelector('#results').childNodes);
    for (const id of ['#count', '#all']) {
      document.querySelector(id).textContent = page.querySelector(id).textContent;
    }
    document.querySelector('.kinds').replaceChildren(...page.querySelector('.kinds').childNodes);
    document.title = page.title;
    shown = address;
    if (remember) history.pushState(null, '', address);
    else takeOver(page);
  } catch {
    if (!signal.aborted) location.assign(address);
  }
}

/** Fills the forms as they were when the page that the browser went back to was shown. */
function takeOver(page) {
  form.elements.q.value = page.querySelector('#q').value;
  for (const select of filters.querySelectorAll('select')) {
    select.value = page.querySelector(`#${select.id}`).value;
  }
}

// A page with featured listings is left by loading another one: without them, everything below would move.
if (form !== null && document.querySelector('#featured') === null) {
  const showForm = () => void show(addressOfForm(), { remember: true });
  for (const each of [form, filters]) {
    each.addEventListener('submit', (event) => {
      event.preventDefault();
      showForm();
    });
  }
  filters.addEventListener('change', showForm);
  form.addEventListener('input', () => {
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
    // Links within the page change the address, too, but not the content.
    if (address !== shown) void show(address, { remember: false });
  });
}
