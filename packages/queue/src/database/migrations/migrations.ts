import { runsAndRecords } from './001-runs-and-records.ts';
import { work } from './002-work.ts';
import { limits } from './003-limits.ts';
import { doing } from './004-doing.ts';
import { begunRows } from './005-begun-rows.ts';
import { jobsInHand } from './006-jobs-in-hand.ts';
import { marks } from './007-marks.ts';
import { requests } from './008-requests.ts';
import type { Migration } from './migration.ts';

/** In their order; the number of a migration is its place here, from 1. */
export const migrations: readonly Migration[] = [
  runsAndRecords,
  work,
  limits,
  doing,
  begunRows,
  jobsInHand,
  marks,
  requests,
];
