import { KeyHint } from '../../shell/key-hint.tsx';
import { words } from '../../words/words.ts';

export interface ScoreChoiceProps {
  readonly score: number | undefined;
  readonly canWrite: boolean;
  readonly choose: (score: number) => void;
}

/** A score from 1 to 5, by a click as by Shift and the number. */
export function ScoreChoice({ score, canWrite, choose }: ScoreChoiceProps) {
  const name = words.value.comparing.labels.score;
  return (
    <div class="judgements score-choice" role="radiogroup" aria-label={name}>
      <span class="small quiet">
        {name} <KeyHint keys="Shift 1–5" />
      </span>
      {[1, 2, 3, 4, 5].map((one) => (
        <button
          key={one}
          type="button"
          class="button"
          role="radio"
          aria-checked={score === one}
          aria-label={`${name} ${one}`}
          disabled={!canWrite}
          onClick={() => choose(one)}
        >
          {one}
        </button>
      ))}
    </div>
  );
}
