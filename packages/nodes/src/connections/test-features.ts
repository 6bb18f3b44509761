import {
  type Connection,
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type ModelService,
  redactorOf,
} from '@unroll/engine';

/** What a model does of what was asked of it. */
export interface FeatureTest {
  readonly feature: 'tools' | 'JSON schema' | 'streaming';
  readonly works: boolean;
  /** What came of it, in words. */
  readonly message: string;
}

/** A model, and the API through which it is asked. */
export interface AskedModel {
  readonly api: 'chat' | 'responses';
  readonly model: string;
}

const usualPatienceMs = 60_000;

/**
 * Asks a model, one short request each, whether it calls a tool it is offered, answers in the form of a JSON schema, and gives its
 * answer in pieces. A service charges for them as for any other.
 *
 * @param connection of the service, whose secrets are in nothing that is told
 * @param patienceMs how long each answer is waited for
 */
export async function testFeatures(
  service: ModelService,
  connection: Connection,
  { api, model }: AskedModel,
  signal: AbortSignal,
  patienceMs = usualPatienceMs,
): Promise<readonly FeatureTest[]> {
  const redactor = redactorOf(connection);
  const tests: FeatureTest[] = [];
  for (const { feature, request, judge } of features) {
    const answer = await askOnce(service, api, { model, ...request }, signal, patienceMs);
    const { works, message } = typeof answer === 'string' ? { works: false, message: answer } : judge(answer);
    tests.push({ feature, works, message: redactor.message(message) });
  }
  return tests;
}

/** What came of one request. A model that talks without end streams all the same: its body is null then. */
interface Answer {
  readonly body: JsonValue;
  readonly pieces: number;
}

/** @returns a sentence where there is no answer */
async function askOnce(
  service: ModelService,
  api: AskedModel['api'],
  request: ModelRequest,
  signal: AbortSignal,
  patienceMs: number,
): Promise<Answer | string> {
  let pieces = 0;
  const onText = (): void => {
    pieces += 1;
  };
  const patience = AbortSignal.timeout(patienceMs);
  const streams = request['stream'] === true;
  const call = { signal: AbortSignal.any([signal, patience]), ...(streams ? { onText } : {}) };
  const result = await service.call(api, request, call);
  if (result.ok) return { body: result.reply.body, pieces };
  if (!patience.aborted) return result.error.message;
  return pieces > 1 ? { body: null, pieces } : `it did not end its answer within ${patienceMs / 1000} s`;
}

interface Feature {
  readonly feature: FeatureTest['feature'];
  readonly request: ModelRequest;
  judge(answer: Answer): Pick<FeatureTest, 'works' | 'message'>;
}

const oneText = (name: string): JsonObject => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
  additionalProperties: false,
});

const features: readonly Feature[] = [
  {
    feature: 'tools',
    request: {
      messages: [{ role: 'user', content: 'What is the weather in Paris? Call the tool.' }],
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: 'The weather in a city.', parameters: oneText('city') },
        },
      ],
      tool_choice: 'auto',
    },
    judge: ({ body }) => {
      const calls = isMapping(body) && Array.isArray(body['tool_calls']) ? body['tool_calls'] : [];
      if (calls.length > 0) return { works: true, message: 'it called the tool it was offered' };
      return { works: false, message: 'it answered in words and did not call the tool it was offered' };
    },
  },
  {
    feature: 'JSON schema',
    request: {
      messages: [{ role: 'user', content: 'Name a colour, as JSON.' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'colour', strict: true, schema: oneText('colour') },
      },
    },
    judge: ({ body }) => {
      const works = fits(contentOf(body));
      return { works, message: works ? 'its answer has the form of the schema' : 'its answer has another form' };
    },
  },
  {
    feature: 'streaming',
    request: { messages: [{ role: 'user', content: 'Count from one to ten, in words.' }], stream: true },
    judge: ({ pieces }) =>
      pieces > 1
        ? { works: true, message: `its answer came in ${pieces} pieces` }
        : { works: false, message: 'its answer came in one piece' },
  },
];

function contentOf(body: JsonValue): string {
  if (typeof body === 'string') return body;
  return isMapping(body) && typeof body['content'] === 'string' ? body['content'] : '';
}

function fits(text: string): boolean {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isMapping(value) && typeof value['colour'] === 'string' && Object.keys(value).length === 1;
  } catch {
    return false;
  }
}
