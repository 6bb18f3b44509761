import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

/** What one run asks in place of what a prompty is written for; kept under the key `chosen` of its node. */
export interface ChosenModel {
  /** Name of a connection. */
  readonly connection?: string;
  /** Name of a model, or of a deployment. */
  readonly model?: string;
}

/** @param settings of a node */
export function chosenModel({ chosen }: JsonObject): ChosenModel {
  return isMapping(chosen) ? (chosen as ChosenModel) : {};
}

/** The settings of a node with another choice: of a `connection`, a `model` or, which is the same here, a `deployment_name`. */
export function withChosen(settings: JsonObject, key: string, value: string): JsonObject {
  const chosen = { ...chosenModel(settings), [key === 'connection' ? key : 'model']: value };
  return { ...settings, chosen };
}

/** The front matter of a prompty as if the choice were written in it. A connection of its own says where the model is, and what was described there is left out. */
export function asChosen(root: JsonObject, { connection, model }: ChosenModel): JsonObject {
  if (connection === undefined && model === undefined) return root;
  const written = mapping(root['model']);
  const { azure_deployment: deployment, model: named, ...described } = mapping(written['configuration']);
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

function mapping(value: JsonValue | undefined): JsonObject {
  return isMapping(value) ? value : {};
}
