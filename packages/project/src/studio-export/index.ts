export { type ExportedFolder, exportFolder, type FolderExport } from './export-folder.ts';
