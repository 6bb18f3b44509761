import type { JsonObject } from '@unroll/engine';

/** A tool as its description gives it, before it has the name that a model is told. */
export interface DescribedTool {
  /** What it is called where it is described: `operationId`, an API's name. */
  readonly own: string;
  /** What it belongs to: an API's title, a server; empty where it stands alone. */
  readonly group: string;
  readonly category: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  /** Requests that somebody might make whom this tool can help; searched as the description is. */
  readonly queries?: readonly string[];
  /** What a call needs beside the name, as described: method, path and server of an operation. */
  readonly call?: JsonObject;
}

/** One tool of a catalogue. */
export interface CatalogueTool extends DescribedTool {
  /** As the model is told it, one of its kind in the catalogue: `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string;
}

/** A tool with the place it was read from. */
export interface PlacedTool {
  readonly tool: DescribedTool;
  /** `tools.jsonl:12`, `api.yaml:40`. */
  readonly place: string;
}

/** A mistake in a file of tools. */
export interface ToolMistake {
  readonly place: string;
  readonly message: string;
}

export interface ReadTools {
  readonly tools: readonly PlacedTool[];
  readonly mistakes: readonly ToolMistake[];
}
