import {
  type JsonObject,
  type NodeError,
  type NodeOutcome,
  type Redactor,
  redactorOf,
  type ServiceDetails,
} from '@unroll/engine';
import {
  askService,
  firstIssue,
  type HttpAnswer,
  hostOf,
  maySucceedLater,
  quoted,
  readJson,
  serviceDetails,
  userError,
} from '@unroll/nodes/building-blocks';
import * as z from 'zod';
import type { BuiltInTool, ToolNode } from './built-in-tool.ts';

/**
 * `promptflow.tools.azure_content_safety.analyze_text`: how harmful a text is, by Azure AI Content Safety
 * (https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text).
 */
export const contentSafetyTool: BuiltInTool = {
  name: 'Content Safety (Text Analyze)',
  takesPrompt: false,
  required: ['connection'],
  inputs: {
    connection: ['AzureContentSafetyConnection'],
    hate_category: ['string'],
    self_harm_category: ['string'],
    sexual_category: ['string'],
    text: ['string'],
    violence_category: ['string'],
  },
  get choices() {
    return Object.fromEntries(categories.map(({ input }) => [input, Object.keys(thresholds)]));
  },
  deprecatedIds: ['content_safety_text.tools.content_safety_text_tool.analyze_text'],
  prepare: async (given) => (inputs, call) => analyze(given, inputs, call.signal),
};

const categories = [
  { name: 'Hate', input: 'hate_category', older: 'hateResult' },
  { name: 'SelfHarm', input: 'self_harm_category', older: 'selfHarmResult' },
  { name: 'Sexual', input: 'sexual_category', older: 'sexualResult' },
  { name: 'Violence', input: 'violence_category', older: 'violenceResult' },
] as const;

/** The least severity, of 0 to 6, that is rejected; -1: none. */
const thresholds: Readonly<Record<string, number>> = {
  disable: -1,
  low_sensitivity: 6,
  medium_sensitivity: 4,
  high_sensitivity: 2,
};

async function analyze({ connection }: ToolNode, inputs: JsonObject, signal: AbortSignal): Promise<NodeOutcome> {
  const key = connection?.secrets['api_key'] ?? '';
  const { endpoint = '', api_version: version = newForm } = connection?.configs ?? {};
  const url = `${endpoint.replace(/\/$/, '')}/contentsafety/text:analyze?api-version=${encodeURIComponent(version)}`;
  const result = await askService({
    method: 'POST',
    url,
    headers: {
      'Ocp-Apim-Subscription-Key': key,
      'Content-Type': 'application/json',
      'ms-azure-ai-sender': 'prompt_flow',
    },
    body: JSON.stringify({ text: inputs['text'] ?? null, blocklistNames: [] }),
    signal,
  });
  if (!result.ok) {
    const { message, retryable, service } = result;
    return { ok: false, canceled: signal.aborted, error: undetected(message, retryable, service) };
  }
  const detected = readDetection(
    result.answer,
    hostOf(url),
    redactorOf(...(connection === undefined ? [] : [connection])),
  );
  return 'error' in detected ? { ok: false, error: detected.error } : decide(detected.body, inputs, version);
}

const detection = z.looseObject({ severity: z.int().min(0).max(7).nullish() });
const listed = z.array(z.unknown()).nullish();
const answer = z.looseObject({
  error: z.undefined().optional(),
  categoriesAnalysis: z.array(detection.extend({ category: z.string() })).nullish(),
  blocklistsMatch: listed,
  blocklistsMatchResults: listed,
  hateResult: detection.optional(),
  selfHarmResult: detection.optional(),
  sexualResult: detection.optional(),
  violenceResult: detection.optional(),
});
type DetectedBody = z.infer<typeof answer>;
type Detection = { readonly body: DetectedBody } | { readonly error: NodeError };

/** What cannot be read is never taken for harmless. */
function readDetection({ status, text }: HttpAnswer, host: string | undefined, redactor: Redactor): Detection {
  const json = readJson(text);
  const read = answer.safeParse(json);
  if (status === 200 && read.success) return { body: read.data };
  const errorMessage = (json as { readonly error?: { readonly message?: unknown } | null } | null | undefined)?.error
    ?.message;
  const said = typeof errorMessage === 'string' ? errorMessage : text;
  const service = serviceDetails({ host, status, said: quoted(said, (words) => redactor.message(words)) });
  if (status === 200 && typeof errorMessage !== 'string' && !read.success) {
    return { error: undetected(`the answer cannot be used: ${firstIssue(read.error)}`, true, service) };
  }
  const words = said === '' ? `HTTP ${status}` : said;
  return { error: undetected(words, status === 200 || maySucceedLater(status), service) };
}

function undetected(message: string, retryable: boolean, service: ServiceDetails): NodeError {
  return { ...systemError(`Error in detecting content: ${message}`, retryable), service };
}

function decide(body: DetectedBody, inputs: JsonObject, version: string): NodeOutcome {
  const actions: Record<string, string> = {};
  for (const category of categories) {
    const action = actionOf(category, body, inputs, version);
    if (typeof action !== 'string') return { ok: false, error: action };
    actions[category.name] = action;
  }
  const matches = body[version === newForm ? 'blocklistsMatch' : 'blocklistsMatchResults'] ?? [];
  const isListed = matches.length > 0;
  const isRejected = isListed || Object.values(actions).includes('Reject');
  return { ok: true, output: { suggested_action: isRejected ? 'Reject' : 'Accept', action_by_category: actions } };
}

/** The version whose answers list their categories; older ones have a member for each. */
const newForm = '2023-10-01';

function actionOf(
  { name, input, older }: (typeof categories)[number],
  body: DetectedBody,
  inputs: JsonObject,
  version: string,
): string | NodeError {
  const threshold = thresholds[String(inputs[input] ?? 'medium_sensitivity')];
  if (threshold === undefined) return inputError('RejectThreshold can only be in (-1, 0, 2, 4, 6)');
  const found = version === newForm ? ofCategory(body, name) : body[older];
  if (found === undefined && version === newForm) return inputError(`Invalid Category Category.${name}`);
  const severity = found?.severity ?? undefined;
  if (severity === undefined) return systemError(`Can not find detection result for Category.${name}`, false);
  return threshold !== -1 && severity >= threshold ? 'Reject' : 'Accept';
}

function ofCategory({ categoriesAnalysis }: DetectedBody, name: string): z.infer<typeof detection> | undefined {
  return categoriesAnalysis?.find(({ category }) => category === name);
}

function systemError(message: string, retryable: boolean): NodeError {
  const code = 'AzureContentSafetySystemError';
  return { code, message, retryable };
}

function inputError(message: string): NodeError {
  return userError('AzureContentSafetyInputValueError', message);
}
