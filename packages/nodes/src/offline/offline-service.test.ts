import type { JsonObject, JsonValue, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { offlineService } from './offline-service.ts';

const service = offlineService();
const signal = new AbortController().signal;
const parameters = { type: 'object', properties: {} };
const functions = [
  { name: 'guide_search', parameters },
  { name: 'faq_search', parameters },
];
const system = { role: 'system', content: 'Use faq_search first, then guide_search.' };

async function answer(request: ModelRequest): Promise<JsonObject> {
  const result = await service.call('chat', request, { signal });
  if (!result.ok) return expect.fail('the stand-in does not fail');
  return result.reply.body as JsonObject;
}

function conversation(question: string, ...more: readonly JsonValue[]): ModelRequest {
  return { messages: [system, { role: 'user', content: question }, ...more], functions };
}

function hits(name: string, ...passages: readonly JsonValue[]): JsonValue {
  return { role: 'function', name, content: JSON.stringify(passages) };
}

const refund = { id: 'faq-3', title: 'Refund period', text: 'The refund period is thirty days.' };
const parking = { id: 'faq-9', title: 'Parking', text: 'Cars stay behind the house.' };

test('the function that the prompt names first is called first', async () => {
  const { function_call: call } = await answer(conversation('How long is the refund period?'));
  expect(call).toMatchObject({ name: 'faq_search' });
  expect(JSON.parse((call as { arguments: string }).arguments)).toMatchObject({
    query: expect.stringContaining('refund'),
  });
});

test('hits that answer are quoted, with a note that no model answered', async () => {
  const { content } = await answer(conversation('How long is the refund period?', hits('faq_search', parking, refund)));
  expect(content).toContain('faq-3');
  expect(content).toContain('thirty days');
  expect(content).toContain('offline stand-in');
});

test('hits that do not answer lead to the next function, then to an honest no', async () => {
  const question = 'How long is the refund period?';
  const next = await answer(conversation(question, hits('faq_search', parking)));
  expect(next['function_call']).toMatchObject({ name: 'guide_search' });
  const { content } = await answer(conversation(question, hits('faq_search', parking), hits('guide_search')));
  expect(content).toContain('Nothing that answers the question was found');
  expect(content).not.toContain('Nearest');
});

test('where no hit answers, the nearest of each search is shown as such, for a reader to judge', async () => {
  const answered = { id: 'faq-7', title: 'Disclosure requests', text: 'They are answered without delay.' };
  const withheld = {
    id: 'guide-2',
    title: 'May a visit be refused?',
    text: `A shop\nmay refuse. ${'It may. '.repeat(40)}`,
  };
  const found = [hits('faq_search', parking, answered), hits('guide_search', withheld)];
  const { content } = await answer(
    conversation('Can a shop in Osaka by a river in winter refuse a disclosure on Sundays?', ...found),
  );
  expect(content).toContain('Nothing that answers');
  expect(content).toContain(
    '\nNearest by their words:\n- Disclosure requests: They are answered without delay.\n- May a visit be refused? A shop may refuse.',
  );
  expect(content).toContain('It may. I…\n');
});

test('hits that answer with a doubt lead to the next function; the best of all is quoted', async () => {
  const question = 'Must a stolen parcel be reported?';
  const found = { id: 'faq-5', title: 'Reports', text: 'Damage is reported.' };
  const better = { id: 'guide-4', title: 'A parcel that was stolen', text: 'It is reported to us.' };
  const next = await answer(conversation(question, hits('faq_search', found)));
  expect(next['function_call']).toMatchObject({ name: 'guide_search' });
  for (const second of [better, parking]) {
    const { content } = await answer(conversation(question, hits('faq_search', found), hits('guide_search', second)));
    expect(content).toContain(second === better ? 'guide-4' : 'Nothing that answers');
  }
});

test('an entry with a title on something else gives way to one that is titled as asked', async () => {
  const question = 'How long is a parcel kept?';
  const other = { id: 'faq-6', title: 'Lost letters and where to ask for them', text: 'A parcel is kept for a week.' };
  const asked = { id: 'faq-7', title: 'Keeping of parcels', text: 'A parcel is kept for a week.' };
  const { content } = await answer(conversation(question, hits('faq_search', other, asked)));
  expect(content).toContain('faq-7');
});

test('what the instructions are about says little: without it an entry answers, and it alone is too little', async () => {
  const about = { role: 'system', content: 'You answer questions on the Parcel Act (PA) of Japan. Use faq_search.' };
  const fees = { id: 'faq-8', title: 'Fees of customs', text: 'They are paid to the post.' };
  const ask = (question: string) =>
    answer({
      messages: [about, { role: 'user', content: question }, hits('faq_search', fees)],
      functions: functions.slice(1),
    });
  expect((await ask('What are the fees of customs under the PA in Japan?'))['content']).toContain('faq-8');
  expect((await ask('How many trees are there in Japan?'))['content']).toContain('Nothing that answers');
});

test('a passage that lacks what the question names is no answer, however common the rest of it is', async () => {
  const question = 'Is consent needed for cookies?';
  const others = [
    { id: 'a', title: 'Consent for transfers', text: 'Consent is needed for transfers.' },
    { id: 'b', title: 'Consent for minors', text: 'Consent of parents is needed.' },
    { id: 'c', title: 'Withdrawal', text: 'Consent may be withdrawn.' },
  ];
  const { function_call: call } = await answer(conversation(question, hits('faq_search', ...others)));
  expect(call).toMatchObject({ name: 'guide_search' });
});

test.for([
  ['What is anonymized information?', 'anonymised'],
  ['What is anonymised information?', 'anonymized'],
  ['What is anonymous information?', 'anonymously processed'],
])('a word in the other spelling or form of English is the same word: %s', async ([question = '', word]) => {
  const related = {
    id: 'gl-069',
    title: 'Definition of related information',
    text: 'Information about an individual.',
  };
  const asked = { id: 'gl-070', title: `Definition of ${word} information`, text: 'Nobody can be identified.' };
  const { content } = await answer(conversation(question, hits('faq_search', related, asked)));
  expect(content).toContain('gl-070');
});

test('of several hits the one that holds most of the question is quoted, not the first that holds half', async () => {
  const period = { id: 'faq-1', title: 'Trial period', text: 'The trial period is a week.' };
  const { content } = await answer(conversation('How long is the refund period?', hits('faq_search', period, refund)));
  expect(content).toContain('faq-3');
});

test('hits that stand in the prompt and do not answer are told as such, not received', async () => {
  const ask = (content: string) =>
    answer({
      messages: [
        { role: 'system', content },
        { role: 'user', content: 'What is the refund period?' },
      ],
    });
  const told = await ask('Answer from this.\n\n[1] Parking\nCars stay behind the house.');
  expect(told['content']).toContain('Nothing that answers the question was found');
  const without = await ask('Answer from this.\n\nNo passage was found.');
  expect(without['content']).toContain('Nothing that answers the question was found');
  expect((await ask('Answer briefly.'))['content']).toContain('Received: What is the refund period?');
});

const tools = functions.map((one) => ({ type: 'function', function: one }));

test('parts of a question are searched in one turn, and what is open of them is told', async () => {
  const question = 'What is the refund period, and what is the parking fee?';
  const messages = [system, { role: 'user', content: question }];
  const { tool_calls: calls } = await answer({ messages, tools });
  const asked = (calls as readonly JsonObject[]).map((call) =>
    JSON.parse((call['function'] as { arguments: string }).arguments),
  );
  expect(asked).toEqual([
    { query: 'What is the refund period reimbursement reimburse term duration' },
    { query: 'what is the parking fee charge cost price pay payment paid' },
  ]);
  const made = ['faq_search', 'guide_search'].flatMap((name) => [
    { role: 'assistant', tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: name, content: JSON.stringify(name === 'faq_search' ? [refund] : []) },
  ]);
  const { content } = await answer({ messages: [...messages, ...made], tools });
  expect(content).toContain('thirty days');
  expect(content).toContain('Nothing was found for "what is the parking fee?"');
});

async function answerInParts(question: string, ...passages: readonly JsonValue[]): Promise<JsonValue> {
  const made = ['faq_search', 'guide_search'].flatMap((name) => [
    { role: 'assistant', tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: name, content: JSON.stringify(name === 'faq_search' ? passages : []) },
  ]);
  const { content } = await answer({ messages: [system, { role: 'user', content: question }, ...made], tools });
  return content ?? '';
}

test('an answer of several entries says once, at its end, that no model answered', async () => {
  const fee = { id: 'faq-4', title: 'Parking fee', text: 'The parking fee is 300 yen.' };
  const content = await answerInParts('What is the refund period, and what is the parking fee?', refund, fee);
  expect(content).toMatch(
    /^According to "faq-3[^(]*\nAccording to "faq-4[^(]*\n\(Answered by the offline stand-in[^(]*$/u,
  );
});

test('of what is quoted for one part it is not said that nothing was found for another', async () => {
  const shared = {
    id: 'faq-28',
    title: 'Joint accounts of group companies',
    text: 'Tell the name of who is responsible for accounts.',
  };
  const question = 'What must a formal notice of joint accounts contain, and who is responsible for accounts?';
  const content = await answerInParts(question, shared, parking);
  expect(content).toContain('faq-28');
  expect(content).toContain('it does not mention "formal", "notice", "contain"');
  expect(content).not.toContain('Nothing was found');
});

test('a calculator is given the calculation, and a tool that acts is not called for a name alone', async () => {
  const numbers = {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  };
  const host = { type: 'object', properties: { host: { type: 'string', enum: ['web1'] } }, required: ['host'] };
  const offered = [
    { type: 'function', function: { name: 'multiply', description: 'Multiplies.', parameters: numbers } },
    { type: 'function', function: { name: 'restart', description: 'Restarts a machine.', parameters: host } },
  ];
  const ask = (content: string) => answer({ messages: [{ role: 'user', content }], tools: offered });
  expect((await ask("What's 3 times 2?"))['tool_calls']).toMatchObject([
    { function: { name: 'multiply', arguments: '{"a":3,"b":2}' } },
  ]);
  expect(await ask('Tell me about web1')).toMatchObject({ content: expect.stringContaining('Nothing that answers') });
});

test('the reply to its own question is read with what was asked before', async () => {
  const product = {
    type: 'object',
    properties: { code: { type: 'string', pattern: '^[A-Z]-\\d{3}$' } },
    required: ['code'],
  };
  const stock = { name: 'get_stock', description: 'Stock of a product.', parameters: product };
  const price = {
    name: 'get_price',
    description: 'Price.',
    parameters: { type: 'object', properties: { count: { type: 'integer' } } },
  };
  const { tool_calls: calls } = await answer({
    messages: [
      { role: 'user', content: 'How many are in stock?' },
      { role: 'assistant', content: 'Product code?' },
      { role: 'user', content: 'A-110' },
    ],
    tools: [stock, price].map((one) => ({ type: 'function', function: one })),
  });
  expect(calls).toMatchObject([{ function: { name: 'get_stock', arguments: '{"code":"A-110"}' } }]);
});

test('a greeting is answered without a search, in its language', async () => {
  expect(await answer(conversation('こんにちは'))).toMatchObject({ content: expect.stringContaining('こんにちは。') });
  expect(await answer(conversation('Thanks!'))).toMatchObject({ content: expect.stringContaining('You are welcome.') });
});

test.for([
  'What can you do?',
  'hi there, what can you do?',
  'Who are you?',
  'こんにちは、何ができますか',
  'あなたは誰ですか？',
  'Who are you and what can you do?',
  'あなたは誰で、何ができますか',
])('asked about itself it names what it answers with: %s', async (question) => {
  const { content } = await answer(conversation(question));
  expect(content).toMatch(/\n- faq_search\n- guide_search\n/u);
});

test.for(['What can you do with personal data?', '委託先は何ができますか'])(
  'on something else it searches: %s',
  async (question) => {
    expect((await answer(conversation(question)))['function_call']).toMatchObject({ name: 'faq_search' });
  },
);

test.for<JsonValue>([
  null,
  'none',
  [],
  { type: 'object', properties: null },
  { type: 'object', properties: [1] },
  { type: 'object', properties: { query: null }, required: ['query'] },
  { type: 'object', properties: { query: true, other: 'text' }, required: 'query' },
  { type: 'object', properties: { query: { type: 'string', enum: [null] } }, required: [null] },
])('a schema of a tool that is none is no mistake of the stand-in: %j', async (parameters) => {
  const search = { name: 'faq_search', parameters };
  const [asked] = [{ role: 'user', content: 'How long is the refund period for A-110?' }];
  const free = await answer({ messages: [asked], functions: [search] });
  expect(free).toMatchObject({ role: 'assistant' });
  const forced = await answer({ messages: [asked], functions: [search], function_call: { name: 'faq_search' } });
  expect(forced['function_call']).toMatchObject({ name: 'faq_search' });
  const tools = [{ type: 'function', function: search }];
  expect(await answer({ messages: [asked], tools })).toMatchObject({ role: 'assistant' });
});

test('tools are called with an id; a chosen one is called', async () => {
  const messages = [system, { role: 'user', content: 'Where do cars stay?' }];
  const { tool_calls: calls } = await answer({
    messages,
    tools,
    tool_choice: { type: 'function', function: { name: 'guide_search' } },
  });
  expect(calls).toMatchObject([{ id: 'call_1', type: 'function', function: { name: 'guide_search' } }]);
});

test('JSON is given where JSON is asked for', async () => {
  const { content } = await answer({ ...conversation('Hello?'), response_format: { type: 'json_object' } });
  expect(JSON.parse(content as string)).toMatchObject({ offline: true });
});

test('an embedding is the same each time, of length one, nearer for words shared', async () => {
  const embed = async (input: string): Promise<readonly number[]> => {
    const result = await service.call('embedding', { input }, { signal });
    return result.ok ? (result.reply.body as readonly number[]) : [];
  };
  const dot = (left: readonly number[], right: readonly number[]): number =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
  const [one, same, near, far] = await Promise.all(
    ['refund period', 'refund period', 'period of a refund', 'garden party'].map(embed),
  );
  expect(one).toEqual(same);
  expect(one).toHaveLength(1024);
  expect(dot(one ?? [], one ?? [])).toBeCloseTo(1);
  expect(dot(one ?? [], near ?? [])).toBeGreaterThan(dot(one ?? [], far ?? []));
});

test.for([
  {
    question: '漏えいの報告は？',
    content: '[a] 漏えいの報告\n委員会に報告する。\n\n[b] 委託\n監督する。',
    told: 'took a, which fits by 88 %: holds 100 % of what is asked for (漏えい, 報告); the next best 0 %; 35 % is enough',
  },
  { question: '漏えいの報告は？', content: '[b] 委託\n監督する。', told: 'no hit of 1 holds a word that is asked for' },
  {
    question: 'Parental leave for contractors?',
    content: '[c] Leave\nAnnual leave.',
    told: 'took no hit, the best is c, which fits by 50 %: holds 33 % of what is asked for (leave); not Parental, contractors; one word alone is too little',
  },
  {
    question: 'データが漏れたとき、誰へ報告しますか',
    content: '[d] データ\n正確に保つ。\n\n[e] 報告\n報告する。\n\n[f] 報告\n報告する。',
    told: 'took no hit, the best is e, which fits by 55 %: holds 42 % of what is asked for (報告); not 漏れ, 誰; the next best 55 %; one word alone is too little',
  },
  {
    question: '個人情報を落としたらどうしますか',
    content: '[g] 亡くなった人\n遺族の個人情報として扱う。\n\n[h] 定義\n個人情報の定義。\n\n[i] 範囲\n個人情報の範囲。',
    told: 'took no hit, the best is g, which fits by 40 %: holds 40 % of what is asked for (個人情報); not 落とし; the next best 40 %; one word alone is too little',
  },
])('which hit was taken, and why, is told beside the answer: $told', async ({ question, content, told }) => {
  const messages = [
    { role: 'user', content: question },
    { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
    { role: 'function', name: 'find', content },
  ];
  const functions = [{ name: 'find', parameters: { properties: { query: { type: 'string' } } } }];
  const result = await offlineService().call('chat', { messages, functions }, { signal: new AbortController().signal });
  expect(result.ok && result.reply.explanation).toBe(`"${question}": ${told}`);
  expect(JSON.stringify(result.ok && result.reply.body)).not.toContain('is enough');
});

test('a function that is asked for by name is given what its parameters are called', async () => {
  const states = ['初回要件確認', '追加要件確認'];
  const parameters = { type: 'object', properties: { 状態: { type: 'string', enum: states } }, required: ['状態'] };
  const { function_call: call } = await answer({
    messages: [{ role: 'user', content: '追加の要件を確認したい' }],
    functions: [{ name: 'sort_request', parameters }],
    function_call: { name: 'sort_request' },
  });
  expect(call).toEqual({ name: 'sort_request', arguments: '{"状態":"追加要件確認"}' });
});

test('of a question with two parts the one that no tool is for is told', async () => {
  const host = { type: 'object', properties: { host: { type: 'string', enum: ['db01'] } }, required: ['host'] };
  const tools = [
    { type: 'function', function: { name: 'alerts', description: 'critical alerts of all servers', parameters } },
    { type: 'function', function: { name: 'restarts', description: 'when a host was restarted', parameters: host } },
  ];
  const question = 'Is the coffee machine clean, and are there critical alerts?';
  const { content } = await answer({
    messages: [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'alerts', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'none' },
    ],
    tools,
  });
  expect(content).toContain('- alerts: none\nNothing was found for "Is the coffee machine clean".');
});
