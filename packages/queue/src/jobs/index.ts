export type { Jobs, NewJob, TakenJob, Work } from './jobs.ts';
export { installJobs, openJobs } from './open-jobs.ts';
