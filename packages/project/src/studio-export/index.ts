export { exportFile } from './export-file.ts';
export { exportFolder } from './export-folder.ts';
