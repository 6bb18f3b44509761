/**
 * The media types of an Accept header, by the rules of the server Prompt flow stands on: weights are taken off and mean nothing,
 * but a type with one that is no number from 0 to 1 is passed over; other parameters belong to the type, and case counts.
 */
export function acceptedTypes(header: string | undefined): readonly string[] {
  const written = (header ?? '').split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (type === '') return [];
    const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    if (weight !== undefined && !isWeight(weight.replace(/^q\s*=\s*/i, ''))) return [];
    const others = parameters.filter((parameter) => parameter !== weight && parameter !== '');
    return [[type, ...others].join('; ')];
  });
  return [...new Set(written)];
}

function isWeight(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && Number(text) >= 0 && Number(text) <= 1;
}

/** Whether an event stream is asked for by its own name. */
export function wantsEventStream(types: readonly string[]): boolean {
  return types.includes('text/event-stream');
}

/** Whether JSON will do; it does where nothing is asked for. */
export function acceptsJson(types: readonly string[]): boolean {
  return types.length === 0 || ['application/json', 'application/*', '*/*'].some((type) => types.includes(type));
}
