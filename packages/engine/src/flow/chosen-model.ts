import type { JsonObject, JsonValue } from '../value/json.ts';
import { mappingOf } from '../value/shapes.ts';

/** What one run asks in place of what the file of a node is written for. */
export interface ChosenModel {
  /** Name of a connection. */
  readonly connection?: string;
  /** Name of a model, or of a deployment. */
  readonly model?: string;
}

/** A choice with another value: of a `connection`, a `model` or, which is the same here, a `deployment_name`. */
export function withChosen(chosen: ChosenModel | undefined, key: string, value: string): ChosenModel {
  return { ...chosen, [key === 'connection' ? key : 'model']: value };
}

/**
 * The front matter of a prompty as if the choice were written in it: a connection says where the model is, and what was
 * described of that is left out.
 */
export function asChosen(root: JsonObject, { connection, model }: ChosenModel): JsonObject {
  if (connection === undefined && model === undefined) return root;
  const written = mappingOf(root['model']);
  const { azure_deployment: deployment, model: named, ...described } = mappingOf(written['configuration']);
  const { connection: _replaced, ...others } = written;
  const configuration = {
    ...(connection === undefined ? described : { connection }),
    ...(model === undefined ? given({ azure_deployment: deployment, model: named }) : { model }),
  };
  return { ...root, model: { ...(connection === undefined ? written : others), configuration } };
}

function given(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}
