export type { TemplateOptions } from './lexer.ts';
export { NewlineList, reprOf as pythonRepr, textOf as pythonStr } from './python-values.ts';
export type { Compiled, RenderOptions, Template } from './template.ts';
export { compileTemplate } from './template.ts';
export type { TemplatePlace, TemplateProblem } from './template-error.ts';
export { TemplateError } from './template-error.ts';
