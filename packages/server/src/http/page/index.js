// What comes from flows is shown as text only.
const key = () => sessionStorage.getItem('key');
const headers = () => (key() ? { authorization: `Bearer ${key()}` } : {});

const english = {
  run: 'Run',
  send: 'Send',
  chatWith: (flow) => `Chat with ${flow}`,
  atNode: (node) => ` (node ${node})`,
  lost: 'the connection was lost',
  served: (flow) => `${flow} has mistakes; the version before is served`,
  notServed: (flow) => `${flow} has mistakes; nothing is served yet`,
  askKey: 'Key of this server',
  keyNeeded: 'A key is needed.',
};

const japanese = {
  run: '実行',
  send: '送信',
  chatWith: (flow) => `${flow} とのチャット`,
  atNode: (node) => `（ノード ${node}）`,
  lost: '接続が切れました',
  served: (flow) => `${flow} に誤りがあります。一つ前の版で応答しています`,
  notServed: (flow) => `${flow} に誤りがあります。まだ応答できません`,
  askKey: 'このサーバーのキー',
  keyNeeded: 'キーが必要です。',
};

const isJapanese = /^ja\b/.test(navigator.language);
const words = isJapanese ? japanese : english;
document.documentElement.lang = isJapanese ? 'ja' : 'en';

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

function fieldOf(input) {
  const area = element('textarea');
  area.rows = 2;
  if (input.default !== undefined) area.placeholder = JSON.stringify(input.default);
  return { input, area, label: element('label', `${input.name} (${input.type})`, [area]) };
}

function givenIn(fields) {
  const given = fields.filter(({ area }) => area.value !== '');
  return Object.fromEntries(given.map(({ input, area }) => [input.name, readValue(area.value, input.type)]));
}

/** The events of a stream as they come: `{event, data}`. */
async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const fieldOfEvent = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      yield { event: fieldOfEvent('event'), data: JSON.parse(fieldOfEvent('data') ?? '{}') };
    }
  }
}

/** Runs a row; `onText` is told what nodes say while they say it. @returns the row, or `{error}` */
async function runRow(flow, inputs, onText) {
  try {
    const response = await fetch(`flows/${encodeURIComponent(flow)}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers() },
      body: JSON.stringify(inputs),
    });
    if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return await response.json();
    let last = { error: { message: words.lost } };
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'text') onText(data);
      else if (event === 'row-ended' || event === 'error') last = data;
    }
    return last;
  } catch (error) {
    return { error: { message: String(error) } };
  }
}

function errorText({ code, message, node }) {
  const where = node ? words.atNode(node) : '';
  return `${code ? `${code}: ` : ''}${message}${where}`;
}

/** What the flow says at the end of a turn. */
function answerText({ error, outputs }, chat) {
  if (error) return errorText(error);
  const output = chat.output ? outputs[chat.output] : outputs;
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

function formOf({ name, inputs }) {
  const fields = inputs.map(fieldOf);
  const button = element('button', words.run);
  const answer = element('pre');
  answer.setAttribute('aria-live', 'polite');
  const form = element('form', undefined, [...fields.map(({ label }) => label), button, answer]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    answer.textContent = '';
    const row = await runRow(name, givenIn(fields), ({ text }) => answer.append(text));
    answer.classList.toggle('error', Boolean(row.error));
    answer.textContent = row.error ? errorText(row.error) : JSON.stringify(row.outputs, null, 2);
    button.disabled = false;
  });
  return form;
}

function chatOf({ name, inputs, chat }) {
  const turns = [];
  const said = element('div');
  said.setAttribute('role', 'log');
  said.setAttribute('aria-label', words.chatWith(name));
  const question = element('textarea');
  question.rows = 2;
  const others = inputs.filter((input) => ![chat.input, chat.history].includes(input.name)).map(fieldOf);
  const button = element('button', words.send);
  const asked = element('label', chat.input, [question]);
  const form = element('form', undefined, [said, ...others.map(({ label }) => label), asked, button]);
  const say = (who, text) => {
    const line = element('p', text);
    line.className = who;
    said.append(line);
    return line;
  };
  question.addEventListener('keydown', (event) => {
    // Enter that ends the conversion of Japanese is no Enter of the form.
    // Safari marks the Enter that ends a conversion by this code alone.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    form.requestSubmit(button);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = question.value;
    if (text === '' || button.disabled) return;
    button.disabled = true;
    question.value = '';
    say('user', text);
    const answer = say('flow', '');
    const history = chat.history ? { [chat.history]: turns } : {};
    const { type } = inputs.find((input) => input.name === chat.input);
    const given = { ...givenIn(others), ...history, [chat.input]: readValue(text, type) };
    const row = await runRow(name, given, ({ node, text: piece }) => {
      if (!chat.node || node === chat.node) answer.append(piece);
    });
    answer.classList.toggle('error', Boolean(row.error));
    answer.textContent = answerText(row, chat);
    if (!row.error) turns.push({ inputs: { [chat.input]: text }, outputs: row.outputs });
    button.disabled = false;
    question.focus();
  });
  return form;
}

function sectionOf(flow) {
  const section = element('section', undefined, [element('h2', flow.name), flow.chat ? chatOf(flow) : formOf(flow)]);
  section.dataset.flow = JSON.stringify(flow);
  return section;
}

/** A flow whose inputs are as before keeps what is typed and said. */
function showFlows(flows, mistakes = []) {
  const place = document.getElementById('flows');
  const there = [...place.children];
  place.replaceChildren(
    ...flows.map((flow) => there.find((one) => one.dataset.flow === JSON.stringify(flow)) ?? sectionOf(flow)),
  );
  const shown = mistakes.flatMap(({ flow, text, isServed }) => {
    const told = isServed ? words.served(flow) : words.notServed(flow);
    return [element('p', told), element('pre', text)];
  });
  document.getElementById('mistakes').replaceChildren(...shown);
}

async function show() {
  const told = document.getElementById('told');
  const response = await fetch('flows', { headers: headers() });
  if (response.status === 401) {
    const given = prompt(words.askKey);
    if (given) {
      sessionStorage.setItem('key', given);
      location.reload();
    }
    told.textContent = words.keyNeeded;
    return false;
  }
  const { flows, mistakes } = await response.json();
  told.textContent = '';
  showFlows(flows, mistakes);
  return mistakes !== undefined;
}

/** Only where flows are edited while they are served. */
async function follow() {
  const response = await fetch('flows/changes', { headers: headers() });
  for await (const { event } of eventsOf(response)) if (event === 'changed') await show();
}

if (await show()) await follow();
