import type {
  ActionGroupInvocationInput,
  ModelInvocationInput,
  Observation,
  OrchestrationTrace,
  Parameter,
  Trace,
  TracePart,
} from '@aws-sdk/client-bedrock-agent-runtime';
import { type JsonObject, mappingOf, type NodeRun } from '@unroll/engine';
import type { ParsedStep } from './parse-step.ts';
import type { StepPrompt } from './prompt-template.ts';
import { promptText } from './prompt-template.ts';
import { isActed, isParsed, isStarted } from './recorded-outputs.ts';
import { stableId } from './start-turn.ts';
import { type KnowledgeHit, type OrchestrationState, readCompletion } from './turn-state.ts';

/**
 * The trace events of one turn of a flow made of the steps in this folder, as `InvokeAgent` streams them (types of
 * `@aws-sdk/client-bedrock-agent-runtime`): events of one step share its id and come as input, output, rationale,
 * invocation input, observation. A turn that ended without an answer, its steps used up, ends with a failure event.
 *
 * @param records of one row, in the order they ended
 */
export function bedrockTrace(records: readonly NodeRun[], runId: string): readonly TracePart[] {
  const started = records.map(({ output }): unknown => output).find(isStarted);
  const turn = stableId(runId, String(records[0]?.line ?? 0));
  const builder = new TraceBuilder(records, turn, (started?.steps.length ?? 0) - 1);
  for (const record of records) builder.add(record);
  const { agent, session } = started ?? {};
  return builder.events.map(({ trace, time }) => ({
    sessionId: session?.id,
    agentId: agent?.id,
    agentAliasId: agent?.alias,
    agentVersion: agent?.version,
    eventTime: new Date(time),
    trace,
  }));
}

interface TraceEvent {
  readonly trace: Trace;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

class TraceBuilder {
  readonly events: TraceEvent[] = [];
  private readonly records: readonly NodeRun[];
  private readonly turn: string;
  private step: number;
  private isUnfinished = false;

  /** @param lastStep number of the last step before the records: a turn that goes on after a call handed out has some */
  constructor(records: readonly NodeRun[], turn: string, lastStep: number) {
    this.records = records;
    this.turn = turn;
    this.step = lastStep;
  }

  add(record: NodeRun): void {
    const { status, startedAt = 0, durationMs = 0 } = record;
    const tell = (trace: Trace, time = startedAt + durationMs): void => void this.events.push({ trace, time });
    const prompt = promptOf(record);
    if (prompt !== undefined && status !== 'Bypassed' && status !== 'NotRun') this.addCall(record, prompt, tell);
    else if (isParsed(record.output)) this.addParsed(record.output, tell);
    else if (isActed(record.output)) tell(orchestration({ observation: this.observation(record.output.observation) }));
    if (status === 'Failed') tell({ failureTrace: { traceId: this.id(), ...failureOf(record) } });
    else if (!this.isUnfinished && isUnfinished(record.output)) {
      this.isUnfinished = true;
      tell({ failureTrace: { traceId: this.id(), failureReason: reasonOf(record.output) } });
    }
  }

  private addCall(record: NodeRun, prompt: StepPrompt, tell: (trace: Trace, time?: number) => void): void {
    if (prompt.type === 'ORCHESTRATION' || prompt.type === 'KNOWLEDGE_BASE_RESPONSE_GENERATION') this.step += 1;
    const traceId = this.id(prompt.type);
    tell(
      inStep(prompt.type, { modelInvocationInput: { traceId, ...modelInput(record, prompt) } }),
      record.startedAt ?? 0,
    );
    if (record.status !== 'Completed') return;
    const output = { traceId, ...rawOutput(record) };
    if (prompt.type === 'PRE_PROCESSING') {
      tell({ preProcessingTrace: { modelInvocationOutput: { ...output, parsedResponse: this.parsedInput() } } });
    } else if (prompt.type === 'POST_PROCESSING') {
      tell({
        postProcessingTrace: { modelInvocationOutput: { ...output, parsedResponse: { text: this.finalText() } } },
      });
    } else {
      tell(orchestration({ modelInvocationOutput: output }));
    }
    if (prompt.type !== 'KNOWLEDGE_BASE_RESPONSE_GENERATION') return;
    const text = this.records.map((one) => (one.output ?? {}) as JsonObject).find((one) => one['from_search'] === true);
    const finalResponse = { text: String(text?.['text'] ?? '') };
    tell(orchestration({ observation: { traceId, type: 'FINISH', finalResponse } }));
  }

  private addParsed(parsed: ParsedStep, tell: (trace: Trace) => void): void {
    const traceId = this.id();
    if (parsed.rationale !== '') tell(orchestration({ rationale: { traceId, text: parsed.rationale } }));
    if (parsed.type === 'ACTION_GROUP') {
      const id = parsed.execution === 'RETURN_CONTROL' ? this.invocationId() : undefined;
      const actionGroupInvocationInput = { ...actionInput(parsed), ...(id === undefined ? {} : { invocationId: id }) };
      tell(orchestration({ invocationInput: { traceId, invocationType: 'ACTION_GROUP', actionGroupInvocationInput } }));
    }
    if (parsed.type === 'KNOWLEDGE_BASE') {
      const knowledgeBaseLookupInput = { text: parsed.query, knowledgeBaseId: parsed.id };
      tell(orchestration({ invocationInput: { traceId, invocationType: 'KNOWLEDGE_BASE', knowledgeBaseLookupInput } }));
    }
  }

