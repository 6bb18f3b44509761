import {
  Float,
  isMapping,
  type JsonValue,
  type ModelCall,
  type ModelReply,
  type ModelRequest,
  type ModelResult,
  type ModelService,
  type NodeCall,
  type NodeDefinition,
  type NodeOutcome,
  type NodeReport,
  type Usage,
} from '@unroll/engine';
import { emptyAnswerText } from '../openai/end-warnings.ts';
import type { Api } from './api-parameters.ts';
import { callWithRetries, defaultRetryRule, type RetriedCall, type RetryRule } from './call-with-retries.ts';
import { chatOutput } from './chat-output.ts';
import { type Clock, ConcurrencyLimiters, systemClock } from './concurrency-limiter.ts';
import { passesOn } from './passes-on.ts';
import type { RequestForm } from './request-form.ts';
import { withoutEncryptedThoughts } from './without-encrypted-thoughts.ts';

/** One call of a model for a node, with what its tries have in common. */
export interface Question {
  readonly service: ModelService;
  readonly form: RequestForm;
  readonly api: Api;
  readonly request: ModelRequest;
  /** Which tool asks, for the service's own books: `aoai-tool`. */
  readonly calledFrom: string;
  readonly flowId: string;
  readonly connection: string;
  readonly rule: RetryRule;
  /** Whether the answer is the whole message, where functions or tools were given. */
  readonly wantsMessage: boolean;
  /** Makes the node's output of the service's reply, instead of what `wantsMessage` says. */
  readonly read?: (reply: ModelReply) => JsonValue;
  /** Who is asked in turn where the one before could not answer, each with its own request. */
  readonly fallbacks?: readonly AskedFallback[];
  /** Takes back the text that was handed on, so that a stream that broke off can be asked for again. */
  readonly takeBack?: () => void;
}

/** Another connection, and what it is asked. */
export interface AskedFallback extends Pick<Question, 'service' | 'form' | 'request' | 'connection'> {
  readonly connectionType: string;
}

/** Asks models, again where that may help; calls on one connection wait together. */
export class ModelAsker {
  private readonly clock: Clock;
  private readonly gates: ConcurrencyLimiters;
  private readonly headers = new Map<string, Readonly<Record<string, string>>>();

  constructor(clock: Clock = systemClock, gates = new ConcurrencyLimiters()) {
    this.clock = clock;
    this.gates = gates;
  }

  async ask(question: Question, call: NodeCall): Promise<NodeOutcome> {
    const { fallbacks = [], takeBack } = question;
    const own = await this.askOne(question, call, { isFirst: true, isLast: fallbacks.length === 0 });
    let asked: AskedOne = own;
    for (const [index, fallback] of fallbacks.entries()) {
      const { result, isHandedOn, attempts } = asked;
      if (result.ok || isHandedOn || call.signal.aborted || !passesOn(result)) break;
      takeBack?.();
      const turn = { isFirst: false, isLast: index === fallbacks.length - 1 };
      const next = await this.askOne({ ...question, ...fallback }, call, turn);
      const who = { connection: fallback.connection, model: String(fallback.request['model'] ?? '') };
      asked = {
        ...next,
        result: withoutThoughts(next.result),
        attempts: [...attempts, ...next.attempts.map((one) => ({ ...one, fallback: who }))],
        billedAs: { connectionType: fallback.connectionType, model: who.model },
      };
    }
    return outcomeOf(asked, question, call.signal);
  }

  private askOne(question: Question, call: NodeCall, turn: Required<ModelCall>['turn']): Promise<AskedOne> {
    const { service, api, request, rule, connection, takeBack, fallbacks = [] } = question;
    const gate = this.gates.of(connection);
    const { signal, onText, countsTokens = false, onCallFailed } = call;
    const headers = this.headersOf(question, call.runId);
    const caller = { node: call.node, line: call.line, repeat: call.repeat ?? 0 };
    const { redactor } = call;
    const known = redactor === undefined ? {} : { redactor };
    const modelCall = {
      signal,
      headers,
      caller,
      ...known,
      ...(fallbacks.length === 0 ? {} : { turn }),
      ...(onText === undefined ? {} : { onText, countsTokens }),
    };
    return callWithRetries(service, api, request, modelCall, {
      rule: turn.isLast ? rule : { ...rule, times: rule.timesBeforeFallback ?? rule.times },
      gate,
      clock: this.clock,
      ...(onCallFailed === undefined ? {} : { onCallFailed }),
      ...(takeBack === undefined ? {} : { takeBack }),
    });
  }

