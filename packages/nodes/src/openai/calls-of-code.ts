import type { NodeReport, Usage } from '@unroll/engine';
import { addUsage } from '@unroll/engine/values';
import { readUsage } from './read-usage.ts';

/** Calls of models that code of a flow made itself, as they were seen. */
export interface ModelCalls {
  readonly told: readonly ToldCall[];
  /** Calls whose answers told no tokens. */
  readonly untold: number;
}

export interface ToldCall {
  /** As the answer names it, else as it was asked for. */
  readonly model: unknown;
  readonly service: string;
  /** In OpenAI's wire format. */
  readonly usage: unknown;
}

/** Tokens of such calls for the record of their node, and what is not known of them. */
export function reportOfCalls({ told, untold }: ModelCalls): Pick<NodeReport, 'usage' | 'warnings'> {
  const warnings = new Set<string>();
  const byModel = new Map<string, Usage>();
  let untoldCalls = untold;
  for (const call of told) {
    const counted = readUsage(call.usage);
    for (const warning of counted.warnings) warnings.add(warning);
    if (counted.usage === undefined) untoldCalls += 1;
    else addCall(byModel, counted.usage, call);
  }
  if (untoldCalls > 0) warnings.add(untoldText(untoldCalls));
  const usage = usageOf([...byModel.values()], untoldCalls);
  return { ...(usage && { usage }), ...(warnings.size > 0 && { warnings: [...warnings] }) };
}

function addCall(byModel: Map<string, Usage>, usage: Usage, { model, service }: ToldCall): void {
  const billedAs = { connectionType: service, model: typeof model === 'string' ? model : '' };
  const key = `${service} ${billedAs.model}`;
  byModel.set(key, { ...addUsage(byModel.get(key), usage), billedAs });
}

function usageOf(parts: readonly Usage[], untoldCalls: number): Usage | undefined {
  const untold = untoldCalls === 0 ? {} : { untoldCalls };
  const [first, ...others] = parts;
  if (first === undefined) return untoldCalls === 0 ? undefined : { ...noTokens, ...untold };
  if (others.length === 0) return { ...first, ...untold };
  return { ...others.reduce((sum, part) => addUsage(sum, part), addUsage(noTokens, first)), parts, ...untold };
}

const noTokens: Usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

function untoldText(calls: number): string {
  const whose = calls === 1 ? '1 call of a model' : `${calls} calls of models`;
  return `${whose} told no tokens, so budgets and costs lack them: a stream tells them where it is asked with stream_options={"include_usage": true}`;
}
