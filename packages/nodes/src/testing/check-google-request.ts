type Json = Readonly<Record<string, unknown>>;

/**
 * What the Gemini API refuses of `models.generateContent`, `models.streamGenerateContent` and `models.batchEmbedContents` (API
 * reference); undefined for a request that holds: a key, members it knows, turns of user and model, and for each
 * `functionCall` a `functionResponse` of that name in the very next turn.
 */
export function googleProblem(path: string, headers: Json, body: Json): string | undefined {
  const [, method] = /^\/v1beta\/models\/[\w.-]+:(\w+)(?:\?alt=sse)?$/.exec(path) ?? [];
  if (method === undefined) return `unknown path ${path}`;
  if (!/^\S+$/.test(String(headers['x-goog-api-key'] ?? ''))) return 'Method doesn’t allow unregistered callers';
  if (method === 'batchEmbedContents' || method === 'embedContent') return undefined;
  if (method !== 'generateContent' && method !== 'streamGenerateContent') return `unknown method ${method}`;
  const unknown =
    firstOther(body, members) ?? firstOther((body['generationConfig'] ?? {}) as Json, settings, 'generation_config.');
  if (unknown !== undefined) return `Invalid JSON payload received. Unknown name "${unknown}"`;
  return turnsProblem((body['contents'] ?? []) as readonly Json[]);
}

const members =
  'contents systemInstruction generationConfig tools toolConfig safetySettings cachedContent labels'.split(' ');
const settings =
  'maxOutputTokens temperature topP topK stopSequences seed presencePenalty frequencyPenalty responseMimeType responseSchema responseJsonSchema thinkingConfig candidateCount'.split(
    ' ',
  );

function firstOther(value: Json, known: readonly string[], prefix = ''): string | undefined {
  const other = Object.keys(value).find((name) => !known.includes(name));
  return other === undefined ? undefined : `${prefix}${other}`;
}

function turnsProblem(contents: readonly Json[]): string | undefined {
  if (contents.length === 0) return 'contents is not specified';
  for (const [at, { role, parts }] of contents.entries()) {
    if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.';
    if (!Array.isArray(parts) || parts.length === 0) return `contents[${at}].parts must not be empty`;
    const called = named(contents[at - 1]?.['parts'], 'functionCall');
    const answered = named(parts, 'functionResponse');
    if (called.join() !== answered.join()) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
  }
  return undefined;
}

function named(parts: unknown, member: string): readonly unknown[] {
  return ((parts ?? []) as readonly Json[]).flatMap((part) => {
    const inner = part[member] as Json | undefined;
    return inner === undefined ? [] : [inner['name']];
  });
}
