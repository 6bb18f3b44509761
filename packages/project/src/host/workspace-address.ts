import { ProjectFailure } from './project-failure.ts';

const refusals = {
  flow: {
    code: 'FlowNotFound',
    says: 'is no folder here: flows of an Azure workspace do not run there from here',
    help: 'Download it (in the studio: the files of the flow), then flow run FOLDER.',
  },
  data: {
    code: 'FileNotFound',
    says: 'is no file here: data of an Azure workspace, or behind an address, is not fetched',
    help: 'Download it, then --data FILE.',
  },
  run: {
    code: 'RunNotFound',
    says: 'is no run here: runs of an Azure workspace are not read there',
    help: 'Download it (pfazure run download --name NAME), then flow import-run FOLDER.',
  },
} as const;

/** Whether this names something in an Azure workspace, or behind an address of the web, where a path or a name is wanted. */
export function isAddress(given: string): boolean {
  return /^(?:azureml|https?|wasbs|abfss):/.test(given);
}

/** Says that nothing is fetched from there, and what to do instead. */
export function addressRefusal(given: string, what: keyof typeof refusals): ProjectFailure {
  const { says, ...details } = refusals[what];
  return new ProjectFailure(`${given} ${says}`, details);
}
