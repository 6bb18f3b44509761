import type { DiffReport, ProjectHost } from '@unroll/project';
import { diffView } from '@unroll/project/studio-export';
import type { DiffSettings } from '../options/record-options.ts';
import { writeExport } from '../serving/write-export.ts';

/** The comparison of a report as a page of the studio in one file, that opens on what was asked for. */
export async function writeDiffPage(file: string, report: DiffReport, settings: DiffSettings, host: ProjectHost) {
  const { key, only, renames = new Map(), rows = 50, limit = 200 } = settings;
  const { left, right } = report;
  const other = left.id === right.id && left.place !== right.place ? `${right.id} (B)` : right.id;
  const asked = settings.node ?? settings.family;
  const options = {
    ...(key === undefined ? {} : { key }),
    ...(renames.size === 0 ? {} : { rename: [...renames].map((names) => names.join('=')) }),
    ...(report.isByIteration ? { turns: 'each' as const } : {}),
  };
  const view = diffView({
    ...{ left: left.id, right: other, rows, places: limit, options },
    first: { node: asked?.replace(/\[\*\]$/, ''), only },
  });
  const records = new Map([
    [left.id, left.place],
    [other, right.place],
  ]);
  const compared = { left: left.place, right: right.place, options, compared: report.compared() };
  await writeExport({ file, view, records, compared }, host);
}