  /** Of the call that was handed to the caller, which ends the turn. */
  private invocationId(): string | undefined {
    const controls = this.records.map(({ output }) =>
      mappingOf(mappingOf(mappingOf(output)['content'])['return_control']),
    );
    const id = controls.find(({ invocationId }) => invocationId !== undefined)?.['invocationId'];
    return typeof id === 'string' ? id : undefined;
  }

  private observation(seen: NonNullable<OrchestrationState['observation']>): Observation {
    const base = { traceId: this.id(), type: seen.type };
    switch (seen.type) {
      case 'ACTION_GROUP':
        return { ...base, actionGroupInvocationOutput: { text: seen.text } };
      case 'KNOWLEDGE_BASE':
        return { ...base, knowledgeBaseLookupOutput: { retrievedReferences: seen.hits.map(reference) } };
      case 'REPROMPT':
        return { ...base, repromptResponse: { text: seen.text, source: seen.source } };
      default:
        return { ...base, finalResponse: { text: seen.text } };
    }
  }

  private parsedInput(): { rationale: string; isValid: boolean } {
    const parsed = this.records
      .map(({ output }) => (output as JsonObject | null | undefined)?.['pre_processing'])
      .find(Boolean);
    const { rationale, isValid } = (parsed ?? {}) as JsonObject;
    return { rationale: String(rationale ?? ''), isValid: isValid === true };
  }

  private finalText(): string {
    const last = this.records.findLast(
      ({ output }) => typeof (output as JsonObject | null | undefined)?.['answer'] === 'string',
    );
    return String(((last?.output ?? {}) as JsonObject)['answer'] ?? '');
  }

  private id(type: StepPrompt['type'] = 'ORCHESTRATION'): string {
    if (type === 'PRE_PROCESSING') return `${this.turn}-pre-0`;
    return type === 'POST_PROCESSING' ? `${this.turn}-post-0` : `${this.turn}-${Math.max(0, this.step)}`;
  }
}

function orchestration(trace: OrchestrationTrace): Trace {
  return { orchestrationTrace: trace };
}

function inStep(type: StepPrompt['type'], trace: { modelInvocationInput: ModelInvocationInput }): Trace {
  if (type === 'PRE_PROCESSING') return { preProcessingTrace: trace };
  return type === 'POST_PROCESSING' ? { postProcessingTrace: trace } : orchestration(trace);
}

function modelInput({ inputs = {} }: NodeRun, prompt: StepPrompt): Omit<ModelInvocationInput, 'traceId'> {
  const { temperature, top_p: topP, max_tokens: longest, stop, model } = inputs;
  const number = (value: unknown): number | undefined =>
    value === undefined || value === null ? undefined : Number(value);
  return {
    type: prompt.type,
    text: promptText(prompt),
    promptCreationMode: prompt.creation_mode,
    parserMode: prompt.parser_mode,
    foundationModel: typeof model === 'string' ? model : undefined,
    inferenceConfiguration: {
      temperature: number(temperature),
      topP: number(topP),
      maximumLength: number(longest),
      stopSequences: Array.isArray(stop) ? stop.map(String) : [],
    },
  };
}

function rawOutput({ output = null, usage }: NodeRun) {
  const rawResponse = { content: readCompletion(output).text };
  if (usage === undefined) return { rawResponse };
  return {
    rawResponse,
    metadata: { usage: { inputTokens: usage.promptTokens, outputTokens: usage.completionTokens } },
  };
}

function actionInput({
  call,
  event,
  execution,
}: Extract<ParsedStep, { readonly type: 'ACTION_GROUP' }>): ActionGroupInvocationInput {
  const { apiPath, function: name, parameters, requestBody } = event;
  const address =
    name === undefined ? { verb: call.verb.toLowerCase(), apiPath: String(apiPath) } : { function: String(name) };
  const body = (requestBody as JsonObject | undefined)?.['content'] as JsonObject | undefined;
  const content = Object.entries(body ?? {}).map(
    ([type, media]) => [type, (media as JsonObject)['properties']] as const,
  );
  return {
    actionGroupName: call.group,
    ...address,
    parameters: parameters as unknown as Parameter[],
    executionType: execution,
    ...(body === undefined ? {} : { requestBody: { content: Object.fromEntries(content) as Record<string, never> } }),
  };
}

function reference({ id, text }: KnowledgeHit) {
  return { content: { text }, location: { type: 'CUSTOM' as const, customDocumentLocation: { id } } };
}

/** HTTP's "failed dependency" for a function that failed, as the service's own error of that name. */
function failureOf({ error }: NodeRun): { readonly failureReason: string; readonly failureCode: number } {
  const { code = '', message = '' } = error?.cause ?? error ?? {};
  return { failureReason: message, failureCode: /DependencyFailed|BadLambdaResponse/.test(code) ? 424 : 500 };
}

/** The result of the orchestration, or that of the turn. */
function isUnfinished(output: NodeRun['output']): boolean {
  const { status, answer } = mappingOf(output);
  return status === 'unfinished' && answer !== undefined;
}

function reasonOf(output: NodeRun['output']): string {
  const { session, reason } = mappingOf(output);
  if (typeof reason === 'string') return reason;
  return session === undefined ? 'Max iterations exceeded' : 'the answer is empty';
}

function promptOf({ inputs }: NodeRun): StepPrompt | undefined {
  const prompt = inputs?.['step'] as Partial<StepPrompt> | null | undefined;
  return typeof prompt?.type === 'string' && typeof prompt.user === 'string' ? (prompt as StepPrompt) : undefined;
}
