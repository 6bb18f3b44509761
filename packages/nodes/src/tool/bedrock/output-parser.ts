import type { JsonObject } from '@unroll/engine';
import type { PromptType } from './prompt-type.ts';

/** What an overriding parser is given (message version 1.0 of the service's contract). */
export interface ParserEvent {
  readonly messageVersion: '1.0';
  readonly agent: { readonly name: string; readonly id: string; readonly alias: string; readonly version: string };
  readonly invokeModelRawResponse: string;
  readonly promptType: PromptType;
  readonly overrideType: 'OUTPUT_PARSER';
}

/** Takes the place of a step's own parser, with the contract of the service's parser Lambda functions. */
export type OutputParser = (event: ParserEvent) => JsonObject;
