import { isMapping, type JsonValue, pythonClass, type VariantDetails } from '@unroll/engine';
import type { ErrorsByKind, PromptFlowError } from './prompt-flow-error.ts';
import { variantsRefusal } from './reading-refusal.ts';

/** Mistakes in variants, as Prompt flow's command line tells them, which puts them in place (`overwrite_variant`). */
export const variantErrors: ErrorsByKind<VariantDetails> = {
  'variant-format': ({ variant }) => ({
    code: 'UserErrorException',
    message: `Invalid variant format: ${variant}, variant should be in format of \${TUNING_NODE.VARIANT}`,
  }),
  'variant-node': ({ node }) => invalid(`Node ${node} not found in flow`),
  'variant-unknown': ({ node, variant }) => invalid(`Variant ${variant} not found for node ${node}`),
  'variants-absent': ({ node }) => invalid(`No variant for the node ${node}.`),
  'variants-without-default': ({ node }) => invalid(`Default variant id is not specified for ${node}.`),
  'default-variant-unknown': ({ node, variant }) => invalid(`Cannot find the variant ${variant} for ${node}.`),
  'variants-unreadable': ({ variants }) => variantsRefusal(variants as JsonValue),
  'variants-incomplete': ({ entry, variant }) => incomplete(entry as JsonValue, variant as JsonValue | undefined),
};

function invalid(message: string): PromptFlowError {
  return { code: 'InvalidFlowError', message };
}

function incomplete(entry: JsonValue, variant: JsonValue | undefined): PromptFlowError {
  if (entry === null) return { code: 'TypeError', message: "argument of type 'NoneType' is not iterable" };
  const body = isMapping(variant) ? variant['node'] : undefined;
  return body === undefined
    ? invalid('Failed to overwrite tuning node with variant')
    : { code: 'TypeError', message: `'${pythonClass(body)}' object is not a mapping` };
}
