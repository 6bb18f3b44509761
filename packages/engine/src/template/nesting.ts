import { TemplateError, type TemplatePlace } from './template-error.ts';

/** How deep brackets, signs and statements may stand in one another where they are read. */
export const deepestSource = 200;

/** How deep a syntax tree may be: what is written one after the other, as `a + b + c`, lies one in the other too. */
const deepestTree = 500;

/** Words, signs and stretches of text of one template: to compile so many takes seconds. */
export const mostTokens = 500_000;
export const tooMany = `the template has more than ${mostTokens} words and signs in its tags`;

export function tooDeep(place: TemplatePlace, depth: number): TemplateError {
  const { start, end } = place;
  return new TemplateError({
    errorClass: 'TemplateSyntaxError',
    message: `nested deeper than ${depth} levels`,
    place: { start, end },
  });
}

/** @throws TemplateError at the first node that lies too deep; the walk itself calls nothing but itself once */
export function checkTreeDepth(body: readonly object[]): void {
  const open: [part: object, depth: number][] = [[body, 0]];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const [part, above] = top;
    const depth = 'typename' in part ? above + 1 : above;
    if (depth > deepestTree) throw tooDeep(part as TemplatePlace & object, deepestTree);
    for (const member of Object.values(part)) {
      if (typeof member === 'object' && member !== null) open.push([member, depth]);
    }
  }
}
