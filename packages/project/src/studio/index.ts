export { DiffPages } from './diff-pages.ts';
export { evaluationPage, evaluationsPage } from './evaluation-pages.ts';
export { LabelsPages } from './labels-pages.ts';
export type { Language, Lens, StudioSettings } from './lens.ts';
export { PlaygroundPages } from './playground-pages.ts';
export type { RowsQuery } from './rows-page.ts';
export type { LiveListener } from './run-watch.ts';
export type { RunsQuery } from './runs-page.ts';
export { Studio } from './studio.ts';
