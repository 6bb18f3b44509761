import type { ProjectFailure } from '../host/project-failure.ts';
import { evaluationWords } from './evaluation-words.ts';
import type { FoundEvaluation } from './evaluations.ts';
import type { Language } from './lens.ts';

/** Why an evaluation has no scores, in words. */
export function unscoredProblem(failure: ProjectFailure, { path, asked }: FoundEvaluation, language: Language): string {
  const { asksModels: told, runIt } = evaluationWords[language];
  if (failure.code === 'AsksModels') return `${told(asked)}${language === 'ja' ? '。' : '. '}${runIt(path)}`;
  return failure.help === undefined ? failure.message : `${failure.message}. ${failure.help}`;
}