  /** One object for all calls that send the same. */
  private headersOf(question: Question, runId: string): Readonly<Record<string, string>> {
    const { flowId, calledFrom, form } = question;
    const key = `${runId}\n${flowId}\n${calledFrom}\n${form}`;
    const known = this.headers.get(key);
    if (known !== undefined) return known;
    if (this.headers.size >= maxHeaders) this.headers.clear();
    const headers = requestHeaders(question, runId);
    this.headers.set(key, headers);
    return headers;
  }
}

const maxHeaders = 100;

/** Where the author says nothing: who stands by should not be kept waiting for minutes. */
const timesBeforeFallback = 2;

/** `retry: {times, wait_seconds}` of a node. */
export function retryRule(node: NodeDefinition): RetryRule {
  const { times, wait_seconds: wait } = (node.settings['retry'] ?? {}) as { times?: number; wait_seconds?: number };
  const firstWaitSeconds = wait ?? defaultRetryRule.firstWaitSeconds;
  if (times !== undefined) return { times, firstWaitSeconds };
  return { ...defaultRetryRule, firstWaitSeconds, timesBeforeFallback };
}

function requestHeaders({ form, flowId, calledFrom }: Question, runId: string): Readonly<Record<string, string>> {
  const flow = { execution_target: 'dag', flow_id: flowId, root_run_id: runId };
  const headers = { 'x-ms-useragent': 'unroll', 'ms-azure-ai-promptflow': asciiJson(flow) };
  return form === 'azure' ? { ...headers, 'ms-azure-ai-promptflow-called-from': calledFrom } : headers;
}

/** As Python writes JSON: a header takes no other characters, and flows and their runs have names in any script. */
function asciiJson(value: Readonly<Record<string, string>>): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A call of one connection, with the tries at those before it. */
interface AskedOne extends RetriedCall {
  /** Where it is not the node's own connection. */
  readonly billedAs?: Usage['billedAs'];
}

/** The node's own connection is asked next, and could not read what another one encrypted. */
function withoutThoughts(result: ModelResult): ModelResult {
  if (!result.ok) return result;
  return { ...result, reply: { ...result.reply, body: withoutEncryptedThoughts(result.reply.body) } };
}

/** A vector is one of floats, whatever of it the service writes without a point. */
function completionOutput(body: JsonValue, api: Api): JsonValue {
  if (api !== 'embedding' || !Array.isArray(body)) return body;
  return (body as readonly JsonValue[]).map((one) => (Number.isInteger(one) ? new Float(one) : one));
}

function outcomeOf({ result, attempts, billedAs }: AskedOne, question: Question, signal: AbortSignal): NodeOutcome {
  const sent = question.request['messages'] ?? question.request['prompt'];
  const report: NodeReport = {
    ...(attempts.length > 1 ? { attempts } : {}),
    ...(sent === undefined ? {} : { promptMessages: sent }),
  };
  if (!result.ok) return { ok: false, error: result.error, canceled: signal.aborted, report };
  const { usage, body, logprobs, explanation } = result.reply;
  const output =
    question.read?.(result.reply) ??
    (answersMessage(question.api) ? chatOutput(body, question.wantsMessage) : completionOutput(body, question.api));
  const warnings = withEmptyAnswer(result.reply, output, question);
  return {
    ok: true,
    output,
    report: {
      ...report,
      ...(usage === undefined ? {} : { usage: billedAs === undefined ? usage : { ...usage, billedAs } }),
      ...(logprobs === undefined ? {} : { logprobs }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(explanation === undefined ? {} : { logs: { stdout: `${explanation}\n`, stderr: '' } }),
    },
  };
}

/** An answer whose text is wanted, and has none: what follows would take nothing for an answer. */
function withEmptyAnswer(
  { body, warnings }: ModelReply,
  output: JsonValue,
  { api, wantsMessage }: Question,
): readonly string[] | undefined {
  const isEmpty = answersMessage(api) && !wantsMessage && (output === null || output === '');
  if (!isEmpty || !isMapping(body)) return warnings;
  const { refusal, tool_calls: tools = null, function_call: call = null } = body;
  if (typeof refusal === 'string' && refusal !== '') return [...(warnings ?? []), `${emptyAnswerText}: it refused`];
  if (tools === null && call === null) return warnings;
  return [...(warnings ?? []), `${emptyAnswerText}: it calls a tool, and none was offered`];
}

export function answersMessage(api: Api): boolean {
  return api === 'chat' || api === 'responses';
}
