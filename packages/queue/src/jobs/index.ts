export type { HeldJob, Jobs, TakenJob } from './jobs.ts';
export { installJobs, jobsRefusal, openJobs } from './open-jobs.ts';
