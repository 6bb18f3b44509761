import type { RecordedShare } from '@unroll/project';
import { ProjectFailure } from '@unroll/project/project-failure';
import { decimal } from './option-kinds.ts';

/** @throws ProjectFailure where it is neither `none`, `errors` nor a share */
export function readRecordedShare(given: string, name: string): RecordedShare {
  if (given === 'none' || given === 'errors') return given;
  const share = decimal(given) ?? -1;
  if (share >= 0 && share <= 1) return share;
  throw new ProjectFailure(`${name} takes none, errors or a share from 0 to 1, not "${given}"`);
}
