import { type JsonObject, type JsonValue, mappingOf, textOf } from '@unroll/engine';

export type ArgumentPlace = 'path' | 'query' | 'header' | 'cookie' | 'body';

export const styleNames = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
] as const;

/** How a parameter is written in its place (OpenAPI, Style Values); `tabDelimited` is of Swagger 2.0, `json` of `content`. */
export interface ParameterForm {
  readonly style: (typeof styleNames)[number] | 'tabDelimited' | 'json';
  /** Whether each member of a list or a mapping stands by itself. */
  readonly explode: boolean;
}

const collectionFormats: Readonly<Record<string, ParameterForm>> = {
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

export const collectionFormatNames: readonly string[] = ['csv', ...Object.keys(collectionFormats)];

/** What holds where a parameter says nothing. */
export function defaultForm(place: ArgumentPlace): ParameterForm {
  return place === 'query' || place === 'cookie'
    ? { style: 'form', explode: true }
    : { style: 'simple', explode: false };
}

/** @returns undefined where it is written as parameters in this place are by themselves */
export function formOf(parameter: JsonObject, place: ArgumentPlace): ParameterForm | undefined {
  const form = writtenForm(parameter, place);
  const { style, explode } = defaultForm(place);
  return form.style === style && form.explode === explode ? undefined : form;
}

function writtenForm(parameter: JsonObject, place: ArgumentPlace): ParameterForm {
  const { content, collectionFormat, type } = parameter;
  if (content !== undefined) return { style: 'json', explode: false };
  // Swagger 2.0: the type of a parameter stands beside its name, and lists have commas.
  if (type === 'array') {
    const named = collectionFormats[textOf(collectionFormat)];
    return named ?? { ...defaultForm(place), explode: false };
  }
  const style = styleNames.find((one) => one === parameter['style']) ?? defaultForm(place).style;
  const { explode = style === 'form' } = parameter;
  return { style, explode: explode === true };
}

/** Of a parameter that is written as JSON: the schema of its content. */
export function contentSchema(content: JsonValue | undefined): JsonObject | undefined {
  const [media] = Object.values(mappingOf(content));
  return media === undefined ? undefined : mappingOf(mappingOf(media)['schema']);
}
