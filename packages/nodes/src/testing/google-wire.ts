import { googleProblem } from './check-google-request.ts';
import {
  type Asked,
  dataEvents,
  type Ended,
  endOf,
  given,
  type Json,
  list,
  pieces,
  type Said,
  spent,
  type Wire,
} from './wire.ts';

const reasons: Readonly<Record<Ended, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
};

/** Tokens of thoughts are counted beside those of the answer. */
const usageMetadata = {
  promptTokenCount: spent.input,
  cachedContentTokenCount: spent.cached,
  candidatesTokenCount: spent.output - spent.reasoning,
  thoughtsTokenCount: spent.reasoning,
  totalTokenCount: spent.input + spent.output,
};

export const googleWire: Wire = {
  base: '/v1beta',
  model: 'gemini-3.5-flash',
  tells: { cached: true, reasoning: true },
  ends: ['stop', 'length', 'tool_calls', 'content_filter'],
  fetchesImages: true,
  problem: ({ path, headers, body }) => googleProblem(path, headers, body),
  refusal: (message, code) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } }),
  asked,
  whole: (said, { model }) => answer(partsOf(said), reasons[endOf(said)], model),
  stream(said, { model }) {
    const parts = partsOf(said).flatMap((part) =>
      typeof part['text'] === 'string' ? pieces(part['text']).map((text) => ({ ...part, text })) : [part],
    );
    const last = parts.length - 1;
    return dataEvents(parts.map((part, at) => answer([part], at === last ? reasons[endOf(said)] : undefined, model)));
  },
};

function answer(parts: readonly Json[], finishReason: string | undefined, modelVersion: unknown): object {
  const candidate = { content: { role: 'model', parts }, index: 0, ...given({ finishReason }) };
  return { candidates: [candidate], usageMetadata, modelVersion, responseId: 'r1' };
}

function partsOf({ text, thought, calls = [] }: Said): readonly Json[] {
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input: args }) => ({ functionCall: { id, name, args } })),
  ];
}

function asked(body: Json): Asked {
  const of = (role: string): readonly Json[] =>
    list(body['contents'])
      .filter((one) => one['role'] === role)
      .flatMap(({ parts }) => list(parts));
  const { temperature, topP, topK, maxOutputTokens, stopSequences, seed, presencePenalty, frequencyPenalty, ...form } =
    (body['generationConfig'] ?? {}) as Json;
  const { responseMimeType, responseSchema, responseJsonSchema } = form;
  const schema = responseJsonSchema ?? responseSchema;
  const tools = list(body['tools']).flatMap((one) => list(one['functionDeclarations']));
  const { mode = 'AUTO', allowedFunctionNames: names } = ((body['toolConfig'] as Json | undefined)?.[
    'functionCallingConfig'
  ] ?? {}) as Json;
  return {
    system: list((body['systemInstruction'] as Json | undefined)?.['parts'])
      .map(({ text }) => text)
      .join('\n'),
    texts: of('user').flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    images: of('user').flatMap(({ inlineData, fileData }) =>
      imagesIn(inlineData as Json | undefined, fileData as Json | undefined),
    ),
    calls: of('model').flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [callIn(functionCall as Json)],
    ),
    results: of('user').flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [resultIn(functionResponse as Json)],
    ),
    tools: tools.map(({ name, description, parameters, parametersJsonSchema }) => ({
      name,
      description,
      parameters: parametersJsonSchema ?? parameters,
    })),
    choice: choiceOf(String(mode), names),
    schema,
    settings: given({
      ...{ temperature, top_p: topP, top_k: topK, max_tokens: maxOutputTokens, stop: stopSequences, seed },
      ...{ presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty },
      response_format:
        responseMimeType === 'application/json' && schema === undefined ? { type: 'json_object' } : undefined,
    }),
  };
}

function choiceOf(mode: string, names: unknown): string {
  const [only] = (names ?? []) as readonly string[];
  return only ?? { AUTO: 'auto', ANY: 'required', NONE: 'none' }[mode] ?? mode;
}

function imagesIn(inline: Json | undefined, file: Json | undefined): readonly string[] {
  if (inline !== undefined) return [`data:${inline['mimeType']};base64,${inline['data']}`];
  return file === undefined ? [] : [String(file['fileUri'])];
}

function callIn({ id, name, args }: Json) {
  return { id: String(id), name: String(name), input: args as Json };
}

function resultIn({ response }: Json): string {
  return String((response as Json)['content']);
}
