export interface RunMarkProps {
  /** Place of the run on the page, from 0. */
  readonly at: number;
}

const shapes = ['diamond', 'disc', 'square', 'triangle'] as const;

/** The shape of a run, the same wherever it is drawn; its name stands beside it. */
export function RunMark({ at }: RunMarkProps) {
  return <i class={`run-mark ${shapes[at % shapes.length]}`} aria-hidden="true" />;
}
