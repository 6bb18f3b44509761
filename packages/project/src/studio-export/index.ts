export { diffView } from './diff-view.ts';
export { evaluationView, recordsOf } from './evaluation-view.ts';
export { exportFile } from './export-file.ts';
export { exportFolder } from './export-folder.ts';
export type { ExportedView } from './exported-view.ts';
export { runsView } from './runs-view.ts';
