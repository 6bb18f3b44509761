export { describedValue } from './described.ts';
export { newlineLists } from './newline-lists.ts';
export { pythonRepr, pythonStr } from './python-text.ts';
export { NewlineList } from './python-types.ts';
export { compileTemplate, type RenderOptions, type Template, type TemplateOptions } from './template.ts';
export { TemplateError, type TemplatePlace, type TemplateProblem } from './template-error.ts';
/** Templates: the only door to nunjucks; what is rendered is what Jinja2 3.1 renders. See docs/templates.md. */
