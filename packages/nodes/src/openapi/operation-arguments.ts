import { type JsonObject, mappingOf } from '@unroll/engine';
import { type ArgumentPlace, contentSchema, formOf, type ParameterForm } from './parameter-form.ts';
import { plainSchema } from './plain-schema.ts';

export interface OperationArgument {
  readonly name: string;
  /** All that its value travels in: `/orders/{id}` may take an `id` in its body as well. */
  readonly places: readonly ArgumentPlace[];
  readonly isRequired: boolean;
  /** JSON Schema of the last of its places; a parameter's description stands in it. */
  readonly schema: JsonObject;
  /** How it is written in places where it is written otherwise than parameters are by themselves. */
  readonly forms?: Readonly<Partial<Record<ArgumentPlace, ParameterForm>>>;
}

/** An argument as one place of it is written. */
export interface WrittenArgument extends Pick<OperationArgument, 'name' | 'isRequired' | 'schema'> {
  readonly place: ArgumentPlace;
  readonly form?: ParameterForm;
}

const places = ['path', 'query', 'header', 'cookie'] as const;

/** What an operation says of a place stands for what its path says; the same name in another place is the same argument. */
export function joined(written: readonly WrittenArgument[]): readonly OperationArgument[] {
  const byPlace = new Map(written.map((one) => [`${one.place} ${one.name}`, one]));
  return [...Map.groupBy(byPlace.values(), ({ name }) => name)].map(([name, ones]) => {
    const forms = ones.flatMap(({ place, form }) => (form === undefined ? [] : [[place, form] as const]));
    return {
      name,
      places: ones.map(({ place }) => place),
      isRequired: ones.some(({ isRequired }) => isRequired),
      schema: ones.at(-1)?.schema ?? {},
      ...(forms.length === 0 ? {} : { forms: Object.fromEntries(forms) }),
    };
  });
}

/** Swagger 2.0 writes the schema's keys beside the parameter's own. */
export function argumentOf(parameter: JsonObject): readonly WrittenArgument[] {
  const { name, in: written, required, schema, description, content, example: _, ...own } = parameter;
  const place = places.find((one) => one === written);
  if (typeof name !== 'string' || name === '' || place === undefined) return [];
  const { collectionFormat: _format, style: _style, explode: _explode, ...beside } = own;
  const shape = plainSchema(schema === undefined ? (contentSchema(content) ?? beside) : mappingOf(schema));
  const described = shape['description'] === undefined && typeof description === 'string' ? { description } : {};
  const form = formOf(parameter, place);
  return [
    {
      name,
      place,
      isRequired: required === true || place === 'path',
      schema: { ...shape, ...described },
      ...(form === undefined ? {} : { form }),
    },
  ];
}
