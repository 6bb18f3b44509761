// What comes from flows is shown as text only.
const key = () => sessionStorage.getItem('key');
const headers = () => (key() ? { authorization: `Bearer ${key()}` } : {});

function element(name, text, children = []) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

function readValue(text, type) {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function formOf({ name, inputs }) {
  const fields = inputs.map((input) => {
    const area = element('textarea');
    area.rows = 2;
    if (input.default !== undefined) area.placeholder = JSON.stringify(input.default);
    return { input, area, label: element('label', `${input.name} (${input.type})`, [area]) };
  });
  const button = element('button', 'Run');
  const answer = element('pre');
  const form = element('form', undefined, [...fields.map(({ label }) => label), button, answer]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const given = fields.filter(({ area }) => area.value !== '');
    const body = Object.fromEntries(given.map(({ input, area }) => [input.name, readValue(area.value, input.type)]));
    try {
      const response = await fetch(`/flows/${encodeURIComponent(name)}/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers() },
        body: JSON.stringify(body),
      });
      answer.textContent = JSON.stringify(await response.json(), null, 2);
    } catch (error) {
      answer.textContent = String(error);
    }
    button.disabled = false;
  });
  return element('section', undefined, [element('h2', name), form]);
}

async function show() {
  const told = document.getElementById('told');
  const response = await fetch('/flows', { headers: headers() });
  if (response.status === 401) {
    const given = prompt('Key of this server');
    if (given) {
      sessionStorage.setItem('key', given);
      location.reload();
    }
    told.textContent = 'A key is needed.';
    return;
  }
  const { flows } = await response.json();
  told.textContent = '';
  document.getElementById('flows').append(...flows.map(formOf));
}

show();
