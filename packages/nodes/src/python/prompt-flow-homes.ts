/** Where Prompt flow 1.18.5 has what people import from it; older versions had it elsewhere. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'promptflow.core': [
    'AsyncFlow',
    'AsyncPrompty',
    'AzureOpenAIModelConfiguration',
    'Flow',
    'OpenAIModelConfiguration',
    'Prompty',
    'ToolProvider',
    'log_metric',
    'tool',
  ],
  'promptflow.client': ['PFClient', 'load_flow', 'load_run'],
  'promptflow.connections': [
    'AzureContentSafetyConnection',
    'AzureOpenAIConnection',
    'CognitiveSearchConnection',
    'CustomConnection',
    'FormRecognizerConnection',
    'OpenAIConnection',
    'SerpConnection',
  ],
  'promptflow.tracing': ['ThreadPoolExecutorWithContext', 'start_trace', 'trace'],
};

/** As `importFromHome`, of `promptflow.NAME` where what comes with flow in place of Prompt flow has it elsewhere. */
export function importFromStandIn(full: string): string | undefined {
  const parts = full.split('.');
  const found = importFromHome(parts.slice(0, -1).join('.'), parts.at(-1) ?? '');
  return found?.startsWith('from promptflow.client') === true ? undefined : found;
}

/** The statement that imports a name of Prompt flow's from where it is; undefined where `module` is that place, or nobody knows one. */
export function importFromHome(module: string, name: string): string | undefined {
  if (module.split('.')[0] !== 'promptflow') return undefined;
  const home = Object.keys(homes).find((one) => homes[one]?.includes(name));
  return home === undefined || home === module ? undefined : `from ${home} import ${name}`;
}
