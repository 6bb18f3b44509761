import { readFileSync } from 'node:fs';
import { type EvaluationPage, evaluationPage, exported } from '@unroll/project/studio-contract';

/** What an exported page brings along. */
export function readExport(file: string): ReturnType<typeof exported.parse> {
  const text = readFileSync(file, 'utf8');
  const [, embedded = ''] = /<script type="application\/json" id="unroll-export">(.*)<\/script>/.exec(text) ?? [];
  return exported.parse(JSON.parse(embedded));
}

/** The evaluation that an exported page opens on. */
export function readExportedEvaluation(file: string): EvaluationPage {
  const { start, answers } = readExport(file);
  return evaluationPage.parse(answers[start.replace('/evaluations', 'evaluation')]);
}
