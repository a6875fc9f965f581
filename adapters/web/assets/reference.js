// Shows the OpenAPI document in Swagger UI. A key that is typed in stays in the memory of this page.
const element = document.querySelector('#reference');
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColors);
followColors();

const response = await fetch(element.dataset.document);
const spec = await response.json();
// The document describes the scopes of app keys as an OAuth flow. There is no token endpoint: the key itself is the token.
spec.components.securitySchemes.ServiceScopes = {
  type: 'http',
  scheme: 'bearer',
  description: 'An app key. It stays in this page, and is forgotten when the page is left.',
};
// Addresses are those under which this page was opened, below the path of the service.
spec.servers = [{ url: element.dataset.document.replace(/\/openapi\.json$/, '') || '/' }];
// Swagger UI brings a main landmark of its own.
const main = document.querySelector('main');
const frame = document.createElement('div');
frame.id = main.id;
main.replaceWith(frame);
frame.append(...main.childNodes);
globalThis.SwaggerUIBundle({
  spec,
  domNode: element,
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  persistAuthorization: false,
});
