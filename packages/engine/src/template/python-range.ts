import { spendMembers } from './render-budget.ts';

export class PyRange {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  constructor(start: number, stop: number, step: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }
  list(): number[] {
    spendMembers(this.length);
    return Array.from({ length: this.length }, (_, index) => this.start + index * this.step);
  }
}
