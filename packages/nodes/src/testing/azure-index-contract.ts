/** A column as a definition on the wire has it. */
interface WireField {
  readonly name: string;
  readonly type: string;
  readonly key?: boolean;
  readonly searchable?: boolean;
  readonly filterable?: boolean;
  readonly sortable?: boolean;
  readonly retrievable?: boolean;
  readonly analyzer?: string;
  readonly dimensions?: number;
  readonly vectorSearchProfile?: string;
}

export interface WireIndex {
  readonly name: string;
  readonly fields: readonly WireField[];
  readonly vectorSearch?: {
    readonly algorithms?: readonly { readonly name: string; readonly kind: string }[];
    readonly profiles?: readonly { readonly name: string; readonly algorithm: string }[];
  };
  readonly semantic?: {
    readonly configurations?: readonly { readonly name: string; readonly prioritizedFields: unknown }[];
  };
}

type Body = Readonly<Record<string, unknown>>;

const fieldTypes =
  /^(?:Collection\((?:Edm\.(?:String|Boolean|Double|Int32|Int64|Single))\)|Edm\.(?:String|Boolean|Double|Int32|Int64))$/;
const analyzers = new Set(['ja.microsoft', 'ja.lucene', 'en.microsoft', 'en.lucene', 'standard.lucene']);

/** What "Indexes - Create Or Update" refuses in a definition; undefined where it holds. */
export function wrongDefinition(index: WireIndex, name: string): string | undefined {
  if (index.name !== name) return `The index name in the URL '${name}' does not match '${index.name}'.`;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/.test(name)) return `Invalid index name: '${name}'.`;
  const keys = index.fields.filter(({ key }) => key === true);
  const [key] = keys;
  if (keys.length !== 1 || key?.type !== 'Edm.String') return 'There must be exactly one key field of type Edm.String.';
  const names = index.fields.map((field) => field.name.toLowerCase());
  if (new Set(names).size < names.length) return 'Field names must be unique.';
  return index.fields.map((field) => wrongField(field, index)).find((problem) => problem !== undefined);
}

function wrongField(field: WireField, { vectorSearch }: WireIndex): string | undefined {
  const { name, type, searchable, analyzer } = field;
  if (!/^[A-Za-z][A-Za-z0-9_]{0,127}$/.test(name) || /^azureSearch/i.test(name))
    return `Invalid field name: '${name}'.`;
  if (!fieldTypes.test(type)) return `The type '${type}' of '${name}' is unknown.`;
  if (analyzer !== undefined && (!analyzers.has(analyzer) || searchable !== true))
    return `The analyzer of '${name}' cannot be used.`;
  if (type === 'Collection(Edm.Single)') return wrongVectorField(field, vectorSearch);
  const isText = type === 'Edm.String' || type === 'Collection(Edm.String)';
  return searchable === true && !isText ? `The field '${name}' of type ${type} cannot be searchable.` : undefined;
}

function wrongVectorField(
  { name, dimensions = 0, vectorSearchProfile }: WireField,
  vectorSearch: WireIndex['vectorSearch'],
): string | undefined {
  const profile = vectorSearch?.profiles?.find((one) => one.name === vectorSearchProfile);
  const hasAlgorithm = vectorSearch?.algorithms?.some((one) => one.name === profile?.algorithm && one.kind === 'hnsw');
  if (dimensions >= 2 && dimensions <= 4096 && hasAlgorithm === true) return undefined;
  return `The vector field '${name}' needs 'dimensions' and a 'vectorSearchProfile'.`;
}

const searchKeys = new Set([
  ...['search', 'searchFields', 'searchMode', 'select', 'filter', 'orderby', 'top', 'skip', 'count', 'facets'],
  ...[
    'queryType',
    'semanticConfiguration',
    'captions',
    'answers',
    'vectorQueries',
    'vectorFilterMode',
    'scoringProfile',
  ],
]);

/** What "Documents - Search Post" refuses in a request, but for the filter; undefined where it holds. */
export function wrongSearch(body: Body, index: WireIndex, apiVersion: string): string | undefined {
  const unknown = Object.keys(body).find((key) => !searchKeys.has(key));
  if (unknown !== undefined) return `The parameter '${unknown}' in the request payload is not a valid parameter.`;
  return (
    wrongPage(body) ??
    wrongNames(body, index) ??
    wrongSemantic(body, index) ??
    ((body['vectorQueries'] ?? []) as readonly Body[])
      .map((query) => wrongVectorQuery(query, index, apiVersion))
      .find((problem) => problem !== undefined)
  );
}

