import {
  convertValue,
  type Diagnostic,
  type FlowSpec,
  isRequired,
  type JsonObject,
  loadImages,
  type Plan,
  type Span,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { sampleInputs } from './sample-inputs.ts';

/** Values in the flow's files that rows without inputs of their own cannot be run on: images that are not there, a sample. */
export async function checkValues(
  { plan, spec }: { readonly plan?: Plan; readonly spec?: FlowSpec },
  folder: string,
  system: System,
): Promise<readonly Diagnostic[]> {
  if (plan === undefined || spec === undefined) return [];
  const place = (...path: readonly string[]): Span | undefined => spec.locate(path, 'value');
  const images = await Promise.all(
    plan.inputs.map((input) => imageMistakes(input, plan, folder, place('inputs', input.name, 'default'))),
  );
  return [...images.flat(), ...sampleMistakes(plan, folder, system, place('sample'))];
}

type Input = Plan['inputs'][number];

/** What is at an address is not asked for. */
const unasked = { fetch: async () => ({ ok: true as const, bytes: new Uint8Array() }) };

async function imageMistakes(
  input: Input,
  plan: Plan,
  folder: string,
  span: Span | undefined,
): Promise<readonly Diagnostic[]> {
  const { name, default: value } = input;
  if (value === undefined || value === null) return [];
  const { writtenFormat: format, readsImageTexts: inTexts = false } = plan;
  const loaded = await loadImages([input], { [name]: value }, { folder, format, inTexts, fetcher: unasked });
  return loaded.ok ? [] : [told(loaded.error.message, span)];
}

function sampleMistakes(plan: Plan, folder: string, system: System, span: Span | undefined): readonly Diagnostic[] {
  try {
    const sample = sampleInputs({}, plan, folder, system);
    return sample === undefined ? [] : plan.inputs.flatMap((input) => problemOf(input, sample, span));
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return [told(`the sample cannot be read: ${error.message}`, span)];
  }
}

function problemOf(input: Input, sample: JsonObject, span: Span | undefined): readonly Diagnostic[] {
  const { name, type } = input;
  const value = sample[name];
  if (value === undefined) return isRequired(input) ? [told(`the sample does not give "${name}"`, span)] : [];
  return convertValue(value, type).ok ? [] : [told(`the sample's "${name}" does not fit its type ${type}`, span)];
}

function told(message: string, span: Span | undefined): Diagnostic {
  const help = 'a run that gives no inputs of its own fails';
  return { severity: 'warning', code: 'INPUT_DEFAULT_TYPE', message, help, span };
}
