import type { ExportedAnswers } from '@unroll/project/studio-contract';

const read = new Map<string, Promise<ExportedAnswers>>();
let last: ExportedAnswers | undefined;

/** Files of an export call this: a page that is itself a file may read others as scripts alone. */
(globalThis as { unrollExport?: (part: ExportedAnswers) => void }).unrollExport = (part) => {
  last = part;
};

/** @throws Error where the file is not there */
export function readExportedFile(file: string): Promise<ExportedAnswers> {
  const known = read.get(file);
  if (known !== undefined) return known;
  const reading = new Promise<ExportedAnswers>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = file;
    // Called right after the script ran, before any other does.
    script.onload = () => (last === undefined ? reject(new Error(file)) : resolve(last));
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
  reading.catch(() => read.delete(file));
  read.set(file, reading);
  return reading;
}