function wrongPage({ top = 50, skip = 0 }: Body): string | undefined {
  const isPage = Number.isInteger(top) && Number(top) >= 0 && Number(top) <= 1000;
  if (!isPage) return `Value must be between 0 and 1000. Parameter name: $top`;
  return Number(skip) > 100_000 || Number(skip) < 0
    ? 'Value must be between 0 and 100000. Parameter name: $skip'
    : undefined;
}

function wrongNames({ select = '*', orderby = '' }: Body, { fields }: WireIndex): string | undefined {
  const named = (list: unknown): readonly string[] =>
    String(list)
      .split(',')
      .filter((name) => name !== '' && name !== '*');
  const hidden = named(select).find((name) => fields.find((field) => field.name === name)?.retrievable === false);
  if (hidden !== undefined)
    return `Invalid expression: '${hidden}' is not a retrievable field. Parameter name: $select`;
  const unknown = named(select).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    return `Invalid expression: Could not find a property named '${unknown}'. Parameter name: $select`;
  const sorted = named(orderby).map((part) => part.split(' ')[0] ?? '');
  const unsortable = sorted.find((name) => fields.find((field) => field.name === name)?.sortable !== true);
  return unsortable === undefined ? undefined : `The field '${unsortable}' is not sortable. Parameter name: $orderby`;
}

function wrongSemantic(
  { queryType = 'simple', semanticConfiguration, search }: Body,
  { semantic }: WireIndex,
): string | undefined {
  if (!['simple', 'full', 'semantic'].includes(String(queryType)))
    return `The queryType '${String(queryType)}' is unknown.`;
  if (queryType !== 'semantic') return undefined;
  if (typeof search !== 'string' || search === '') return 'A semantic query needs the parameter search.';
  const isKnown = semantic?.configurations?.some(({ name }) => name === semanticConfiguration) === true;
  return isKnown ? undefined : `Unknown semantic configuration '${String(semanticConfiguration)}'.`;
}

const vectorKeys = new Set(['kind', 'vector', 'text', 'fields', 'k', 'weight', 'exhaustive', 'oversampling']);

function wrongVectorQuery(query: Body, { fields }: WireIndex, apiVersion: string): string | undefined {
  const unknown = Object.keys(query).find((key) => !vectorKeys.has(key));
  if (unknown !== undefined) return `The property '${unknown}' does not exist on type 'VectorQuery'.`;
  const field = fields.find(({ name }) => name === query['fields']);
  if (field?.type !== 'Collection(Edm.Single)')
    return `Unknown field '${String(query['fields'])}' in vector field list.`;
  if (query['kind'] !== 'vector') return `Field '${field.name}' does not have a vectorizer defined.`;
  const length = (query['vector'] as readonly unknown[]).length;
  if (length !== field.dimensions)
    return `The vector query's 'vector' has ${length} dimensions; the field '${field.name}' has ${field.dimensions}.`;
  const { weight, k = 50 } = query;
  if (weight !== undefined && apiVersion < '2024-07-01')
    return `The property 'weight' does not exist on type 'VectorQuery'.`;
  if (weight !== undefined && !(Number(weight) > 0)) return 'weight must be greater than 0.';
  return Number(k) > 0 ? undefined : 'k must be greater than 0.';
}

/** What "Documents - Index" refuses in a request as a whole; undefined where it holds. */
export function wrongBatch(body: Body, index: WireIndex): string | undefined {
  const value = body['value'];
  if (!Array.isArray(value) || value.length === 0 || value.length > 1000)
    return 'The request must hold 1 to 1000 documents.';
  const key = index.fields.find((field) => field.key === true)?.name ?? '';
  for (const document of value as readonly Body[]) {
    const problem = wrongDocument(document, key, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function wrongDocument(document: Body, key: string, { fields }: WireIndex): string | undefined {
  const { '@search.action': action, ...values } = document;
  if (!['upload', 'merge', 'mergeOrUpload', 'delete'].includes(String(action)))
    return `The action '${String(action)}' is unknown.`;
  const own = values[key];
  if (typeof own !== 'string' || !/^[A-Za-z0-9_=-]{1,1024}$/.test(own))
    return `Invalid document key: '${String(own)}'.`;
  const wrong = Object.entries(values).find(([name, value]) => {
    const type = fields.find((field) => field.name === name)?.type;
    return type === undefined || !isOfType(value, type);
  });
  if (wrong === undefined) return undefined;
  return `The property '${wrong[0]}' does not exist on type 'search.documentFields' or has a value of another type.`;
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null) return true;
  const inner = /^Collection\((.+)\)$/.exec(type)?.[1];
  if (inner !== undefined) return Array.isArray(value) && value.every((member) => isOfType(member, inner));
  if (type === 'Edm.String') return typeof value === 'string';
  return type === 'Edm.Boolean' ? typeof value === 'boolean' : typeof value === 'number';
}
