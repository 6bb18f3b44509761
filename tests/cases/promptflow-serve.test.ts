import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseOf, filledIn, readServeCases, type ServeCase, type WrittenCase } from './promptflow-serve/case.ts';
import { answerDifferences, matches } from './promptflow-serve/compare-answer.ts';
import { type FakeModelServer, startFakeModelServer } from './promptflow-serve/fake-model-server.ts';
import { ourAnswer, ourStart } from './promptflow-serve/our-answers.ts';
import { sendRequest } from './promptflow-serve/send-request.ts';
import { ServedFlows } from './promptflow-serve/served-flows.ts';

let model: FakeModelServer;
let flows: ServedFlows;

beforeAll(async () => {
  model = await startFakeModelServer();
  flows = new ServedFlows(model.place);
});
afterAll(async () => {
  const codes = await flows.end();
  await model[Symbol.asyncDispose]();
  expect(codes.filter((code) => code !== 0)).toEqual([]);
});

// What its other engine answers otherwise is not followed.
const followed = readServeCases().filter(({ told }) => told.engines.includes('flask'));

for (const one of followed.filter(({ told }) => told.request !== null))
  test(`${one.told.id} (${one.told.feature}): ${one.told.why}`, { timeout: 60_000 }, () => checkAnswer(one));

for (const { told } of followed.filter(({ told: { request } }) => request === null))
  test(`${told.id} (${told.feature}): ${told.why}`, { timeout: 60_000 }, () => checkStart(told));

async function checkAnswer({ text, told }: WrittenCase): Promise<void> {
  const started = await flows.start(told);
  if (started.kind === 'ended') throw new Error(`the server did not start: ${started.text}`);
  const one = caseOf(filledIn(text, { flow_dir: flows.folderOf(told), server: started.place, fake: model.place }));
  if (one.request === null) throw new Error('bug: the case has no request');
  model.taken();
  const answer = await sendRequest(started.place, one.request);
  expect(answerDifferences(ourAnswer(one), answer)).toEqual([]);
  const wanted = one.expect.llm_requests;
  const asked = model.taken();
  if (wanted !== undefined && !matches(wanted, asked)) expect(asked).toEqual(wanted);
}

async function checkStart(one: ServeCase): Promise<void> {
  const started = await flows.start(one);
  const wanted = ourStart(one);
  if (wanted === 'starts') {
    expect(started).toMatchObject({ kind: 'listens' });
    return;
  }
  expect(started).toMatchObject({ kind: 'ended', code: wanted.code, text: expect.stringContaining(wanted.says) });
}
