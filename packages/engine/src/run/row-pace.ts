/** No machine and no service has more of them at work; beyond, the slots alone would take longer than the rows. */
const mostRows = 10_000;

function withinBounds(rows: number): number {
  return Math.min(Math.max(1, rows), mostRows);
}

/** How many rows of a run are in flight at the same time; it can be changed while the run goes on. */
export class RowPace {
  private readonly listeners = new Set<() => void>();
  private now: number;

  constructor(rows: number) {
    this.now = withinBounds(rows);
  }

  get rows(): number {
    return this.now;
  }

  /** Holds for rows that have not begun; those in flight end. */
  set rows(rows: number) {
    this.now = withinBounds(rows);
    for (const tell of this.listeners) tell();
  }

  listen(tell: () => void): Disposable {
    this.listeners.add(tell);
    return { [Symbol.dispose]: () => this.listeners.delete(tell) };
  }
}

/** Runs row after row for as long as it is wanted, which it asks before each. */
type Slot = (isWanted: () => boolean) => Promise<void>;

/** As many slots as the pace says; resolves once all have ended, with what became of each. */
export async function runSlots(pace: number | RowPace, slot: Slot): Promise<readonly PromiseSettledResult<void>[]> {
  const asked = typeof pace === 'number' ? new RowPace(pace) : pace;
  const slots: Promise<void>[] = [];
  let going = 0;
  const begin = (): void => {
    going += 1;
    let goesOn = true;
    const leave = (): void => {
      if (goesOn) going -= 1;
      goesOn = false;
    };
    const isWanted = (): boolean => {
      if (going > asked.rows) leave();
      return goesOn;
    };
    slots.push(slot(isWanted).finally(leave));
  };
  const fill = (): void => {
    while (going < asked.rows) begin();
  };
  using _listening = asked.listen(fill);
  fill();
  const ended: PromiseSettledResult<void>[] = [];
  // Slots that begin meanwhile are waited for as well.
  while (ended.length < slots.length) ended.push(...(await Promise.allSettled(slots.slice(ended.length))));
  return ended;
}
