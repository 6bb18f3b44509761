export type { HeldJob, Jobs, TakenJob } from './jobs.ts';
export { installJobs, openJobs } from './open-jobs.ts';
