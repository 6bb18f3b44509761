import type { NodeError, NodeOutcome, Value, Values } from '@unroll/engine';
import { askService, type HttpAnswer, readJson } from '../http/ask-service.ts';
import { userError } from '../llm/tool-error.ts';
import type { BuiltInTool, ToolNode } from './built-in-tool.ts';

/**
 * `promptflow.tools.azure_content_safety.analyze_text`: how harmful a text is, by Azure AI Content Safety
 * (https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text).
 */
export const contentSafetyTool: BuiltInTool = {
  name: 'Content Safety (Text Analyze)',
  takesPrompt: false,
  inputs: {
    connection: ['AzureContentSafetyConnection'],
    hate_category: ['string'],
    self_harm_category: ['string'],
    sexual_category: ['string'],
    text: ['string'],
    violence_category: ['string'],
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

async function analyze({ connection }: ToolNode, inputs: Values, signal: AbortSignal): Promise<NodeOutcome> {
  const key = connection?.secrets['api_key'] ?? '';
  const { endpoint = '', api_version: version = newForm } = connection?.configs ?? {};
  const result = await askService({
    method: 'POST',
    url: `${endpoint.replace(/\/$/, '')}/contentsafety/text:analyze?api-version=${encodeURIComponent(version)}`,
    headers: {
      'Ocp-Apim-Subscription-Key': key,
      'Content-Type': 'application/json',
      'ms-azure-ai-sender': 'prompt_flow',
    },
    body: JSON.stringify({ text: inputs['text'] ?? null, blocklistNames: [] }),
    signal,
  });
  if (!result.ok) return { ok: false, error: systemError(`Error in detecting content: ${result.message}`, true) };
  const detected = readDetection(result.answer);
  return 'error' in detected ? { ok: false, error: detected.error } : decide(detected.body, inputs, version);
}

type Detection = { readonly body: Values } | { readonly error: NodeError };

function readDetection({ status, text }: HttpAnswer): Detection {
  const body = readJson(text) as Values | undefined;
  if (status === 200 && typeof body === 'object' && body !== null) return { body };
  const told = (body?.['error'] as Values | undefined)?.['message'] ?? text;
  const message = `Error in detecting content: ${String(told)}`;
  return { error: systemError(message, status >= 500 || status === 429) };
}

function decide(body: Values, inputs: Values, version: string): NodeOutcome {
  const actions: Record<string, string> = {};
  for (const category of categories) {
    const action = actionOf(category, body, inputs, version);
    if (typeof action !== 'string') return { ok: false, error: action };
    actions[category.name] = action;
  }
  const listed = body[version === newForm ? 'blocklistsMatch' : 'blocklistsMatchResults'];
  const isListed = Array.isArray(listed) && listed.length > 0;
  const isRejected = isListed || Object.values(actions).includes('Reject');
  return { ok: true, output: { suggested_action: isRejected ? 'Reject' : 'Accept', action_by_category: actions } };
}

/** The version whose answers list their categories; older ones have a member for each. */
const newForm = '2023-10-01';

function actionOf(
  { name, input, older }: (typeof categories)[number],
  body: Values,
  inputs: Values,
  version: string,
): string | NodeError {
  const threshold = thresholds[String(inputs[input] ?? 'medium_sensitivity')];
  if (threshold === undefined) return inputError('RejectThreshold can only be in (-1, 0, 2, 4, 6)');
  const found = version === newForm ? ofCategory(body, name) : (body[older] as Values | undefined);
  if (found === undefined && version === newForm) return inputError(`Invalid Category Category.${name}`);
  const severity = found?.['severity'];
  if (severity === undefined) return systemError(`Can not find detection result for Category.${name}`, false);
  return threshold !== -1 && Number(severity) >= threshold ? 'Reject' : 'Accept';
}

function ofCategory(body: Values, name: string): Values | undefined {
  const found = (body['categoriesAnalysis'] ?? []) as readonly Value[];
  return found.find((one) => (one as Values)['category'] === name) as Values | undefined;
}

function systemError(message: string, retryable: boolean): NodeError {
  const code = 'AzureContentSafetySystemError';
  return { code, message, retryable, codes: ['SystemError', code] };
}

function inputError(message: string): NodeError {
  return userError('AzureContentSafetyInputValueError', message);
}
